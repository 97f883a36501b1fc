package io.adrastea.bench.crowd;

import io.adrastea.bench.measure.OptionDefaults;
import java.util.Map;

/** Longer and fewer runs than in the other benches: the scheduler is to do in each what it does in the long run. */
final class CrowdDefaults extends OptionDefaults {
  /** Creates the defaults for the command line. */
  CrowdDefaults() {
    super(Map.of("-np", "2,4", "--core", "ffm,java", "--rounds", "3", "--seconds", "0.5", "--warmup", "8"));
  }
}
