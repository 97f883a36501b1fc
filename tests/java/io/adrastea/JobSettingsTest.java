package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that are none. */
class JobSettingsTest {
  @Test
  void refusesAMalformedSettingBeforeAnythingIsMade(@TempDir Path directory) throws Exception {
    IllegalArgumentException refusal =
        Settings.with(
            Map.of("adrastea.shm.dir", directory.toString(), "adrastea.spins", "many"),
            () -> assertThrows(IllegalArgumentException.class, Job::join));
    assertTrue(refusal.getMessage().contains("adrastea.spins is 'many'"), refusal.getMessage());
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.count());
    }
  }
}
