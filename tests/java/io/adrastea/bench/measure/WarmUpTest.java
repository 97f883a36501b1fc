package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final double FOR_EVER = 3600;

  @Test
  void endsOnceTheCompilersAreIdle() throws Exception {
    Compiled variant = new Compiled(100, 20);
    new WarmUp(Kind.LATENCY, FOR_EVER, true).run(variant, 8);
    assertTrue(variant.asked > 20, "ended while compilers were at work");
  }

  @Test
  void runsOnceWhatTakesLong() throws Exception {
    Compiled variant = new Compiled(100_000_000, 0);
    assertEquals(100_000_000, new WarmUp(Kind.LATENCY, 0, true).run(variant, 8));
    assertEquals(1, variant.exchanges);
  }

  @Test
  void goesThroughAllTrialsWhereItIsNotBounded() throws Exception {
    Compiled variant = new Compiled(100_000_000, 0);
    new WarmUp(Kind.LATENCY, 0, false).run(variant, 8);
    assertTrue(variant.exchanges > 8);
    assertEquals(0, variant.asked);
  }

  @Test
  void aSeriesIsColdWhereCompilersWereAtWorkInItsRounds() {
    Series series = new Series("ffm", Plan.of(Kind.LATENCY, 8, 100, 0.001));
    series.addCompilers(100, 1000);
    assertFalse(series.isCold());
    series.addCompilers(1900, 1000);
    assertTrue(series.isCold());
  }

  /** Takes so long for each exchange; its compilers work as long as it has not been asked so often what they did. */
  private static final class Compiled implements Variant {
    private final long nanos;
    private final int busy;
    private int asked;
    private long exchanges;

    Compiled(long nanos, int busy) {
      this.nanos = nanos;
      this.busy = busy;
    }

    @Override
    public String name() {
      return "ffm";
    }

    @Override
    public boolean measures(Kind kind, int bytes) {
      return true;
    }

    @Override
    public long compilerNanos() {
      asked++;
      return 1_000_000_000_000L * Math.min(asked, busy);
    }

    @Override
    public List<long[]> run(Order order) {
      long[] times = new long[order.batches()];
      Arrays.fill(times, nanos * order.exchanges());
      exchanges += (long) order.batches() * order.exchanges();
      return List.of(times);
    }

    @Override
    public void close() {}
  }
}
