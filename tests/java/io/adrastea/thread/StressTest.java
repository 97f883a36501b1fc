package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.EveryCoreListOfWorld;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages of random sizes in random ways among 1, 2 and 4 ranks. {@code -Dadrastea.seed} repeats a run.
 */
@EveryCoreListOfWorld
class StressTest {
  @Parameter
  String cores;

  @ParameterizedTest
  @CsvSource({"1,IN_PIECES", "2,IN_PIECES", "4,IN_PIECES", "2,BY_RENDEZVOUS", "4,BY_RENDEZVOUS"})
  void keepsOrderAndContents(int ranks, LongMessages way) throws Exception {
    long seed = Long.getLong("adrastea.seed", ThreadLocalRandom.current().nextLong());
    System.out.printf("stress: %d ranks on %s, %s, -Dadrastea.seed=%d%n", ranks, cores, way, seed);
    try {
      way.run(cores, ranks, job -> new StressRank(Ranks.world(job), way, seed).run());
    } catch (RuntimeException | Error e) {
      throw new AssertionError("with -Dadrastea.seed=" + seed, e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void keepsOrderAndContentsWithFewSmallCells(int ranks) throws Exception {
    Ranks.assumeShared(cores);
    long seed = Long.getLong("adrastea.seed", ThreadLocalRandom.current().nextLong());
    System.out.printf("stress: %d ranks on %s, few cells, seed %d%n", ranks, cores, seed);
    Map<String, String> settings =
        Map.of("adrastea.core", Ranks.cores(cores), "adrastea.cells", "3", "adrastea.cell.bytes", "256");
    int[] done = new int[ranks];
    Settings.with(
        settings,
        () -> {
          Job.runThreads(
              ranks,
              job -> {
                StressRank rank = new StressRank(Ranks.world(job), LongMessages.BY_RENDEZVOUS, seed);
                rank.run();
                done[Ranks.world(job).rank()] = rank.received();
              });
          return null;
        });
    for (int received : done) {
      assertEquals(StressRank.ROUNDS * StressRank.PER_PEER * ranks, received);
    }
  }
}
