package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that are none. */
class JobSettingsTest {
  @Test
  void refusesAMalformedSettingBeforeAnythingIsMade(@TempDir Path directory) throws Exception {
    System.setProperty("adrastea.shm.dir", directory.toString());
    System.setProperty("adrastea.spins", "many");
    try {
      IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, Job::join);
      assertTrue(refusal.getMessage().contains("adrastea.spins is 'many'"), refusal.getMessage());
      try (Stream<Path> files = Files.list(directory)) {
        assertEquals(0, files.count());
      }
    } finally {
      System.clearProperty("adrastea.spins");
      System.clearProperty("adrastea.shm.dir");
    }
  }
}
