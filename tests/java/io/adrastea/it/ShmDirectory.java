package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A fresh directory for the segments of one test, on shared memory; fails the test that leaves a file in it.
 */
final class ShmDirectory implements BeforeEachCallback, AfterEachCallback {
  private static final Path SHM = Path.of("/dev/shm");

  private Path path;

  @Override
  public void beforeEach(ExtensionContext test) throws IOException {
    path =
        Files.isDirectory(SHM)
            ? Files.createTempDirectory(SHM, "adrastea-it-")
            : Files.createTempDirectory("adrastea-it-");
  }

  @Override
  public void afterEach(ExtensionContext test) throws IOException {
    List<String> left = files();
    removeSegments();
    Files.delete(path);
    assertEquals(List.of(), left, "left in the directory of segments");
  }

  Path path() {
    return path;
  }

  /** Removes what ranks have left that were all killed, as the next job does that starts here. */
  void removeSegments() {
    try {
      for (String name : files()) {
        Files.deleteIfExists(path.resolve(name));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names of the files that are in it now. */
  List<String> files() {
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
