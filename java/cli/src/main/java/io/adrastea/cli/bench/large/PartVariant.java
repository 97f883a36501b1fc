package io.adrastea.cli.bench.large;

import io.adrastea.cli.bench.BenchException;
import io.adrastea.cli.bench.CoreVariant;
import io.adrastea.cli.bench.Kind;
import io.adrastea.cli.bench.Variant;
import java.util.List;

/** One part on the ranks of one core; the parts of a core share its ranks. */
record PartVariant(CoreVariant ranks, Part part) implements Variant {
  static String name(String core, Part part) {
    return core + " " + part.title().replace(",", " with");
  }

  @Override
  public String name() {
    return name(ranks.name(), part);
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return true;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return ranks.run(
        new Order(
            part.kind(), order.bytes(), order.batches(), order.exchanges(), order.expected()));
  }

  @Override
  public void close() {
    ranks.close();
  }
}
