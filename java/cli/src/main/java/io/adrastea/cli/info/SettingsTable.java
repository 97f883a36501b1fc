package io.adrastea.cli.info;

import io.adrastea.config.Tunable;
import io.adrastea.core.Cores;
import io.adrastea.error.AdrasteaException;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.SegmentFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All settings with the value in force and where it comes from. */
final class SettingsTable {
  private SettingsTable() {}

  static Section section() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAME", "VALUE", "FROM", "UNIT", "WHAT"));
    for (Tunable setting : Tunable.all()) {
      rows.add(
          List.of(
              setting.property(),
              setting.isSet() ? setting.value() : "-",
              setting.origin(),
              setting.unit(),
              what(setting)));
    }
    return new Section("Settings: property adrastea.x.y, or else environment ADRASTEA_X_Y", rows);
  }

  /** What it does, or that ranks refuse its value. */
  private static String what(Tunable setting) {
    return refusal(setting).map("WRONG, ranks refuse it: "::concat).orElse(setting.description());
  }

  private static Optional<String> refusal(Tunable setting) {
    try {
      switch (setting) {
        case SHM_DIR -> SegmentFile.requireDirectory();
        case LIBRARY -> Cores.requireLibrary();
        case CORE -> requireCores(setting);
        case BOX_MESSAGE_BYTES ->
          requireAgreed(BoxSettings::inForce, Tunable.BOX_LINES, setting, Tunable.BOX_THRESHOLD,
              Tunable.BOX_PREALLOCATE_RANKS);
        case RING_CHUNK ->
          requireAgreed(TransferSettings::inForce, Tunable.LMT, Tunable.EAGER_BYTES, Tunable.SPLIT_BYTES,
              Tunable.RING_BYTES, setting);
        default -> {} // its own rule says it all
      }
    } catch (AdrasteaException | IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
    return setting.refusal();
  }

  /** Several: {@code run} deals them to its ranks, and a job of threads to its own. */
  private static void requireCores(Tunable setting) {
    if (!setting.origin().equals("default")) {
      Stream.of(setting.word().split(",")).map(String::trim).forEach(Cores::choose);
    }
  }

  /** Whether settings that are allowed one by one go together. */
  private static void requireAgreed(Runnable all, Tunable... parts) {
    if (Stream.of(parts).allMatch(part -> part.refusal().isEmpty())) {
      all.run();
    }
  }
}
