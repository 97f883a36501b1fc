package io.adrastea.bench.compare;

import io.adrastea.bench.measure.OptionDefaults;
import java.util.Map;

/**
 * Fewer rounds than in the other benches: a dozen variants are to be through in a few minutes. The warm-up is enough
 * for the compilers of the JVMs, and for ranks to learn the ways of large messages.
 */
final class CompareDefaults extends OptionDefaults {
  /** Creates the defaults for the command line. */
  CompareDefaults() {
    super(Map.of("--rounds", "8", "--warmup", "4"));
  }
}
