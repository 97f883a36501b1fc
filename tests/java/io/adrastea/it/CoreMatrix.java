package io.adrastea.it;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The cores of two ranks of one job, for tests that run each pair. These are the cores of Java ranks, which
 * {@code --core a,b} deals to them in turn.
 */
final class CoreMatrix {
  static final List<String> CORES = List.of("ffm", "jni", "jna", "java");

  private CoreMatrix() {}

  /** Every core with every core, on either side. */
  static Stream<Arguments> pairs() {
    return CORES.stream().flatMap(first -> CORES.stream().map(second -> Arguments.of(first, second)));
  }
}
