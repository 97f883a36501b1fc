package io.adrastea.collective;

import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.adrastea.Communicator;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collectives of all kinds have the results that they are to have whichever way a setting forces them to, and by
 * messages where ranks do not all share memory.
 */
@Tag("spins")
@ParameterizedClass(name = "{0}")
@ValueSource(
    strings = {"ffm", "jni", "jna", "java", "ffm,java", "java,ffm", "jna,jni", "ffm+pipes", "java+mixed", "ffm+nodes"})
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class CollectiveWaysTest {
  private static final int ROUNDS = 120;
  private static final int MOST_LONGS = 60_000;

  @Parameter
  String cores;

  @ParameterizedTest
  @CsvSource({"stages,2", "stages,3", "direct,2", "direct,3", "direct,6"})
  void haveTheSameResults(String way, int ranks) throws Exception {
    Settings.with(
        Map.of("adrastea.collective.way", way),
        () -> {
          Ranks.run(cores, ranks, job -> takePart(job.world(), ranks));
          return null;
        });
  }

  private static void takePart(Communicator world, int ranks) {
    SplittableRandom same = new SplittableRandom(ranks); // at all ranks
    SplittableRandom own = new SplittableRandom(100 + world.rank());
    for (int round = 0; round < ROUNDS; round++) {
      SomeCollective one = new SomeCollective(world, CollectiveKind.ALL, MOST_LONGS / ranks, same, own);
      if (same.nextBoolean()) {
        one.run();
      } else {
        one.start(new Request()).await();
      }
      one.check();
    }
  }
}
