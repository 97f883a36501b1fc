package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large messages between two processes. */
class LargeMessageIT {
  private static final String RANK = "io.adrastea.it.LargeRank";

  /** JVMs whose own memory does not grow by compiling: the optimising compiler takes 10 MiB for a while. */
  private static final String[] QUIET = {"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"};

  private static final String[] EXCHANGE = {"exchange", "native", "array", "shared"};

  /** What one rank checks: every kind into every kind, of every size, three times. */
  private static final long CHECKED = 9 * 3 * (9000L + 32_769 + 300_001 + 3_000_007);

  private static final long MOST_GROWTH = 8 << 10; // KiB
  private static final long SPARE = 2 << 20; // KiB, of a machine that holds the buffers

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private Launch run(String cores) {
    return Launch.adrastea(shm, "run", "-n", "2", "--core", cores, "--", "java").add(QUIET).add(RANK);
  }

  private static void checked(Outcome outcome, String first, String second) {
    String said = "[%d] %s checked %d bytes";
    assertEquals(
        List.of(said.formatted(0, first, CHECKED), said.formatted(1, second, CHECKED)),
        outcome.lines().stream().sorted().toList(),
        outcome::toString);
  }

  @ParameterizedTest
  @MethodSource("io.adrastea.it.CoreMatrix#pairs")
  void goFromEveryKindOfBufferIntoEveryKind(String first, String second) throws Exception {
    List<Outcome> ranks = Launch.pair(shm, first, second, Stream.concat(Stream.of(RANK), Stream.of(EXCHANGE))
        .toArray(String[]::new));
    String said = "%s checked %d bytes";
    assertEquals(List.of(said.formatted(first, CHECKED)), ranks.get(0).lines());
    assertEquals(List.of(said.formatted(second, CHECKED)), ranks.get(1).lines());
    ranks.forEach(Outcome::saysNothing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shared", "cma", "ring"})
  void goByTheWayThatIsAskedFor(String way) throws Exception {
    checked(run("ffm").add(EXCHANGE).set("lmt", way).run().exits(0), "ffm", "ffm");
  }

  @ParameterizedTest
  @CsvSource({"cma,java", "xpmem,java"})
  void joiningFailsWhenTheWayThatIsAskedForIsNotThere(String way, String core) throws Exception {
    Outcome outcome = run(core).add(EXCHANGE).set("lmt", way).run();
    assertTrue(outcome.code() != 0, outcome::toString);
    outcome.says("adrastea.lmt is '" + way + "'", "allowed here are auto, shared and ring");
  }

  /** Sends messages of so many gibibytes, or of one where there is no memory for more. */
  @ParameterizedTest
  @CsvSource({"ring,1", "auto,4"})
  void ofManyGibibytesNeedNoMemoryBesideTheirBuffers(String way, int most) throws Exception {
    int gibibytes = availableKibibytes() > needed(most) ? most : 1;
    long needed = needed(gibibytes);
    assumeTrue(availableKibibytes() > needed, "needs %d GiB of free memory".formatted(needed >> 20));
    long bytes = ((long) gibibytes << 30) + 5; // the last page is not a whole one
    Outcome outcome = run("auto").add("huge", Long.toString(bytes)).set("lmt", way)
        .variable("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1") // large pages for large buffers, which are there sooner
        .run().exits(0);
    List<MatchResult> found =
        Pattern.compile("checked " + bytes + " bytes, grew by (-?\\d+) KiB").matcher(outcome.out()).results().toList();
    assertEquals(2, found.size(), outcome::toString);
    for (MatchResult rank : found) {
      assertTrue(Long.parseLong(rank.group(1)) < MOST_GROWTH, outcome::toString);
    }
  }

  /** Kibibytes for two buffers and what else a test takes. */
  private static long needed(int gibibytes) {
    return (2L * gibibytes << 20) + SPARE;
  }

  private static long availableKibibytes() throws Exception {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }
}
