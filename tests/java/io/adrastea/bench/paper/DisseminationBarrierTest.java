package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DisseminationBarrierTest {
  @ParameterizedTest
  @CsvSource({"1,0", "2,1", "3,2", "4,2", "5,3", "8,3", "9,4", "1024,10"})
  void itHasAsManyRoundsAsTheLogarithmRoundedUp(int ranks, int rounds) {
    assertEquals(rounds, DisseminationBarrier.rounds(ranks));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8})
  void nobodyLeavesBeforeAllHaveCome(int ranks) {
    long[][] came = new long[2][ranks];
    Job.runThreads(
        ranks,
        job -> {
          DisseminationBarrier barrier = new DisseminationBarrier(job.world());
          for (int round = 1; round <= 500; round++) {
            long[] now = came[round % 2];
            now[job.world().rank()] = round;
            barrier.barrier();
            for (long each : now) {
              assertEquals(round, each);
            }
          }
        });
  }

  @Test
  void theRanksKnowItByItsCommand() {
    assertTrue(new PaperExchanges().commands().contains("barrier-messages"));
    Job.runThreads(
        3,
        job -> {
          Exchange exchange = new PaperExchanges().make("barrier-messages", Side.of(job, Memory.NATIVE));
          exchange.prepare(0);
          exchange.batch(10);
          exchange.verify(); // throws when somebody left early
        });
  }
}
