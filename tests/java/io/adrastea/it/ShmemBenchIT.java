package io.adrastea.it;

import static io.adrastea.it.QuickBench.has;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench shmem} and {@code bench paper openshmem}: which figures there are and where they go. */
@Tag("spins")
class ShmemBenchIT {
  private static final List<String> OF_BYTES = List.of("pingPong", "rate", "putLong", "getLong", "put", "get", "putNbi",
      "getNbi", "putStrided", "getStrided", "fetch", "set", "swap", "compareSwap", "fetchAdd", "fetchAdd-all", "add",
      "fetchInc", "inc", "fetchAnd", "and", "fetchOr", "or", "fetchXor", "xor");
  private static final List<String> OF_ALL = List.of("broadcast", "fcollect", "collect", "alltoall", "reduce");
  private static final List<String> OF_NO_BYTES =
      List.of("fence", "quiet", "lock", "ring", "waitUntilAll", "barrierAll", "syncAll", "gups");
  private static final List<String> WITHOUT_FLOOR = List.of("waitUntil", "test", "lock-all", "allocate");

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final QuickBench bench = new QuickBench(shm, "shmem");

  @Test
  void aPeerThatIsMissingIsNamedWithWhatInstallsIt() throws Exception {
    Launch launch = bench.launch("--core", "java", "--calls", "put,barrierAll", "--sizes", "8,64K", "--csv", "-");
    launch.variable("PATH", directory.toString());
    Outcome outcome = launch.run().exits(0).says("oshmem is left out: oshcc, oshrun not on PATH",
        "apt-get install openmpi-bin libopenmpi-dev");
    has(outcome, "put/2,floor,8,");
    has(outcome, "put/2,java,65536,");
    has(outcome, "put/2,java loop,65536,");
    has(outcome, "barrierAll/2,java barrier,0,");
  }

  /** What the memory holds is checked. Whatever is wrong with the peer ends its run, and is told. */
  @Test
  void everyCallHasFiguresOfOursOfTheFloorAndOfThePeers() throws Exception {
    assumeOpenShmem();
    String calls = String.join(",", Stream.of(OF_BYTES, OF_ALL, OF_NO_BYTES, WITHOUT_FLOOR).flatMap(List::stream)
        .toList());
    Outcome outcome = bench.run("--core", "java", "--sizes", "8", "--calls", calls, "--csv", "-").exits(0);
    assertFalse(outcome.err().contains("left out"), outcome::toString);
    OF_BYTES.forEach(call -> hasAll(outcome, call + "/2,", ",8,"));
    OF_NO_BYTES.forEach(call -> hasAll(outcome, call + "/2,", ",0,"));
    OF_BYTES.forEach(call -> has(outcome, call + "/2,floor,8,"));
    OF_NO_BYTES.forEach(call -> has(outcome, call + "/2,floor,0,"));
    OF_ALL.forEach(call -> hasAll(outcome, call + "/2,", ",8,"));
    WITHOUT_FLOOR.forEach(call -> hasAll(outcome, call + "/2,", ",0,"));
    for (String beside : List.of("putLong/2,java loop,8,", "rate/2,java loop,8,", "fetchAdd-all/2,java loop,8,",
        "gups/2,java loop,0,", "reduce/2,java allreduce,8,", "alltoall/2,java alltoall,8,")) {
      has(outcome, beside);
    }
  }

  private static void hasAll(Outcome outcome, String start, String end) {
    for (String variant : List.of("java", "libshmem", "oshmem")) {
      has(outcome, start + variant + end);
    }
  }

  /** What came with OpenSHMEM 1.5 has figures of ours, in both languages, and of the floor. */
  @Test
  void callsThatThePeerDoesNotHaveAreMeasuredWithoutIt() throws Exception {
    Outcome outcome = bench.run("--core", "ffm", "--sizes", "8", "--calls",
        "putSignal,fetchAddNbi,testAny,ring-signal,rate-cold", "--peers", "libshmem", "--csv", "-").exits(0);
    for (String start : List.of("putSignal/2,floor,8,", "putSignal/2,ffm,8,", "fetchAddNbi/2,ffm,8,",
        "testAny/2,ffm,0,", "ring-signal/2,floor,0,", "ring-signal/2,ffm,0,", "rate-cold/2,ffm loop,8,",
        "putSignal/2,libshmem,8,", "fetchAddNbi/2,libshmem,8,", "testAny/2,libshmem,0,", "ring-signal/2,libshmem,0,",
        "rate-cold/2,libshmem,8,")) {
      has(outcome, start);
    }
  }

  @Test
  void morePesThanCpusHaveFiguresToo() throws Exception {
    Outcome outcome = bench.run("--core", "ffm", "--peers", "libshmem", "-n", "3", "--sizes", "8", "--calls",
        "rate,ring,ring-signal,waitUntilAll,barrierAll,reduce,fetchAdd-all,lock-all,gups", "--csv", "-").exits(0);
    for (String start : List.of("rate/3,ffm,8,", "ring/3,ffm,0,", "ring-signal/3,ffm,0,", "waitUntilAll/3,ffm,0,",
        "barrierAll/3,ffm,0,", "reduce/3,ffm,8,", "fetchAdd-all/3,ffm,8,", "lock-all/3,ffm,0,", "gups/3,ffm,0,")) {
      has(outcome, start);
    }
  }

  @Test
  void whatCannotBeMeasuredIsRefusedBeforeTheRun() {
    bench.refused("--calls", "peek").says("there is no call 'peek' here", "pingPong, rate");
    bench.refused("--peers", "lam").says("there is no peer 'lam'; peers are libshmem, oshmem");
    bench.refused("-n", "1").says("-n must be numbers from 2 to 64, not 1");
    bench.refused("--sizes", "12").says("multiples of 8 from 8 to 1M, not 12");
  }

  @Test
  void thePaperHasAverageLeastAndMostOfTrialsAndRatesOfEachNumberOfPes() throws Exception {
    Path page = directory.resolve("page.html");
    Outcome outcome = Launch.adrastea(shm, "bench", "paper", "openshmem", "--quick", "--sizes", "8,16,64K")
        .add("--core", "ffm", "--peers", "none", "--ranks", "3", "--csv", "-", "--html", page.toString())
        .quickThroughout().run().exits(0);
    outcome.says("Fig. 5): one way, average (least to most) of all trials", "about 200", "80; others 59",
        "flushes what its CPU has of its own");
    for (int bytes : new int[] {8, 16, 65536}) {
      has(outcome, "openshmem,floor ping-pong,%d,".formatted(bytes));
      has(outcome, "openshmem,ffm ping-pong,%d,".formatted(bytes));
    }
    for (int bytes : new int[] {8, 16}) {
      has(outcome, "openshmem,ffm rate of 2 PEs,%d,".formatted(bytes));
      has(outcome, "openshmem,ffm rate of 3 PEs,%d,".formatted(bytes));
    }
    assertTrue(Files.readString(page).contains("ffm rate of 3 PEs"));
    Outcome.here("bench", "paper", "openshmem", "-n", "4").exits(2).says("-n has no meaning here: --ranks 4");
    Outcome.here("bench", "paper", "openshmem", "--sizes", "2M").exits(2).says("multiples of 8 from 8 to 1M");
    Outcome.here("bench", "paper").exits(0).prints("openshmem ");
  }

  private static void assumeOpenShmem() {
    boolean installed = Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "oshcc")));
    assumeTrue(installed, "an OpenSHMEM and its compiler are not installed");
  }
}
