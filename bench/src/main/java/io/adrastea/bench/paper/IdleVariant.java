package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two ranks on a core that exchange messages, in jobs whose other ranks are idle: a job for each number of ranks.
 */
final class IdleVariant implements Variant {
  /** The numbers of ranks for which there are processes. */
  static final List<Integer> COUNTS = List.of(2, 8, 32);

  private final CorePair cores;
  private final Map<Integer, CoreVariant> jobs = new LinkedHashMap<>();

  IdleVariant(CorePair cores) {
    this.cores = cores;
  }

  void start(List<Integer> ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (int count : ranks) {
      if (COUNTS.contains(count)) {
        jobs.put(count, CoreVariant.startSpinning(cores, count, cpus));
      }
    }
  }

  @Override
  public String name() {
    return cores.name();
  }

  @Override
  public boolean measures(Kind kind, int ranks) {
    return jobs.containsKey(ranks);
  }

  /** The pair of rank 0 alone: the others have no times. */
  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return jobs.get(order.bytes()).run(order).subList(0, 1);
  }

  @Override
  public void close() {
    jobs.values().forEach(CoreVariant::close);
  }
}
