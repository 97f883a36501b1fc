package io.adrastea.it;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The cores of two ranks of one job, for tests that run each pair. These are the cores of Java ranks, which
 * {@code --core a,b} deals to them in turn.
 */
final class CoreMatrix {
  static final List<String> CORES = List.of("ffm", "jni", "jna", "java");

  private CoreMatrix() {}

  /** Every core with every core, for programs in which both ranks do the same: which of the two is rank 0 is one. */
  static Stream<Arguments> pairs() {
    return IntStream.range(0, CORES.size()).boxed()
        .flatMap(first -> CORES.subList(first, CORES.size()).stream()
            .map(second -> Arguments.of(CORES.get(first), second)));
  }
}
