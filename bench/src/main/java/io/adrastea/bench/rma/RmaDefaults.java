package io.adrastea.bench.rma;

import io.adrastea.bench.measure.OptionDefaults;
import java.util.Map;

/** Less of each than in the other benches, since there are many accesses and many peers. */
final class RmaDefaults extends OptionDefaults {
  /** Creates the defaults for the command line. */
  RmaDefaults() {
    super(Map.of("--core", "ffm,java", "--rounds", "5", "--seconds", "0.01", "--warmup", "1"));
  }
}
