package io.adrastea.bench.measure;

import java.util.List;

/** Beside the blocking receives of a core's ranks, the same stream received by polls with a handler, on these ranks. */
record PolledVariant(CoreVariant ranks) implements Variant {
  @Override
  public String name() {
    return KindVariant.name(ranks.name(), "poll");
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return kind.base().equals(Kind.RATE.command()) && ranks.measures(kind, bytes);
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    Kind polled = order.kind().isUntouched() ? Kind.POLLED_RATE.untouched() : Kind.POLLED_RATE;
    return ranks.run(new Order(polled, order.bytes(), order.batches(), order.exchanges(), order.expected()));
  }

  @Override
  public long compilerNanos() throws BenchException, InterruptedException {
    return ranks.compilerNanos();
  }

  @Override
  public void close() {
    ranks.close();
  }
}
