package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    List<Series> series = rounds.run(new Effort(2, 0.001, 0));
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
        new Rounds(Kind.LATENCY, List.of(8, 64), variants, Progress.none()).run(new Effort(1, 0.001, 0));
    assertEquals(1, series.size());
  }

  @Test
  void anOptionalVariantThatFailsIsNamedAndTheRestGoesOn() throws Exception {
    Broken broken = new Broken();
    Rounds rounds =
        new Rounds(
            Kind.LATENCY, List.of(8), List.of(new Fake("floor", 8), broken), Progress.none());
    List<Series> series = rounds.run(new Effort(2, 0.001, 0));
    assertEquals(List.of("floor"), series.stream().map(Series::variant).toList());
    assertEquals(List.of("peer is left out: it hangs"), rounds.leftOut());
    assertTrue(broken.closed);
  }

  @Test
  void aVariantThatFailsEndsTheRunUnlessItIsOptional() {
    Broken broken = new Broken();
    broken.optional = false;
    Rounds rounds = new Rounds(Kind.LATENCY, List.of(8), List.of(broken), Progress.none());
    assertThrows(BenchException.class, () -> rounds.run(new Effort(2, 0.001, 0)));
  }

  /** Fails in its second round. */
  private static final class Broken implements Variant {
    private boolean optional = true;
    private boolean closed;
    private int left = 7; // 2 passes of warm-up and a round

    @Override
    public String name() {
      return "peer";
    }

    @Override
    public boolean measures(Kind kind, int bytes) {
      return true;
    }

    @Override
    public boolean optional() {
      return optional;
    }

    @Override
    public List<long[]> run(Order order) throws BenchException {
      if (left-- == 0) {
        throw new BenchException("it hangs");
      }
      long[] times = new long[order.batches()];
      Arrays.fill(times, 100L * order.exchanges());
      return List.of(times);
    }

    @Override
    public void close() {
      closed = true;
    }
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
