package io.adrastea.bench.measure;

import java.util.List;

/**
 * One kind of run on the ranks of one core; several of them share its ranks.
 *
 * @param kind what the ranks are told to run, whatever is asked for
 * @param title what stands behind the core's name
 */
public record KindVariant(CoreVariant ranks, Kind kind, String title) implements Variant {
  /** The name in tables, and in the CSV, where it must not have a comma. */
  public static String name(String core, String title) {
    return core + " " + title.replace(",", " with");
  }

  @Override
  public String name() {
    return name(ranks.name(), title);
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return true;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return ranks.run(
        new Order(kind, order.bytes(), order.batches(), order.exchanges(), order.expected()));
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
