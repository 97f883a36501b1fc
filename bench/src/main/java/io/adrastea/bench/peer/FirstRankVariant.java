package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.util.List;

/** Ranks of ours that work together, the first of which has the times of all; they have all that they are asked for. */
public record FirstRankVariant(CoreVariant ranks) implements Variant {
  @Override
  public String name() {
    return ranks.name();
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return true;
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
