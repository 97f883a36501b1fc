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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bench rma}: which figures there are and where they go. */
@Tag("spins")
class RmaBenchIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final QuickBench bench = new QuickBench(shm, "rma");

  @Test
  void aPeerThatIsMissingIsNamedWithWhatInstallsIt() throws Exception {
    Launch launch = bench.launch("--core", "java", "--accesses", "put,fence",
        "--csv", "-");
    launch.variable("PATH", directory.toString());
    Outcome outcome = launch.run().exits(0).says("openmpi-shared is left out: mpicc.openmpi",
        "mpich-create is left out: mpicc.mpich", "apt-get install mpich libmpich-dev");
    has(outcome, "put/2,floor,8,");
    has(outcome, "put/2,floor,65536,");
    has(outcome, "fence/2,floor,0,");
  }

  /** What windows hold is checked. Whatever is wrong with a peer ends its run, and is told. */
  @Test
  void everyAccessHasFiguresOfOursOfTheFloorAndOfAPeer() throws Exception {
    QuickBench.assumeOpenMpi();
    Outcome outcome = bench.run("--core", "java", "--peers", "openmpi-shared", "--sizes", "8", "--csv", "-").exits(0);
    assertFalse(outcome.err().contains("openmpi-shared is left out"), outcome::toString);
    for (String access : List.of("put", "get", "puts", "gets", "fetchAndOp", "fetchAndOp-all", "compareAndSwap",
        "compareAndSwap-all", "accumulate", "accumulate-all", "accumulate-each", "accumulate-locked", "put-computing",
        "fetchAndOp-computing", "sparsePut", "sparseGet")) {
      has(outcome, access + "/2,openmpi-shared,8,");
      has(outcome, access + "/2,floor,8,");
      has(outcome, access + "/2,java-shared,8,");
    }
    has(outcome, "fence/2,java-shared barrier,0,");
    has(outcome, "put-progress/2,java/handler,8,");
    has(outcome, "fetchAndOp-progress/2,java/handler,8,");
    has(outcome, "fetchAndOp-progress/2,java/handler wake-up,8,");
    for (String access : List.of("fence", "postStartCompleteWait", "lock", "lockAll")) {
      has(outcome, access + "/2,openmpi-shared,0,");
      has(outcome, access + "/2,floor,0,");
      has(outcome, access + "/2,java-shared,0,");
    }
  }

  /** Our windows over memory of the program are reached by CMA, or served by their ranks. */
  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void windowsOverMemoryOfTheProgramHaveFiguresToo(String core) throws Exception {
    Outcome outcome = bench.run("--core", core, "--buffers", "native", "--peers", "none", "--sizes", "8", "--accesses",
        "put,get,fetchAndOp,accumulate,fence,lock", "--csv", "-").exits(0);
    for (String access : List.of("put", "get", "fetchAndOp", "accumulate")) {
      has(outcome, access + "/2," + core + ",8,");
    }
    has(outcome, "put/2,floor-cma,8,");
    has(outcome, "get/2,floor-space,8,");
    has(outcome, "fence/2," + core + ",0,");
    has(outcome, "lock/2," + core + ",0,");
  }

  /** Nothing of a peer's trace of its stack is among the notes. */
  @Test
  void aPeerThatDiesIsToldOfInALine() throws Exception {
    QuickBench.assumeOpenMpi();
    Outcome outcome = bench.run("--core", "java", "--peers", "openmpi-allocate", "--sizes", "8", "--accesses",
        "compareAndSwap,put").exits(0);
    List<String> notes = outcome.out().lines().filter(line -> line.contains("at compareAndSwap, openmpi")).toList();
    notes.forEach(line -> assertTrue(line.contains("openmpi-allocate is left out: "), line));
    assertFalse(outcome.out().contains("End of error message"), outcome::toString);
    assertTrue(outcome.out().contains("put "), outcome::toString);
  }

  @Test
  void locksAreToldBesideThoseOfFewerRanks() throws Exception {
    Outcome outcome = bench.run("--core", "java", "--peers", "none", "-n", "2,4", "--accesses", "lock,lockAll",
        "--csv", "-").exits(0);
    outcome.says("lockAll is to take the same with any number of ranks");
    for (String start : List.of("lock/2,", "lock/4,", "lockAll/2,", "lockAll/4,")) {
      has(outcome, start + "java-shared,0,");
    }
  }

  @Test
  void whatCannotBeMeasuredIsRefusedBeforeTheRun() {
    bench.refused("--accesses", "peek").says("there is no access 'peek' here", "put, get");
    bench.refused("--peers", "lam").says("there is no peer 'lam'; peers are openmpi-shared, openmpi-allocate");
    bench.refused("--buffers", "array").says("--buffers must be shared or native, not array");
    bench.refused("-n", "1").says("-n must be numbers from 2 to 64, not 1");
    bench.refused("--sizes", "12").says("multiples of 8 from 8 to 1M, not 12");
    bench.refused("--sizes", "2M").says("multiples of 8 from 8 to 1M, not 2097152");
  }
}
