package io.adrastea.bench.paper;

import io.adrastea.bench.measure.RankOptions;
import java.util.Map;

/** Ranks with both of [MPICH2 2007]'s optimizations, and with one of them switched off by a setting. */
enum Optimization {
  BOTH("", Map.of()), NO_BYPASS(" no bypass", Map.of("adrastea.bypass", "off")),

  /** Every message is eager, however long: it goes through cells. */
  NO_LMT(" no LMT", Map.of("adrastea.eager.bytes", "" + Integer.MAX_VALUE));

  private final String suffix;
  private final Map<String, String> settings;

  Optimization(String suffix, Map<String, String> settings) {
    this.suffix = suffix;
    this.settings = settings;
  }

  /** What stands behind the core in a variant's name. */
  String suffix() {
    return suffix;
  }

  /** Its settings by property. */
  Map<String, String> settings() {
    return settings;
  }

  RankOptions options() {
    return RankOptions.of(suffix, settings);
  }
}
