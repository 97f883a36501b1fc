package io.adrastea.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.cli.CommandLineRun;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bench compare} out of its jar, on a PATH of our own: no installed MPI takes part. */
@Tag("spins")
class CompareIT {
  private static final List<String> SHORT =
      List.of("--rounds", "2", "--seconds", "0.001", "--warmup", "0", "--sizes", "8,4K");

  @TempDir
  Path directory;

  @Test
  void aBenchmarkThatDoesNotExistGetsThoseThatDo() throws Exception {
    CommandLineRun run = CommandLineRun.of(bench("jmh", "carrier-pigeon"));
    assertEquals(2, run.exitCode(), run::toString);
    assertTrue(run.err().contains("jmh: no benchmark matches 'carrier-pigeon'; there are CallBenchmark.emptyPoll, "),
        run::toString);
  }

  private CommandLineRun compare(String... words) throws Exception {
    return CommandLineRun.of(process(words));
  }

  private ProcessBuilder process(String... words) {
    ProcessBuilder builder = bench("compare");
    builder.command().addAll(SHORT);
    builder.command().addAll(List.of(words));
    builder.environment().put("PATH", directory.toString());
    builder.environment().put("ADRASTEA_SHM_DIR", directory.toString());
    Path jar = Path.of(System.getProperty("adrastea.bench.jar")); // with which the class path of the peers begins, too
    builder.environment().put("JDK_JAVA_OPTIONS", String.join(" ", CommandLineRun.quickStart(jar)));
    return builder;
  }

  private static ProcessBuilder bench(String... words) {
    return CommandLineRun.process(Stream.concat(Stream.of("bench"), Stream.of(words)).toArray(String[]::new));
  }

  @Test
  void runsPairsAtOnceAndNamesPeersThatCannot() throws Exception {
    Path csv = directory.resolve("figures.csv");
    CommandLineRun run = compare("-n", "4", "--core", "java", "--peers", "aeron,unix", "--csv", csv.toString());
    assertEquals(0, run.exitCode(), run::toString);
    assertTrue(run.out().contains("aeron is left out: it runs as one pair only"), run::toString);
    List<String> lines = Files.readAllLines(csv);
    for (String row : List.of("latency,java,8,", "latency,unix,8,", "barrier,java,0,")) {
      assertTrue(lines.stream().anyMatch(line -> line.startsWith(row)), row + run);
    }
  }

  private void program(String name, String lines) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + lines + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void measuresThePeersInJavaAndNamesWhatIsMissing() throws Exception {
    Path csv = directory.resolve("figures.csv");
    Path html = directory.resolve("page.html");
    CommandLineRun run =
        compare("--core", "java", "--peers", "mpich,ucx,aeron,agrona,unix,tcp",
            "--rate-sizes", "8,32", "--csv", csv.toString(), "--html", html.toString());
    assertEquals(0, run.exitCode(), run::toString);
    assertTrue(run.out().contains("apt-get install mpich libmpich-dev"), run::toString);
    assertTrue(run.out().contains("apt-get install gcc libc6-dev libucx-dev"), run::toString);
    List<String> lines = Files.readAllLines(csv);
    assertTrue(lines.contains("bench,variant,bytes,metric,value,unit"), lines::toString);
    for (String variant : List.of("java", "aeron", "agrona", "unix", "tcp")) {
      for (String kind : List.of("latency", "bandwidth")) {
        for (int bytes : new int[] {8, 4096}) {
          String row = "%s,%s,%d,".formatted(kind, variant, bytes);
          assertEquals(true, lines.stream().anyMatch(line -> line.startsWith(row)), row + run);
        }
      }
      assertTrue(Files.readString(html).contains(">" + variant + "<"), variant);
    }
    for (String variant : List.of("floor", "java", "aeron", "agrona", "unix", "tcp")) {
      for (int bytes : new int[] {8, 32}) {
        String row = "rate,%s,%d,msgps,".formatted(variant, bytes);
        assertTrue(lines.stream().anyMatch(line -> line.startsWith(row)), row + run);
      }
    }
    for (String variant : List.of("floor", "java")) {
      String row = "barrier," + variant + ",0,p50,";
      assertTrue(lines.stream().anyMatch(line -> line.startsWith(row)), row + run);
    }
    assertLeavesNothing();
  }

  @Test
  void theRateIsThatOfEightBytesUnlessSaidOtherwise() throws Exception {
    CommandLineRun run = compare("--core", "java", "--peers", "tcp", "--csv", "-");
    assertEquals(0, run.exitCode(), run::toString);
    List<String> rates = run.out().lines().filter(line -> line.startsWith("rate,")).toList();
    for (String variant : List.of("floor", "java", "tcp")) {
      String row = "rate," + variant + ",8,msgps,";
      assertTrue(rates.stream().anyMatch(line -> line.startsWith(row)), row + run);
    }
    assertTrue(rates.stream().allMatch(line -> line.split(",")[2].equals("8")), rates::toString);
    assertLeavesNothing();
  }

  @Test
  void ofTheFirstCoreAllMemoryIsInTheBandwidthUnlessSaidOtherwise() throws Exception {
    CommandLineRun run = compare("--core", "java,ffm", "--peers", "tcp", "--csv", "-");
    assertEquals(0, run.exitCode(), run::toString);
    assertEquals(
        List.of("floor", "java", "java-array", "java-shared", "ffm", "tcp"), variants(run, "bandwidth"));
    assertEquals(List.of("floor", "line", "java", "ffm", "tcp"), variants(run, "latency"));
    assertEquals(List.of("floor", "java", "java poll", "ffm", "ffm poll", "tcp"), variants(run, "rate"));
  }

  @Test
  void messagesInTheMemoryAskedForByTheWaysAskedFor() throws Exception {
    CommandLineRun run =
        compare(
            "--core", "java", "--peers", "unix", "--buffers", "array,shared", "--lmt", "auto,ring", "--csv", "-");
    assertEquals(0, run.exitCode(), run::toString);
    assertTrue(run.err().contains("touched  before a send"), run::toString);
    assertTrue(run.err().contains("ways     adrastea.lmt auto, ring"), run::toString);
    List<String> ours = List.of("java-array", "java-array/ring", "java-shared", "java-shared/ring");
    List<String> both = Stream.of(List.of("floor", "line"), ours, List.of("unix")).flatMap(List::stream).toList();
    assertEquals(both, variants(run, "latency"));
    assertEquals(both.stream().filter(name -> !name.equals("line")).toList(), variants(run, "bandwidth"));
    assertEquals(List.of("floor", "unix"), variants(run, "rate"));
  }

  @Test
  void untouchedMessagesHaveBenchesOfTheirOwn() throws Exception {
    CommandLineRun run = compare("--core", "java", "--peers", "unix", "--untouched", "--csv", "-");
    assertEquals(0, run.exitCode(), run::toString);
    assertTrue(run.err().contains("content  untouched"), run::toString);
    assertEquals(List.of("floor", "line", "java", "unix"), variants(run, "latency-untouched"));
    assertEquals(List.of("floor", "java", "java poll", "unix"), variants(run, "rate-untouched"));
    assertEquals(List.of(), variants(run, "latency"));
  }

  private static List<String> variants(CommandLineRun run, String bench) {
    return run.out().lines()
        .filter(line -> line.startsWith(bench + ","))
        .map(line -> line.split(",")[1])
        .distinct()
        .toList();
  }

  @Test
  void leavesOutPeersThatCannotBeCompiledAndGoesOn() throws Exception {
    program("cc", "echo cannot find -lucp; exit 1");
    program("mpicc.mpich", "echo no compiler today; exit 1");
    program("mpirun.mpich", "exit 1");
    CommandLineRun run = compare("--core", "java", "--peers", "ucx,mpich,tcp");
    assertEquals(0, run.exitCode(), run::toString);
    boolean headers = Files.exists(Path.of("/usr/include/ucp/api/ucp.h"));
    assertTrue(run.out().contains("ucx is left out: " + (headers ? "'cc' failed" : "ucp/api/ucp.h not found")),
        run::toString);
    assertEquals(headers, run.out().contains("cannot find -lucp"), run::toString);
    assertTrue(run.out().contains("mpich is left out: 'mpicc.mpich' failed"), run::toString);
    assertTrue(run.out().contains("no compiler today"), run::toString);
    assertTrue(run.out().lines().anyMatch(line -> line.startsWith("tcp ")), run::toString);
    assertLeavesNothing();
  }

  /** One that makes an empty program. */
  private void compiler() throws IOException {
    program(
        "mpicc.mpich",
        "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && program=$2; shift; done\n"
            + ": >\"$program\"; /bin/chmod +x \"$program\"");
  }

  /** An mpirun has files that nobody else would remove; one that is busy does not see the end of its input. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "read -r order; read -r order",
        "trap '/bin/rm \"$0.left\"; exit 1' TERM; while :; do /bin/sleep 0.1; done",
      })
  void givesALauncherTheTimeToCleanUpWhenASignalEndsIt(String rest) throws Exception {
    compiler();
    Path left = directory.resolve("mpirun.mpich.left");
    program("mpirun.mpich", "read -r trial; echo ns 1000; : >\"$0.left\"; " + rest + "; /bin/rm \"$0.left\"");
    Process compare = process("--core", "java", "--peers", "mpich").redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD).start();
    try {
      CommandLineRun.await("a launcher that has files", () -> Files.exists(left) || !compare.isAlive());
      assertTrue(Files.exists(left));
      compare.destroy();
      assertTrue(compare.waitFor(240, TimeUnit.SECONDS));
      assertFalse(Files.exists(left));
    } finally {
      compare.destroyForcibly().waitFor();
    }
    assertLeavesNothing();
  }

  @Test
  void leavesOutAPeerThatDiesAndGoesOn() throws Exception {
    compiler();
    program(
        "mpirun.mpich",
        "read -r trial; echo ns 1000; read -r order; echo out of luck >&2; exit 7");
    CommandLineRun run = compare("--core", "java", "--peers", "mpich,unix");
    assertEquals(0, run.exitCode(), run::toString);
    assertTrue(run.out().contains("mpich is left out"), run::toString);
    assertTrue(run.out().contains("out of luck"), run::toString);
    assertTrue(run.out().lines().noneMatch(line -> line.matches("mpich +\\d.*")), run::toString);
    assertTrue(run.out().lines().anyMatch(line -> line.startsWith("unix ")), run::toString);
    assertLeavesNothing();
  }

  @Test
  void saysWhatIsWrongWithTheWordsBeforeItMeasures() {
    refuses("there is no peer 'carrier-pigeon'", "--peers", "mpich,carrier-pigeon");
    refuses("there is no such directory", "--html", directory.resolve("no/page.html").toString());
    refuses("'few'", "--rate-sizes", "few");
    refuses("allowed are native, array, shared", "--buffers", "magnetic");
    refuses("-n must be an even number", "-n", "3");
  }

  @Test
  void drawsThePageAgainFromWhatARunStored() throws Exception {
    Path csv = directory.resolve("figures.csv");
    Path measured = directory.resolve("measured.html");
    CommandLineRun run =
        compare("--core", "java", "--peers", "unix", "--csv", csv.toString(), "--html", measured.toString());
    assertEquals(0, run.exitCode(), run::toString);
    Path drawn = directory.resolve("drawn.html");
    CommandLineRun again = compare("--from", csv.toString(), "--html", drawn.toString());
    assertEquals(0, again.exitCode(), again::toString);
    String page = Files.readString(drawn);
    assertEquals(pictures(Files.readString(measured)), pictures(page));
    assertTrue(page.contains(">java = 1</text>") && page.contains("data-curve=\"unix\""), page);
    assertTrue(Files.readString(measured).contains("machine  "), page);
    assertFalse(page.contains("machine  "), page);
    assertTrue(page.contains("drawn from figures.csv"), page);
  }

  private static String pictures(String page) {
    return page.substring(page.indexOf("<fieldset"), page.lastIndexOf("<p class"));
  }

  @Test
  void saysWhyItCannotDraw() throws Exception {
    Path csv = Files.writeString(directory.resolve("bad.csv"), "nothing of ours\n");
    Path page = directory.resolve("page.html");
    refuses("--html must say where it goes", "--from", csv.toString());
    refuses("there are no figures for --csv", "--from", csv.toString(), "--html", page.toString(), "--csv", "-");
    refuses("there is no such directory", "--from", csv.toString(), "--html", directory.resolve("no/p").toString());
    refuses("that is no comment must be 'bench,variant,", "--from", csv.toString(), "--html", page.toString());
    refuses("there is no such file", "--from", directory.resolve("none.csv").toString(), "--html", page.toString());
    assertFalse(Files.exists(page));
  }

  private static void refuses(String reason, String... words) {
    List<String> all = new ArrayList<>(List.of("bench", "compare"));
    all.addAll(SHORT);
    all.addAll(List.of(words));
    CommandLineRun run = CommandLineRun.here(all.toArray(String[]::new));
    assertEquals(2, run.exitCode(), run::toString);
    assertTrue(run.err().contains(reason), run::toString);
  }

  private void assertLeavesNothing() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertFalse(files.anyMatch(file -> file.getFileName().toString().startsWith("bench-")));
    }
  }
}
