package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private Outcome collectives(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("bench", "collectives", "--quick"));
    all.addAll(List.of(words));
    return Launch.adrastea(shm, all.toArray(String[]::new)).run();
  }

  private static void has(Outcome outcome, String start) {
    for (String metric : List.of("p50", "round-1", "round-2")) {
      String whole = start + metric + ",";
      assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith(whole)).count(), whole);
    }
  }

  @Test
  void eachNumberOfRanksHasFiguresBesideTheFloor() throws Exception {
    Path page = directory.resolve("page.html");
    Outcome outcome = collectives("--core", "ffm", "--peers", "none", "--calls", "barrier", "-n", "2,3", "--csv", "-",
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
    Launch launch = Launch.adrastea(shm, "bench", "collectives", "--quick", "--core", "java", "--calls", "barrier");
    launch.variable("PATH", directory.toString());
    launch.run().exits(0).prints("openmpi is left out: mpicc.openmpi", "openmpi-sm is left out: mpicc.openmpi",
        "apt-get install mpich libmpich-dev", "barrier");
  }

  @Test
  void whatCannotBeMeasuredIsRefusedBeforeTheRun() throws Exception {
    collectives("--calls", "gossip").exits(2).says("there is no collective 'gossip'", "barrier, bcast");
    collectives("--peers", "lam").exits(2)
        .says("there is no peer 'lam'; peers are openmpi, openmpi-sm, mpich, or none");
    collectives("-n", "1").exits(2).says("-n must be numbers from 2 to 64, not 1");
    collectives("-n", "2,4", "--roots", "2").exits(2).says("with 2 ranks 0 to 1, not '2'");
    collectives("--sizes", "12").exits(2).says("multiples of 8 from 8 to 16M, not 12");
  }
}
