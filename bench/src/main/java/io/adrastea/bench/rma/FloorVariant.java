package io.adrastea.bench.rma;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Team;
import io.adrastea.bench.measure.Variant;
import java.util.List;

/**
 * What two processes in C need at least for an access: a copy, an atomic instruction, a barrier of two lines, a loop.
 *
 * @param program {@code adrastea-rma}
 */
record FloorVariant(Team program) implements Variant {
  static final String NAME = "floor";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return Access.of(kind.command()).isPresent();
  }

  @Override
  public boolean isCompiledMeanwhile() {
    return false;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return List.of(program.times(Access.of(order.kind().command()).orElseThrow().word(), order));
  }

  @Override
  public void close() {
    program.close();
  }
}
