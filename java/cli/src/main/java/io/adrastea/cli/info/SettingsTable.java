package io.adrastea.cli.info;

import io.adrastea.config.Tunable;
import java.util.ArrayList;
import java.util.List;

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
              setting.description()));
    }
    return new Section("Settings: property adrastea.x.y, or else environment ADRASTEA_X_Y", rows);
  }
}
