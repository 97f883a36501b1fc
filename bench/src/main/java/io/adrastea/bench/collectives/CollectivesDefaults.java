package io.adrastea.bench.collectives;

import io.adrastea.bench.measure.OptionDefaults;
import java.util.Map;

/** Less of each than in the other benches: before each call all ranks meet, which takes longer than a short call. */
final class CollectivesDefaults extends OptionDefaults {
  /** Creates the defaults for the command line. */
  CollectivesDefaults() {
    super(Map.of("--core", "ffm,java", "--rounds", "5", "--seconds", "0.005", "--warmup", "1"));
  }
}
