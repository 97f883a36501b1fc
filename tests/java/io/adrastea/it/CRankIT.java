package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * C ranks and Java ranks in one job: the row and the column {@code c} of the matrix whose rest is in
 * {@link EndToEndIT}. Each C program is the twin of the Java program of this package that it stands beside.
 */
class CRankIT {
  private static final String[] SIZES = {
    "0", "1", "2", "7", "8", "9", "47", "48", "49", "63", "64", "65", "1000", "4095", "4096", "4097", "8191", "8192",
    "8193", "16383",
    "16384", "16385", "65535", "65536", "65537", "524288", "524289", "1000003", "1048576", "3145733", "5242880"
  };
  private static final long SHARED_BYTES = 2 * 8 * (1L + 8 + 127 + 4096 + 10_001 + 300_000 + (1 << 20) + 5_000_000);

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  /**
   * One after the other, all in flight at once, and by type, between C and C, and C and every core: both ranks do the
   * same, so which of the two is rank 0 is one. C ranks know no datatypes: what Java ranks send by type comes to them
   * as its bytes, packed, in pieces.
   */
  @ParameterizedTest
  @CsvSource({"c,c", "c,ffm", "jni,c", "c,jna", "java,c"})
  void messagesOfAllSizesArriveWhole(String first, String second) throws Exception {
    List<String> ways = List.of("blocking", "nonblocking", "typed");
    String[] words = Stream.concat(Stream.of(String.join(",", ways)), Stream.of(SIZES)).toArray(String[]::new);
    Outcome outcome = job("exchange", "ExchangeRank", List.of(first, second), words).run().exits(0);
    long bytes = Stream.of(SIZES).mapToLong(Long::parseLong).sum();
    said(outcome, Stream.of(first, second)
        .flatMap(member -> ways.stream().map(way -> "%s on %s checked %d bytes".formatted(way, member, bytes))));
  }

  @ParameterizedTest
  @CsvSource({"c", "'java,c'", "'c,c,c'", "'c,ffm,jni,jna,java'", "'java,c,ffm,c'"})
  void everyMessageArrivesOnceInOrderAndWhole(String members) throws Exception {
    List<String> kinds = List.of(members.split(","));
    long seed = Long.getLong("adrastea.seed", System.nanoTime());
    int messages = 2000 / kinds.size() / kinds.size();
    System.out.printf("CRankIT: %s, -Dadrastea.seed=%d%n", members, seed);
    Outcome outcome = job("stress", "StressRank", kinds, "" + seed, "" + messages).run().exits(0);
    said(outcome, "%s: " + messages * kinds.size() + " messages in order", members.split(","));
  }

  @Test
  void aJobThatChecksTypesTakesItsMessagesAsBytes() throws Exception {
    String members = "java,c,ffm,c";
    List<String> kinds = List.of(members.split(","));
    Outcome outcome = job("stress", "StressRank", kinds, "7", "100").set("check", "types").run().exits(0);
    said(outcome, "%s: " + 100 * kinds.size() + " messages in order", members.split(","));
  }

  @ParameterizedTest
  @CsvSource({"'c,ffm'", "'java,c'"})
  void fastboxesAreMadeForBusyPairs(String members) throws Exception {
    List<String> kinds = List.of(members.split(","));
    Outcome outcome =
        job("stress", "StressRank", kinds, "5", "500").set("box.preallocate.ranks", 0).set("box.threshold", 3).run()
            .exits(0);
    said(outcome, "%s: 1000 messages in order", members.split(","));
  }

  @ParameterizedTest
  @CsvSource({"c,c", "c,ffm", "java,c"})
  void whatOneProcessWritesTheOtherReads(String first, String second) throws Exception {
    Outcome outcome = job("shared", "SharedRank", List.of(first, second), "exchange").run().exits(0);
    said(outcome, "%s checked " + SHARED_BYTES + " bytes", first, second);
  }

  @ParameterizedTest
  @CsvSource({"'java,c,c'", "'c,ffm,jni,jna,java'"})
  void nobodyLeavesABarrierBeforeAllHaveCome(String members) throws Exception {
    String file = directory.resolve("arrays").toString();
    Outcome outcome = job("barrier", "BarrierRank", List.of(members.split(",")), file, "300").run().exits(0);
    said(outcome, "%s: 300 rounds", members.split(","));
  }

  @ParameterizedTest
  @CsvSource({"'c,c'", "'ffm,c,java'", "'c,ffm,jni,jna,java'", "'java,c,ffm,c'"})
  void collectivesHaveTheirResultsAndTheOthersGoOnWhenTheLastRankHasLeft(String members) throws Exception {
    List<String> kinds = List.of(members.split(","));
    Outcome outcome = job("collective", "CollectiveRank", kinds, "mixed", "400", "survivors").run().exits(0);
    said(outcome, kinds.stream().flatMap(kind -> Stream.of(kind + ": 400 rounds", kind + ": survived")));
  }

  @ParameterizedTest
  @CsvSource({"'java,c'", "'ffm,c,java'"})
  void anOperatorOfAJavaProgramIsRefusedOnAllRanks(String members) throws Exception {
    List<String> kinds = List.of(members.split(","));
    Outcome outcome = job("collective", "CollectiveRank", kinds, "operator").run().exits(0);
    long refused = outcome.lines().stream().filter(line -> line.contains("] refused: ")).count();
    assertEquals(kinds.size(), refused, outcome::toString);
    String ofC = "by a Java program's own operator, which no C rank can run";
    assertEquals(kinds.stream().filter("c"::equals).count(),
        outcome.lines().stream().filter(line -> line.contains(ofC)).count(), outcome::toString);
  }

  @Test
  void synchronousSendsToItAreRefusedByName() throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "--label", "never", "--", CProgram.of("linger"), "1")
            .add(":", "--", "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "io.adrastea.it.SynchronousRank")
            .run()
            .exits(0);
    String refusal = "0: rank 0 is a C rank of job.h, which has no synchronous sends; allowed with it are messages";
    assertEquals(3, outcome.lines().stream().filter(line -> line.startsWith(refusal)).count(), outcome::toString);
    assertEquals(1, outcome.lines().stream().filter("a message came"::equals).count(), outcome::toString);
  }

  /** A job of one part for each member: {@code c} is the C program, anything else the Java one on that core. */
  private Launch job(String cProgram, String javaProgram, List<String> members, String... words) {
    Launch launch = Launch.adrastea(shm, "run", "--label", "always");
    for (int rank = 0; rank < members.size(); rank++) {
      if (rank > 0) {
        launch.add(":");
      }
      if (members.get(rank).equals("c")) {
        launch.add("--", CProgram.of(cProgram)).add(words);
      } else {
        launch.add("--core", members.get(rank), "--", "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        launch.add("io.adrastea.it." + javaProgram).add(words);
      }
    }
    return launch;
  }

  /** Fails the test unless each member has said this of itself, and nothing else. */
  private static void said(Outcome outcome, String format, String... members) {
    said(outcome, Arrays.stream(members).map(format::formatted));
  }

  private static void said(Outcome outcome, Stream<String> lines) {
    List<String> wanted = lines.sorted().toList();
    List<String> found = outcome.lines().stream().map(line -> line.replaceFirst("^\\[\\d+\\] ", "")).sorted().toList();
    assertEquals(wanted, found, outcome::toString);
  }
}
