package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Side;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HaloExchangeTest {
  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "4,2", "6,2", "7,1", "12,3", "16,4"})
  void theGridIsAsSquareAsTheNumberOfRanksAllows(int ranks, int rows) {
    assertEquals(rows, HaloExchange.gridRows(ranks));
  }

  @Test
  void neighboursAreFoundAroundTheEdges() {
    // 0 1 2
    // 3 4 5
    assertEquals(3, HaloExchange.neighbour(0, 6, -1, 0));
    assertEquals(3, HaloExchange.neighbour(0, 6, 1, 0));
    assertEquals(2, HaloExchange.neighbour(0, 6, 0, -1));
    assertEquals(1, HaloExchange.neighbour(0, 6, 0, 1));
    assertEquals(3, HaloExchange.neighbour(5, 6, 0, 1));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void everyEdgeArrivesWhereItBelongs(Algorithm algorithm) {
    for (int ranks : new int[] {1, 2, 4, 6}) {
      Job.runThreads(
          ranks,
          job -> {
            HaloExchange exchange = HaloExchange.of(algorithm, job.world());
            for (int bytes : new int[] {4, 40_000, 8}) {
              exchange.prepare(bytes);
              exchange.batch(3);
              exchange.verify(); // throws at a wrong byte
            }
          });
    }
  }

  @Test
  void theRanksKnowEveryAlgorithmByItsCommand() {
    Set<String> commands = Set.of("halo-sendrecv", "halo-nonblocking", "halo-persistent");
    assertTrue(new PaperExchanges().commands().containsAll(commands));
    Job.runThreads(
        1,
        job -> {
          for (String command : commands) {
            Exchange exchange = new PaperExchanges().make(command, Side.of(job, Memory.NATIVE));
            exchange.prepare(8);
            exchange.verify();
          }
        });
  }
}
