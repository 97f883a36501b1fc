package io.adrastea.bench.rma;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.util.List;

/** Ranks of ours, the first of which has the times of all. */
record OurVariant(CoreVariant ranks) implements Variant {
  @Override
  public String name() {
    return ranks.name();
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return Access.of(kind.command()).isPresent();
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return ranks.run(order).subList(0, 1);
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
