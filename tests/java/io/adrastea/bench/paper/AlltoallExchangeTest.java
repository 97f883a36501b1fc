package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlltoallExchangeTest {
  @Test
  void theRanksKnowEveryWayByItsCommand() {
    for (Exchanging way : Exchanging.values()) {
      assertTrue(new PaperExchanges().commands().contains(way.kind().command()), way.title());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"alltoall", "alltoall-messages"})
  void everyPartArrivesWhereItBelongs(String command) {
    for (int ranks : new int[] {1, 2, 3, 5}) {
      Job.runThreads(
          ranks,
          job -> {
            Exchange exchange = new PaperExchanges().make(command, Side.of(job, Memory.NATIVE));
            for (int bytes : new int[] {1, 100_000, 8}) {
              exchange.prepare(bytes);
              exchange.batch(3);
              exchange.verify(); // throws at a wrong byte
            }
          });
    }
  }
}
