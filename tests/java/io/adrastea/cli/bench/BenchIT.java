package io.adrastea.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command out of the packed jar, with its processes. */
@Timeout(120)
class BenchIT {
  private static final List<String> SHORT =
      List.of("--rounds", "2", "--seconds", "0.01", "--warmup", "0.2");

  @TempDir Path directory;

  @Test
  void latencyMeasuresTheFloorAndEveryPairOfCores() throws Exception {
    Finished bench =
        run("latency", "--sizes", "0,8,4K", "--core", "ffm,java,ffm-java,java-ffm", "--csv", "-");
    assertEquals(0, bench.exitCode, bench.err);
    List<String> lines = bench.out.lines().toList();
    assertEquals("bench,variant,bytes,metric,value,unit", lines.get(0));
    assertEquals(Set.of("floor", "line", "ffm", "java", "ffm-java", "java-ffm"), variants(lines));
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.matches("latency,[a-z-]+,(0|8|4096),(p50|p99|mean),\\d+\\.\\d\\d,ns"), line);
    }
    assertTrue(bench.err.contains("x floor"), bench.err);
  }

  @Test
  void bandwidthWritesItsFileAndPrintsItsTable() throws Exception {
    Path csv = directory.resolve("bandwidth.csv");
    Finished bench = run("bandwidth", "--sizes", "8,1M", "-n", "4", "--csv", csv.toString());
    assertEquals(0, bench.exitCode, bench.err);
    assertTrue(bench.out.contains("[MB/s]"), bench.out);
    assertEquals("", bench.err);
    assertTrue(Files.readString(csv).contains("bandwidth,java,1048576,msgps,"));
  }

  @Test
  void aFileThatCannotBeWrittenIsSaidBeforeTheRun() throws Exception {
    Finished bench = run("latency", "--csv", directory.resolve("missing/x.csv").toString());
    assertEquals(2, bench.exitCode);
    assertTrue(bench.err.contains("cannot write"), bench.err);
    assertFalse(bench.out.contains("JVM"), bench.out);
  }

  @Test
  void aRankThatDiesEndsTheBenchAndIsNamed() throws Exception {
    Process bench = start(List.of("latency", "--core", "java", "--sizes", "8", "--seconds", "30"));
    ProcessHandle rank = awaitWorker(bench);
    List<ProcessHandle> children = bench.descendants().toList();
    rank.destroyForcibly();
    Finished finished = await(bench);
    assertEquals(1, finished.exitCode);
    assertTrue(finished.err.contains("variant java: rank "), finished.err);
    assertTrue(finished.err.contains("SIGKILL"), finished.err);
    for (ProcessHandle child : children) {
      child.onExit().get(10, TimeUnit.SECONDS);
    }
  }

  private static ProcessHandle awaitWorker(Process bench) throws InterruptedException {
    while (bench.isAlive()) {
      List<ProcessHandle> workers = bench.children().filter(BenchIT::isWorker).toList();
      if (workers.size() == 2) {
        return workers.get(1);
      }
      Thread.sleep(20);
    }
    throw new AssertionError("the bench ended before its ranks were there");
  }

  private static boolean isWorker(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(Worker.class.getName());
  }

  private static Set<String> variants(List<String> lines) {
    return lines.stream().skip(1).map(line -> line.split(",")[1]).collect(Collectors.toSet());
  }

  private Finished run(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(words));
    command.addAll(SHORT);
    return await(start(command));
  }

  private Process start(List<String> words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-jar", System.getProperty("adrastea.cli.jar"), "bench"));
    command.addAll(words);
    return new ProcessBuilder(command)
        .redirectOutput(directory.resolve("out").toFile())
        .redirectError(directory.resolve("err").toFile())
        .start();
  }

  private Finished await(Process bench) throws IOException, InterruptedException {
    int exitCode = bench.waitFor();
    return new Finished(
        exitCode,
        Files.readString(directory.resolve("out")),
        Files.readString(directory.resolve("err")));
  }

  private record Finished(int exitCode, String out, String err) {}
}
