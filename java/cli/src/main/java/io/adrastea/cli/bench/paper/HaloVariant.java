package io.adrastea.cli.bench.paper;

import io.adrastea.cli.bench.BenchException;
import io.adrastea.cli.bench.CoreVariant;
import io.adrastea.cli.bench.Kind;
import io.adrastea.cli.bench.Variant;
import java.util.List;

/** One algorithm on the ranks of one core; the algorithms of a core share its ranks. */
final class HaloVariant implements Variant {
  private final CoreVariant ranks;
  private final Algorithm algorithm;

  HaloVariant(CoreVariant ranks, Algorithm algorithm) {
    this.ranks = ranks;
    this.algorithm = algorithm;
  }

  static String name(String core, Algorithm algorithm) {
    return core + " " + algorithm.title();
  }

  @Override
  public String name() {
    return name(ranks.name(), algorithm);
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return true;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return ranks.run(
        new Order(
            algorithm.kind(), order.bytes(), order.batches(), order.exchanges(), order.expected()));
  }

  @Override
  public void close() {
    ranks.close();
  }
}
