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

  @ParameterizedTest
  @MethodSource("io.adrastea.it.CoreMatrix#pairs")
  void messagesOfAllSizesArriveWhole(String first, String second) throws Exception {
    exchange("blocking", first, second, SIZES);
  }

  @ParameterizedTest
  @MethodSource("io.adrastea.it.CoreMatrix#neighbours")
  void messagesOfAllSizesInFlightAtOnceArriveWhole(String first, String second) throws Exception {
    exchange("nonblocking", first, second, SIZES);
  }

  @Test
  void oneGibibyteArrivesWhole() throws Exception {
    exchange("blocking", "ffm", "java", GIB);
  }

  private void exchange(String mode, String first, String second, long... sizes) throws Exception {
    String cores = first + "," + second;
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "2", "--core", cores, "--")
            .add("java", "-XX:+UseSerialGC", "io.adrastea.it.ExchangeRank", mode)
            .add(LongStream.of(sizes).mapToObj(Long::toString).toArray(String[]::new))
            .run()
            .exits(0);
    long bytes = LongStream.of(sizes).sum();
    String said = mode + " on %s checked " + bytes + " bytes";
    List<String> wanted =
        Stream.of("[0] " + said.formatted(first), "[1] " + said.formatted(second)).toList();
    assertEquals(wanted, outcome.lines().stream().sorted().toList(), outcome::toString);
  }
}
