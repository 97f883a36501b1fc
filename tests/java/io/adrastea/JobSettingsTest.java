package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings that are not valid. */
class JobSettingsTest {
  @ParameterizedTest
  @CsvSource({"adrastea.spins,many,0 to", "adrastea.oversubscribed,very,'on, off and auto'",
    "adrastea.bypass,auto,on and off", "adrastea.check,on,'off, types, collectives and all'"})
  void refusesAMalformedSettingBeforeAnythingIsMade(String property, String value, String allowed,
      @TempDir Path directory)
      throws Exception {
    IllegalArgumentException refusal =
        Settings.with(
            Map.of("adrastea.shm.dir", directory.toString(), property, value),
            () -> assertThrows(IllegalArgumentException.class, Job::join));
    assertTrue(refusal.getMessage().contains(property + " is '" + value + "'"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(allowed), refusal.getMessage());
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.count());
    }
  }
}
