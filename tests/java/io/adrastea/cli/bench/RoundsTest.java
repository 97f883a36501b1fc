package io.adrastea.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private final List<String> calls = new ArrayList<>();

  @Test
  void interleavesAllVariantsInEveryRoundAndSize() throws Exception {
    List<Variant> variants = List.of(new Fake("floor", 8), new Fake("ffm", 64));
    Rounds rounds = new Rounds(Kind.LATENCY, List.of(8, 64), variants, Progress.none());
    List<Series> series = rounds.run(2, 0.001, 0);
    List<String> round = List.of("floor 8", "ffm 8", "ffm 64");
    List<String> measured = calls.subList(calls.size() - 6, calls.size());
    assertEquals(round, measured.subList(0, 3));
    assertEquals(round, measured.subList(3, 6));
    assertEquals(3, series.size());
    assertEquals(List.of(50.0, 50.0), series.get(0).medians());
  }

  @Test
  void leavesOutSizesThatAVariantDoesNotMeasure() throws Exception {
    List<Variant> variants = List.of(new Fake("floor", 8));
    List<Series> series =
        new Rounds(Kind.LATENCY, List.of(8, 64), variants, Progress.none()).run(1, 0.001, 0);
    assertEquals(1, series.size());
  }

  /** Takes 100 ns for each round trip. */
  private final class Fake implements Variant {
    private final String name;
    private final int maxBytes;

    Fake(String name, int maxBytes) {
      this.name = name;
      this.maxBytes = maxBytes;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean measures(Kind kind, int bytes) {
      return bytes <= maxBytes;
    }

    @Override
    public List<long[]> run(Order order) {
      calls.add(name + " " + order.bytes());
      long[] times = new long[order.batches()];
      Arrays.fill(times, 100L * order.exchanges());
      return List.of(times);
    }

    @Override
    public void close() {}
  }
}
