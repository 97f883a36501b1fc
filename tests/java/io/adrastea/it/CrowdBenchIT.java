package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bench crowd}: which figures there are, where they go, and that what runs beside ends with the bench. */
@Tag("spins")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CrowdBenchIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private Launch crowd(String... words) {
    List<String> all = new ArrayList<>(List.of("bench", "crowd", "--quick", "-n", "2", "--core", "java"));
    all.addAll(List.of(words));
    return Launch.adrastea(shm, all.toArray(String[]::new)).quickThroughout();
  }

  private static void has(Outcome outcome, String start) {
    for (String metric : List.of("p50", "p90", "max", "round-1")) {
      String whole = start + metric + ",";
      assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith(whole)).count(), whole);
    }
  }

  @Test
  void eachSituationHasFiguresOfBoundAndUnboundJobs() throws Exception {
    Path page = directory.resolve("page.html");
    Outcome outcome =
        crowd("--peers", "none", "--beside", "nice19,alone,job", "--calls", "latency,cold", "--sizes", "8",
            "--csv", "-", "--html", page.toString()).run().exits(0);
    outcome.says("2 ranks: latency of 8 bytes", "half of the time a message", "nice19   a process that works",
        "first 40K", "a quick run: it tells whether all of it works");
    assertFalse(outcome.err().contains("is left out"), outcome::toString);
    assertEquals(1, outcome.lines().stream()
        .filter(line -> line.startsWith("# jvm: ") && line.contains("as `adrastea run` starts it")).count(), "the JVM");
    for (String beside : List.of("alone", "nice19", "job")) {
      has(outcome, "latency/2/%s,java,8,".formatted(beside));
      has(outcome, "latency/2/%s,java/cpu,8,".formatted(beside));
    }
    for (String metric : List.of("messages-1-40000", "messages-40001-200000", "messages-200001-end")) {
      String start = "cold/2,java/cpu,8," + metric + ",";
      assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith(start)).count(), start);
    }
    String html = Files.readString(page);
    assertTrue(html.contains("2 ranks: latency of 8 bytes: time, java = 1"), html);
    assertTrue(html.contains("A job from its first message on"), html);
  }

  /** Sums are checked. Whatever is wrong with those of a peer ends its job, and is told. */
  @Test
  void peersMakeTheSameCallsAsTheirUsersStartThem() throws Exception {
    boolean installed = Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mpicc.openmpi")));
    assumeTrue(installed, "Open MPI and its compiler are not installed");
    Outcome outcome = crowd("--peers", "openmpi,openmpi-unbound", "--beside", "alone", "--bind", "default", "--sizes",
        "64K", "--csv", "-").run().exits(0);
    assertFalse(outcome.err().contains("is left out"), outcome::toString);
    for (String variant : List.of("java", "openmpi", "openmpi-unbound")) {
      has(outcome, "latency/2/alone,%s,65536,".formatted(variant));
      has(outcome, "barrier/2/alone,%s,0,".formatted(variant));
      has(outcome, "allreduce/2/alone,%s,8,".formatted(variant));
      String cold = "cold/2,%s,8,messages-1-5000,".formatted(variant);
      assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith(cold)).count(), cold);
    }
  }

  @Test
  void aPeerThatIsMissingIsNamedWithWhatInstallsIt() throws Exception {
    crowd("--bind", "default", "--beside", "alone", "--calls", "barrier").variable("PATH", directory.toString()).run()
        .exits(0).prints("openmpi is left out: mpicc.openmpi", "openmpi-unbound is left out: mpicc.openmpi",
            "apt-get install mpich libmpich-dev", "2 ranks: barrier");
  }

  /** A hog works for half a day, unless something ends it. */
  @ParameterizedTest
  @ValueSource(strings = {"KILL", "TERM", "INT"})
  void whateverEndsTheBenchEndsWhatRunsBesideIt(String signal) throws Exception {
    List<String> words = List.of("bench", "crowd", "-n", "2", "--core", "java", "--peers", "none", "--bind", "default",
        "--beside", "nice0", "--calls", "latency", "--sizes", "8", "--seconds", "3000", "--warmup", "0.1");
    Launch launch = Launch.adrastea(shm, words.toArray(String[]::new)).quickThroughout()
        .under("env", "--default-signal=INT,TERM,HUP"); // a shell without job control has INT ignored in what it starts
    try (Child bench = launch.start()) {
      assertTrue(Deadline.met(() -> !hogs(bench).isEmpty() || !bench.isAlive()) && bench.isAlive(), "no hog runs");
      bench.signal(signal);
      bench.awaitNobody();
    }
  }

  private static List<Long> hogs(Child bench) {
    return bench.living().stream().filter(pid -> Processes.commandLine(pid).contains("adrastea-hog")).toList();
  }

  @Test
  void whatCannotBeMeasuredIsRefusedBeforeTheRun() {
    refused("--beside", "traffic").says("'traffic' is nothing that can run beside a job; allowed are alone, nice19");
    refused("--calls", "gossip").says("there is no call 'gossip'; allowed are latency, barrier, allreduce, cold");
    refused("--peers", "lam").says("there is no peer 'lam'; peers are openmpi, openmpi-unbound, mpich, or none");
    refused("-n", "3").says("-n must be even numbers from 2 to 64, not 3");
    refused("--bind", "core").says("--bind has no word 'core'; allowed are default, cpu, cache, numa, none");
    refused("--sizes", "1G").says("--sizes must be at most 64M, not 1G");
    refused("--window", "0").says("--window must be above 0");
  }

  private static Outcome refused(String... words) {
    List<String> all = new ArrayList<>(List.of("bench", "crowd", "--quick"));
    all.addAll(List.of(words));
    return Outcome.here(all.toArray(String[]::new)).exits(2);
  }
}
