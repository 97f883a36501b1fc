package io.adrastea.bench.shmem;

import io.adrastea.bench.measure.OptionDefaults;
import java.util.Map;

/** Less of each than in most benches, since there are many calls. */
final class ShmemDefaults extends OptionDefaults {
  /** Creates the defaults for the command line. */
  ShmemDefaults() {
    super(Map.of("--core", "ffm,java", "--rounds", "5", "--seconds", "0.01", "--warmup", "0.6"));
  }
}
