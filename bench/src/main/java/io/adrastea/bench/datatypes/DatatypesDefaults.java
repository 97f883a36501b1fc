package io.adrastea.bench.datatypes;

import io.adrastea.bench.measure.OptionDefaults;
import java.util.Map;

/** Less of each than in the other benches: a thousand pairs of case and way are to be through in a few minutes. */
final class DatatypesDefaults extends OptionDefaults {
  /** Creates the defaults for the command line. */
  DatatypesDefaults() {
    super(Map.of("--core", "ffm,java", "--rounds", "5", "--seconds", "0.02", "--warmup", "3"));
  }
}
