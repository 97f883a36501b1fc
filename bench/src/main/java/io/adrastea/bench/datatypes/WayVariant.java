package io.adrastea.bench.datatypes;

import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Variant;
import java.util.List;

/**
 * Cases by one way; several of them share processes.
 *
 * @param processes ranks of ours, or of a peer
 */
record WayVariant(Variant processes, Group group, Way way) implements Variant {
  static String name(String who, Way way) {
    return KindVariant.name(who, way.title());
  }

  @Override
  public String name() {
    return name(processes.name(), way);
  }

  @Override
  public boolean measures(Kind kind, int number) {
    return way.isFor(Cases.of(group, number));
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return processes.run(
        new Order(way.kind(group), order.bytes(), order.batches(), order.exchanges(), order.expected()));
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
