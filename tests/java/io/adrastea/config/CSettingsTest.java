package io.adrastea.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The settings that C ranks read against those of Java ranks: the same names, defaults and units. */
class CSettingsTest {
  private static final Path SOURCE = Path.of(System.getProperty("adrastea.root"), "native/job/adr_settings.c");

  /** {@code read_number(&place, "NAME", "default", least, most, "unit", error)}. */
  private static final Pattern NUMBER =
      Pattern.compile("read_number\\(&?[a-z>_-]+,\\s*\"(ADRASTEA_[A-Z_]+)\",\\s*\"([0-9]*)\",[^\"]*\"([a-zA-Z]+)\",\\s*error\\)");

  @Test
  void namesDefaultsAndUnitsAreThoseOfJava() throws IOException {
    Map<String, Tunable> java =
        Tunable.all().stream().collect(Collectors.toMap(Tunable::variable, Function.identity()));
    Map<String, String> found = new TreeMap<>();
    NUMBER
        .matcher(Files.readString(SOURCE))
        .results()
        .forEach(
            match -> {
              Tunable tunable = java.get(match.group(1));
              assertTrue(tunable != null, match.group(1) + " is no setting of Java ranks");
              assertEquals(tunable.defaultValue(), match.group(2), match.group(1));
              assertEquals(tunable.unit(), match.group(3), match.group(1));
              found.put(match.group(1), match.group(2));
            });
    assertEquals(11, found.size(), () -> "numbers read by C ranks: " + found);
  }
}
