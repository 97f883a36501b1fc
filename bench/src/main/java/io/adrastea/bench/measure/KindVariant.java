package io.adrastea.bench.measure;

import java.util.List;

/**
 * One kind of run of some processes; several of them share these.
 *
 * @param processes ranks of ours, or of a peer
 * @param kind what the ranks are told to run, whatever is asked for
 * @param title what stands behind the name of the processes
 */
public record KindVariant(Variant processes, Kind kind, String title) implements Variant {
  /** The name in tables, and in the CSV, where it must not have a comma. */
  public static String name(String who, String title) {
    return who + " " + title.replace(",", " with");
  }

  @Override
  public String name() {
    return name(processes.name(), title);
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return true;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return processes.run(
        new Order(kind, order.bytes(), order.batches(), order.exchanges(), order.expected()));
  }

  @Override
  public boolean isCompiledMeanwhile() {
    return processes.isCompiledMeanwhile();
  }

  @Override
  public boolean optional() {
    return processes.optional();
  }

  @Override
  public long compilerNanos() throws BenchException, InterruptedException {
    return processes.compilerNanos();
  }

  @Override
  public void close() {
    processes.close();
  }
}
