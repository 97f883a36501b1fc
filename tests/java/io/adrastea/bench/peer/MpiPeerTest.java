package io.adrastea.bench.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.AllowedCpus;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import io.adrastea.cli.CommandLineRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A peer that is compiled and started, with a compiler and a launcher of our own making. */
class MpiPeerTest {
  private static final Cpus CPUS = new Cpus(List.of(4, 7), new AllowedCpus(List.of(4, 7)));

  @TempDir
  Path directory;
  private FakeTools tools;

  @BeforeEach
  void installACompiler() throws Exception {
    tools = new FakeTools(directory).with("mpicc.mpich", FakeTools.COMPILER);
  }

  private Variant start() throws Exception {
    return MpiPeer.mpich(tools.path()).start(2, CPUS);
  }

  private static Variant.Order order(int batches) {
    return new Variant.Order(Kind.LATENCY, 8, batches, 1, Duration.ofSeconds(1));
  }

  @Test
  void shouldStartTheCompiledProgramOnBothCpusAndReadItsTimes() throws Exception {
    tools.with("mpirun.mpich", "echo \"$@\" >" + directory + "/words\n" + FakeTools.SERVER);
    try (Variant variant = start()) {
      assertArrayEquals(new long[] {1000, 1000, 1000}, variant.run(order(3)).get(0));
      assertEquals("mpich", variant.name());
      assertTrue(variant.optional());
    }
    String words = Files.readString(directory.resolve("words")).strip();
    assertTrue(words.endsWith("/adr_mpi_peer 4 7"), words);
    assertTrue(words.contains("-n 2 "), words);
  }

  @Test
  void shouldDealTheCpusOfPairsToTheirSides() throws Exception {
    tools.with("mpirun.mpich", "echo \"$@\" >" + directory + "/words\n" + FakeTools.SERVER);
    MpiPeer peer = MpiPeer.mpich(tools.path());
    assertTrue(peer.hasPairs());
    peer.start(6, CPUS).close();
    String words = Files.readString(directory.resolve("words")).strip();
    assertTrue(words.contains("-n 6 "), words);
    assertTrue(words.endsWith("/adr_mpi_peer 4 4 4 7 7 7"), words);
  }

  @Test
  void shouldMeasureLatencyBandwidthRateAndBarrierAlone() throws Exception {
    tools.with("mpirun.mpich", FakeTools.SERVER);
    try (Variant variant = start()) {
      assertTrue(variant.measures(Kind.LATENCY, 0));
      assertTrue(variant.measures(Kind.BANDWIDTH, 1 << 20));
      assertTrue(variant.measures(Kind.RATE, 8));
      assertTrue(variant.measures(Kind.LATENCY.untouched(), 8));
      assertTrue(variant.measures(Kind.BANDWIDTH.untouched(), 4 << 20));
      assertTrue(variant.measures(Kind.BARRIER, 0));
      assertFalse(variant.measures(Kind.BIBANDWIDTH, 8));
      assertFalse(variant.measures(Kind.LATENCY, 1 << 30));
    }
  }

  @Test
  void shouldShowWhatTheCompilerSaid() throws Exception {
    tools.with("mpicc.mpich", "echo no such header today; exit 1").with("mpirun.mpich", "exit 0");
    BenchException failure = assertThrows(BenchException.class, this::start);
    assertTrue(failure.getMessage().contains("mpicc.mpich"), failure.getMessage());
    assertTrue(failure.getMessage().contains("no such header today"), failure.getMessage());
  }

  @Test
  void shouldShowTheLastWordsOfALauncherThatEnds() throws Exception {
    tools.with("mpirun.mpich", "echo no slots left >&2; exit 3");
    BenchException failure = assertThrows(BenchException.class, this::start);
    assertTrue(failure.getMessage().contains("no slots left"), failure.getMessage());
  }

  @Test
  void shouldRefuseAPeerThatAnswersWithAnError() throws Exception {
    tools.with("mpirun.mpich", "while read -r line; do echo error no such thing; done");
    BenchException failure = assertThrows(BenchException.class, this::start);
    assertTrue(failure.getMessage().contains("error no such thing"), failure.getMessage());
  }

  @Test
  void shouldEndWhatTheLauncherLeavesBehind() throws Exception {
    Path pid = directory.resolve("pid");
    tools.with("mpirun.mpich", "sleep 600 >/dev/null 2>&1 &\necho $! >" + pid + "\n" + FakeTools.SERVER);
    start().close();
    long left = Long.parseLong(Files.readString(pid).strip());
    CommandLineRun.await(
        "the rank is gone",
        () -> ProcessHandle.of(left).map(process -> !process.isAlive()).orElse(true));
  }

  @Test
  void shouldLeaveNoFilesBehind() throws Exception {
    tools.with("mpirun.mpich", "echo \"$@\" >" + directory + "/words\n" + FakeTools.SERVER);
    start().close();
    String[] words = Files.readString(directory.resolve("words")).strip().split(" ");
    assertFalse(Files.exists(Path.of(words[words.length - 3]).getParent()));
  }
}
