package io.adrastea.bench.copy;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A routine, or what stands for one at each size, beside the others; all share the program.
 *
 * @param routine the program's name for it, by size
 */
record RoutineVariant(String name, CopyProgram program, IntFunction<String> routine) implements Variant {
  static RoutineVariant of(String routine, CopyProgram program) {
    return new RoutineVariant(routine, program, bytes -> routine);
  }

  @Override
  public boolean measures(Kind kind, int bytes) {
    return true;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return List.of(program.run(routine.apply(order.bytes()), order));
  }

  @Override
  public void close() {
    program.close();
  }
}
