package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BarrierExchangeTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void theSharedBarrierKeepsEverybodyForTheOneWhoIsLate(int ranks) {
    Job.runThreads(
        ranks,
        job -> {
          BarrierExchange exchange = new BarrierExchange(job.world());
          exchange.prepare(0);
          exchange.batch(5);
          for (int i = 0; i < 3 * ranks; i++) {
            exchange.verify();
          }
        });
  }

  @Test
  void aBarrierThatKeepsNobodyIsFoundOut() {
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class,
            () -> Job.runThreads(
                2,
                job -> {
                  BarrierExchange none =
                      new BarrierExchange(job.world()) {
                        @Override
                        protected void barrier() {}
                      };
                  for (int i = 0; i < 100; i++) {
                    job.world().barrier(); // so that both begin together
                    none.verify();
                  }
                }));
    assertTrue(failure.getMessage().contains("left the barrier"), failure.getMessage());
  }
}
