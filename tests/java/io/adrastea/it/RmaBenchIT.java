package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

  private Outcome rma(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("bench", "rma", "--quick"));
    all.addAll(List.of(words));
    return Launch.adrastea(shm, all.toArray(String[]::new)).quickThroughout().run();
  }

  private static void has(Outcome outcome, String start) {
    for (String metric : List.of("p50", "round-1", "round-2")) {
      String whole = start + metric + ",";
      assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith(whole)).count(), whole);
    }
  }

  @Test
  void aPeerThatIsMissingIsNamedWithWhatInstallsIt() throws Exception {
    Launch launch = Launch.adrastea(shm, "bench", "rma", "--quick", "--core", "java", "--accesses", "put,fence",
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
    assumeInstalled();
    Outcome outcome = rma("--core", "java", "--peers", "openmpi-shared", "--sizes", "8", "--csv", "-").exits(0);
    assertFalse(outcome.err().contains("openmpi-shared is left out"), outcome::toString);
    for (String access : List.of("put", "get", "puts", "gets", "fetchAndOp", "fetchAndOp-all", "compareAndSwap",
        "compareAndSwap-all", "accumulate", "accumulate-all", "accumulate-each", "put-computing",
        "fetchAndOp-computing", "sparsePut", "sparseGet")) {
      has(outcome, access + "/2,openmpi-shared,8,");
      has(outcome, access + "/2,floor,8,");
      has(outcome, access + "/2,java-shared,8,");
    }
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
    Outcome outcome = rma("--core", core, "--buffers", "native", "--peers", "none", "--sizes", "8", "--accesses",
        "put,get,fetchAndOp,accumulate,fence,lock", "--csv", "-").exits(0);
    for (String access : List.of("put", "get", "fetchAndOp", "accumulate")) {
      has(outcome, access + "/2," + core + ",8,");
    }
    has(outcome, "fence/2," + core + ",0,");
    has(outcome, "lock/2," + core + ",0,");
  }

  private static void assumeInstalled() {
    boolean installed = Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mpicc.openmpi")));
    assumeTrue(installed, "Open MPI and its compiler are not installed");
  }

  @Test
  void whatCannotBeMeasuredIsRefusedBeforeTheRun() {
    refused("--accesses", "peek").says("there is no access 'peek' here", "put, get");
    refused("--peers", "lam").says("there is no peer 'lam'; peers are openmpi-shared, openmpi-allocate");
    refused("--buffers", "array").says("--buffers must be shared or native, not array");
    refused("-n", "1").says("-n must be numbers from 2 to 64, not 1");
    refused("--sizes", "12").says("multiples of 8 from 8 to 1M, not 12");
    refused("--sizes", "2M").says("multiples of 8 from 8 to 1M, not 2097152");
  }

  private static Outcome refused(String... words) {
    List<String> all = new ArrayList<>(List.of("bench", "rma", "--quick"));
    all.addAll(List.of(words));
    return Outcome.here(all.toArray(String[]::new)).exits(2);
  }
}
