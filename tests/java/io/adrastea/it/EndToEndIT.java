package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two processes exchange messages, for every pair of cores. */
class EndToEndIT {
  private static final int CELL = 8192;
  private static final List<String> WAYS = List.of("blocking", "nonblocking");
  private static final long GIB = 1L << 30;

  private static final long[] SIZES = {
    0,
    1,
    2,
    7,
    8,
    9,
    63,
    64,
    65,
    1000,
    4096,
    CELL - 1,
    CELL,
    CELL + 1,
    2 * CELL - 1,
    2 * CELL,
    2 * CELL + 1,
    65_535,
    65_536,
    65_537,
    64 * CELL,
    64 * CELL + 1,
    1_000_003,
    1 << 20,
    3 * (1 << 20) + 5,
    5 * (1 << 20)
  };

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  /** One after the other, and all in flight at once. */
  @ParameterizedTest
  @MethodSource("io.adrastea.it.CoreMatrix#pairs")
  void messagesOfAllSizesArriveWhole(String first, String second) throws Exception {
    Stream<String> words = Stream.concat(Stream.of("io.adrastea.it.ExchangeRank", String.join(",", WAYS)),
        LongStream.of(SIZES).mapToObj(Long::toString));
    List<Outcome> ranks = Launch.pair(shm, first, second, words.toArray(String[]::new));
    long bytes = LongStream.of(SIZES).sum();
    assertEquals(WAYS.stream().map(way -> checked(way, first, bytes)).toList(), ranks.get(0).lines());
    assertEquals(WAYS.stream().map(way -> checked(way, second, bytes)).toList(), ranks.get(1).lines());
  }

  @Test
  void oneGibibyteArrivesWholeBetweenRanksOfALauncher() throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "2", "--core", "ffm,java", "--")
            .add("java", "-XX:+UseSerialGC", "io.adrastea.it.ExchangeRank", "blocking", Long.toString(GIB))
            .run()
            .exits(0);
    List<String> wanted =
        Stream.of("[0] " + checked("blocking", "ffm", GIB), "[1] " + checked("blocking", "java", GIB)).toList();
    assertEquals(wanted, outcome.lines().stream().sorted().toList(), outcome::toString);
  }

  private static String checked(String mode, String core, long bytes) {
    return "%s on %s checked %d bytes".formatted(mode, core, bytes);
  }
}
