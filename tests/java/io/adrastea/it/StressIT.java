package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many messages of random sizes between processes; {@code -Dadrastea.seed=N} repeats a run. */
class StressIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  @ParameterizedTest
  @CsvSource({
    "1,ffm",
    "1,java",
    "2,ffm",
    "2,java",
    "2,'ffm,java'",
    "4,'ffm,java'",
    "4,'java,java,ffm'",
    "4,'ffm,jni,jna,java'"
  })
  void everyMessageArrivesOnceInOrderAndWhole(int ranks, String cores) throws Exception {
    System.out.printf("StressIT: %d ranks on %s, -Dadrastea.seed=%d%n", ranks, cores, seed);
    int messages = 4000 / ranks / ranks;
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "" + ranks, "--core", cores, "--")
            .add("java", "-XX:+UseSerialGC", "io.adrastea.it.StressRank", "" + seed, "" + messages)
            .run();
    assertEquals(0, outcome.code(), () -> "seed " + seed + ": " + outcome);
    String said = ": %d messages in order".formatted(messages * ranks);
    long good = outcome.lines().stream().filter(line -> line.endsWith(said)).count();
    assertEquals(ranks, good, () -> "seed " + seed + ": " + outcome);
  }
}
