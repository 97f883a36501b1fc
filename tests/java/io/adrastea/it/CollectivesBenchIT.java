package io.adrastea.it;

import static io.adrastea.it.QuickBench.has;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench collectives}: which figures there are and where they go. */
@Tag("spins")
class CollectivesBenchIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final QuickBench bench = new QuickBench(shm, "collectives");

  @Test
  void eachNumberOfRanksHasFiguresBesideTheFloor() throws Exception {
    Path page = directory.resolve("page.html");
    Outcome outcome = bench.run("--core", "ffm", "--peers", "none", "--calls", "barrier", "-n", "2,3", "--csv", "-",
        "--html", page.toString()).exits(0);
    outcome.says("from the last begin", "2 ranks: time of a call", "3 ranks: time of a call", "ffm/floor");
    for (String start : List.of("barrier/2,ffm,0,", "barrier/2,floor,0,", "barrier/3,ffm,0,", "barrier/3,floor,0,")) {
      has(outcome, start);
    }
    String html = Files.readString(page);
    assertTrue(html.contains("barrier, 3 ranks: time, ffm = 1"), html);
  }

  @Test
  void aPeerThatIsMissingIsNamedWithWhatInstallsIt() throws Exception {
    Launch launch = bench.launch("--core", "java", "--calls", "barrier");
    launch.variable("PATH", directory.toString());
    launch.run().exits(0).prints("openmpi is left out: mpicc.openmpi", "openmpi-sm is left out: mpicc.openmpi",
        "apt-get install mpich libmpich-dev", "barrier");
  }

  /** Outputs are checked. Whatever is wrong with those of a peer ends its run, and is told. */
  @Test
  void everyCallHasFiguresOfOursAndOfAPeer() throws Exception {
    QuickBench.assumeOpenMpi();
    Outcome outcome = bench.run("--core", "java", "--peers", "openmpi", "--calls", "all", "--roots", "moving",
        "--sizes", "8", "--form", "blocking,persistent", "--csv", "-").exits(0);
    assertFalse(outcome.err().contains("openmpi is left out"), outcome::toString);
    for (String form : List.of("", " persistent")) {
      has(outcome, "barrier" + form + "/2,openmpi,0,");
      has(outcome, "barrier" + form + "/2,java,0,");
      for (String call : List.of("bcast", "allreduce", "allgather", "reduce", "reduceScatterBlock", "reduceScatter",
          "scan", "exscan", "gather", "scatter", "alltoall", "allgatherv", "gatherv", "scatterv", "alltoallv")) {
        has(outcome, call + form + "/2,openmpi,8,");
        has(outcome, call + form + "/2,java,8,");
      }
    }
  }

  @Test
  void callsAreOutstandingTogetherAndBehindComputing() throws Exception {
    QuickBench.assumeOpenMpi();
    Outcome outcome = bench.run("--core", "java", "--peers", "openmpi", "--calls", "alltoall", "--sizes", "64K",
        "--form", "blocking,started,outstanding,overlap", "--csv", "-").exits(0);
    assertFalse(outcome.err().contains("is left out"), outcome::toString);
    outcome.says("hidden   the part of a call that cost no time behind computing", "alltoall both with thread",
        "thread   each rank has a progress thread", "a quick run: it tells whether all of it works");
    for (String form : List.of("started", "16 in turn", "16 outstanding", "alone", "compute", "both")) {
      has(outcome, "alltoall " + form + "/2,openmpi,65536,");
      has(outcome, "alltoall " + form + "/2,java,65536,");
    }
  }

  @Test
  void whatCannotBeMeasuredIsRefusedBeforeTheRun() {
    bench.refused("--calls", "gossip").says("there is no collective 'gossip'", "barrier, bcast");
    bench.refused("--peers", "lam")
        .says("there is no peer 'lam'; peers are openmpi, openmpi-sm, mpich, or none");
    bench.refused("-n", "1").says("-n must be numbers from 2 to 64, not 1");
    bench.refused("-n", "2,4", "--roots", "2").says("with 2 ranks 0 to 1, not '2'");
    bench.refused("--sizes", "12").says("multiples of 8 from 8 to 16M, not 12");
    bench.refused("--form", "posted").says("there is no form 'posted'; allowed are blocking, started");
    bench.refused("-n", "16", "--calls", "alltoall", "--sizes", "16M")
        .says("alltoall of 16 ranks with parts of 16M needs 268435456 bytes", "at most 128M are allowed");
    bench.refused("-n", "2", "--calls", "allgather", "--sizes", "8M", "--form", "outstanding")
        .says("allgather 16 in turn of 2 ranks with parts of 8M needs 16777216 bytes", "at most 8M are allowed");
  }
}
