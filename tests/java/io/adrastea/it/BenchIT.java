package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code bench}: which figures there are and where they go; how large they are is nobody's concern here.
 */
@Tag("spins")
class BenchIT {
  private static final String HEADER = "bench,variant,bytes,metric,value,unit";
  private static final String[] QUICK = {"--rounds", "1", "--seconds", "0.001", "--warmup", "0"};
  private static final List<String> TIMES = List.of("p50", "p99", "p999", "max", "mean");
  private static final String ALL_PAIRS = "ffm,java,ffm-java,java-ffm";
  private static final String SOME_PAIRS = "ffm,java-ffm";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void latencyGivesFloorLineAndEachPairOfCores() throws Exception {
    Outcome outcome =
        bench("latency", "--sizes", "0,8", "--core", ALL_PAIRS, "--csv", "-").exits(0);
    List<String> wanted = new ArrayList<>();
    for (String variant : ("floor,line," + ALL_PAIRS).split(",")) {
      for (int bytes : new int[] {0, 8}) {
        for (String metric : TIMES) {
          wanted.add("latency,%s,%d,%s,ns".formatted(variant, bytes, metric));
        }
      }
    }
    assertFigures(wanted, outcome.lines());
    outcome.says("variant", "ffm-java", "floor"); // the table is on the other stream
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"bandwidth | 8,65536", "bibandwidth | 8,65536", "rate | 8,48", "copy | 64,65536"})
  void ratesHaveTheFloorAndEachPairOfCores(String bench, String sizes) throws Exception {
    Outcome outcome =
        bench(bench, "--sizes", sizes, "--core", SOME_PAIRS, "--csv", "-").exits(0);
    List<String> wanted = new ArrayList<>();
    List<String> variants = new ArrayList<>(List.of(("floor," + SOME_PAIRS).split(",")));
    if (bench.equals("rate")) {
      Stream.of(SOME_PAIRS.split(",")).forEach(pair -> variants.add(pair + " poll"));
    }
    for (String variant : variants) {
      for (String bytes : sizes.split(",")) {
        wanted.add("%s,%s,%s,MBps,MB/s".formatted(bench, variant, bytes));
        wanted.add("%s,%s,%s,msgps,messages/s".formatted(bench, variant, bytes));
        TIMES.forEach(
            time -> wanted.add("%s,%s,%s,%s,ns".formatted(bench, variant, bytes, time)));
      }
    }
    assertFigures(wanted, outcome.lines());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "latency | 0,65536 | ffm,java | native,array,shared | ffm,ffm-array,ffm-shared,java-array,java-shared",
        "bandwidth | 8,100 | java | array,shared | java-array,java-shared",
        "bibandwidth | 8,65536 | ffm | array,shared | ffm-array,ffm-shared"
      })
  void messagesInEachKindOfMemoryAreVariantsOfTheirOwn(String bench, String sizes, String cores, String buffers,
      String variants) throws Exception {
    Outcome outcome = bench(bench, "--sizes", sizes, "--core", cores, "--buffers", buffers, "--csv", "-").exits(0);
    outcome.says("buffers  array", "buffers  shared", "touched  before a send", "turns    messages take turns");
    List<String> csv = outcome.lines();
    for (String variant : variants.split(",")) {
      for (String bytes : sizes.split(",")) {
        String start = "%s,%s,%s,p50,".formatted(bench, variant, bytes);
        assertEquals(1, csv.stream().filter(line -> line.startsWith(start)).count(), start);
      }
    }
  }

  @Test
  void untouchedMessagesAreABenchOfTheirOwn() throws Exception {
    String[] asked = {"--sizes", "8", "--core", "java", "--buffers", "array", "--csv", "-"};
    bench("latency", asked).exits(0).says("touched  before a send a word of each line is written");
    Outcome outcome = bench("latency", Stream.concat(Stream.of(asked), Stream.of("--untouched")).toArray(String[]::new))
        .exits(0);
    outcome.says("content  untouched: it never changes");
    List<String> wanted = new ArrayList<>();
    for (String variant : List.of("floor", "line", "java-array")) {
      TIMES.forEach(time -> wanted.add("latency-untouched,%s,8,%s,ns".formatted(variant, time)));
    }
    assertFigures(wanted, outcome.lines());
  }

  @Test
  void eachWayOfLargeMessagesIsAVariant() throws Exception {
    Outcome outcome =
        bench("latency", "--sizes", "64K", "--core", "ffm,java", "--lmt", "auto,ring,shared", "--csv", "-").exits(0);
    outcome.says("adrastea.lmt auto, ring, shared");
    List<String> wanted = new ArrayList<>();
    for (String variant : "floor,ffm,ffm/ring,ffm/shared,java,java/ring,java/shared".split(",")) {
      TIMES.forEach(time -> wanted.add("latency,%s,65536,%s,ns".formatted(variant, time)));
    }
    assertFigures(wanted, outcome.lines());
  }

  @Test
  void aVariantThatLacksAForcedWayIsLeftOutByName() throws Exception {
    Outcome outcome =
        bench("latency", "--sizes", "64K", "--core", "java,java-ffm", "--lmt", "ring,cma", "--csv", "-").exits(0);
    for (String variant : List.of("java/cma", "java-ffm/cma")) {
      List<String> lines =
          outcome.err().lines().filter(line -> line.startsWith(variant + " is left out: adrastea.lmt is 'cma'"))
              .toList();
      assertEquals(1, lines.size(), outcome::toString);
      assertTrue(lines.get(0).endsWith("allowed here are auto, shared and ring"), lines::toString);
    }
    assertFalse(outcome.err().contains("\tat "), outcome::toString);
    List<String> wanted = new ArrayList<>();
    for (String variant : List.of("floor", "java/ring", "java-ffm/ring")) {
      TIMES.forEach(time -> wanted.add("latency,%s,65536,%s,ns".formatted(variant, time)));
    }
    assertFigures(wanted, outcome.lines());
  }

  @Test
  void withoutAnyVariantThatHasTheForcedWayTheRunIsRefused() throws Exception {
    Outcome outcome = bench("latency", "--core", "java", "--lmt", "cma").exits(1);
    outcome.prints("java/cma is left out: adrastea.lmt is 'cma'").says("no variant is left to be measured");
    assertFalse(outcome.err().contains("\tat "), outcome::toString);
  }

  @ParameterizedTest
  @CsvSource({"2", "3", "4"})
  void aBarrierHasTheFloorAndEachPairOfCores(String ranks) throws Exception {
    Outcome outcome = bench("barrier", "-n", ranks, "--core", SOME_PAIRS, "--csv", "-").exits(0);
    List<String> wanted = new ArrayList<>();
    for (String variant : ("floor," + SOME_PAIRS).split(",")) {
      TIMES.forEach(time -> wanted.add("barrier,%s,0,%s,ns".formatted(variant, time)));
    }
    assertFigures(wanted, outcome.lines());
  }

  @Test
  void aCopyInJavaIsTheSameWithAnyCoreSoOneStandsForAll() throws Exception {
    Outcome outcome = bench("copy", "--sizes", "64", "--csv", "-").exits(0);
    assertEquals(
        List.of("floor", "java"),
        outcome.lines().stream().dropWhile(line -> !line.equals(HEADER)).skip(1).map(line -> line.split(",")[1])
            .distinct().toList());
  }

  @Test
  void withoutCsvTheTableIsOnStandardOutput() throws Exception {
    Outcome outcome = bench("latency", "--sizes", "8").exits(0).prints("floor", "ffm", "java");
    assertFalse(outcome.out().contains(HEADER), outcome::toString);
    outcome.lines().forEach(line -> assertTrue(line.length() <= 100, line));
  }

  @Test
  void aCsvFileHoldsTheFigures() throws Exception {
    Path file = directory.resolve("figures.csv");
    bench("latency", "--sizes", "8", "--core", "java", "--csv", file.toString())
        .exits(0)
        .prints("java");
    List<String> wanted = new ArrayList<>();
    for (String variant : List.of("floor", "line", "java")) {
      for (String metric : TIMES) {
        wanted.add("latency,%s,8,%s,ns".formatted(variant, metric));
      }
    }
    assertFigures(wanted, Files.readAllLines(file));
  }

  @Test
  void fourRanksMakeTwoPairs() throws Exception {
    bench("rate", "-n", "4", "--core", "ffm-java")
        .exits(0)
        .prints("4 in 2 pairs at once", "of all pairs", "ffm-java");
  }

  @Test
  void onOneCpuItRunsAndSaysThatTheFiguresMeanNothing() throws Exception {
    Programs.require("taskset", "util-linux");
    try (Child child =
        Launch.adrastea(shm, "bench", "latency", "--sizes", "8", "--core", "java")
            .add(QUICK)
            .under("taskset", "-c", firstCpu())
            .start()) {
      child.input("").await().exits(0).prints("both sides share one CPU", "java");
    }
  }

  private static String firstCpu() throws Exception {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("Cpus_allowed_list"))
        .map(line -> line.replaceAll("\\D+(\\d+).*", "$1"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whereNoCoreCanPinTheHeadingDoesNotSayThatRanksArePinned() throws Exception {
    try (Child child =
        Launch.java("-Djava.io.tmpdir=/proc", "-Duser.home=/proc") // no directory for the library in the jar
            .add("-jar", Launch.benchJar().toString(), "bench", "latency", "--sizes", "8", "--core", "java")
            .add(QUICK)
            .set("shm.dir", shm.path())
            .in(Path.of("/proc"))
            .start()) {
      child.input("").await().exits(0).prints("ranks are NOT");
    }
  }

  @Test
  void aPageHasTheFiguresAndTheMachine() throws Exception {
    Path page = directory.resolve("page.html");
    bench("bandwidth", "--sizes", "8,4K", "--core", "java", "--html", page.toString()).exits(0);
    String html = Files.readString(page);
    for (String part : List.of("data-curve=\"floor\"", "data-curve=\"java\"", "machine", ">4K<")) {
      assertTrue(html.contains(part), part);
    }
  }

  @Test
  void aSignalEndsTheBenchAndAllItsRanks() throws Exception {
    try (Child bench = endless()) {
      bench.signal("TERM");
      bench.await().exits(143);
      assertEquals(List.of(), bench.living());
    }
  }

  @Test
  void killingTheBenchEndsAllItsRanks() throws Exception {
    try (Child bench = endless()) {
      bench.signal("KILL");
      bench.awaitNobody();
    }
  }

  @Test
  void aRankThatIsKilledEndsTheBenchAndIsNamed() throws Exception {
    try (Child bench = endless()) {
      Processes.signal("KILL", joined(bench).get(0));
      bench.await().exits(1).says("variant java", "was killed by signal 9 (SIGKILL)");
      assertEquals(List.of(), bench.living());
    }
  }

  /** One that measures for an hour; its ranks run. */
  private Child endless() throws Exception {
    Child bench =
        Launch.adrastea(
            shm, "bench", "latency", "--sizes", "8", "--core", "java", "--warmup", "3600")
            .start();
    if (!Deadline.met(() -> joined(bench).size() == 2 || !bench.isAlive()) || !bench.isAlive()) {
      bench.close();
      throw new AssertionError("the bench has ended or has no ranks: " + bench.await());
    }
    return bench;
  }

  /** Its ranks, once all have joined: they have the segment mapped, and its name is gone. */
  private List<Long> joined(Child bench) {
    String segment = ".* " + shm.path() + "/adrastea-\\S+ \\(deleted\\)";
    return bench.living().stream()
        .filter(pid -> Processes.commandLine(pid).contains("io.adrastea.bench.measure.Worker"))
        .filter(pid -> Processes.maps(pid).lines().anyMatch(line -> line.matches(segment)))
        .toList();
  }

  private Outcome bench(String what, String... options) throws Exception {
    try (Child child = Launch.adrastea(shm, "bench", what).quickThroughout().add(QUICK).add(options).start()) {
      Outcome outcome = child.input("").await();
      assertEquals(List.of(), child.living());
      return outcome;
    }
  }

  /** Each wanted line once, with a positive value before its unit; no other line. */
  private static void assertFigures(List<String> wanted, List<String> csv) {
    List<String> origin = csv.stream().takeWhile(line -> line.startsWith("# ")).toList();
    for (String fact : List.of("date", "commit", "machine", "kernel", "jvm", "command", "setting")) {
      assertTrue(origin.stream().anyMatch(line -> line.startsWith("# " + fact + ": ")), fact + " in " + origin);
    }
    assertEquals(HEADER, csv.get(origin.size()));
    List<String> found = new ArrayList<>();
    for (String line : csv.subList(origin.size() + 1, csv.size())) {
      String[] columns = line.split(",");
      if (columns[3].equals("compiling")) {
        continue; // what compilers did is no figure of the bench
      }
      assertEquals(6, columns.length, line);
      assertTrue(Double.parseDouble(columns[4]) > 0, line);
      found.add(
          "%s,%s,%s,%s,%s".formatted(columns[0], columns[1], columns[2], columns[3], columns[5]));
    }
    assertEquals(wanted.stream().sorted().toList(), found.stream().sorted().toList());
  }
}
