package io.adrastea.bench.measure;

import java.util.List;
import java.util.function.BiPredicate;

/**
 * One command of a program in C; several variants share its processes.
 *
 * @param name what tables call it
 * @param verb what the program calls it
 * @param able whether it has a figure for that kind and size
 */
public record ProgramVariant(String name, String verb, BiPredicate<Kind, Integer> able, Team team) implements Variant {
  /** What the verb of adrastea-floor has at its end when messages are touched. */
  private static final String TOUCHED = "-touched";

  @Override
  public boolean measures(Kind kind, int bytes) {
    return able.test(kind, bytes);
  }

  @Override
  public boolean isCompiledMeanwhile() {
    return false;
  }

  @Override
  public List<long[]> run(Order order) throws BenchException, InterruptedException {
    return List.of(team.times(order.kind().touches() ? verb + TOUCHED : verb, order));
  }

  @Override
  public void close() {
    team.close();
  }
}
