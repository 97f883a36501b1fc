package io.adrastea.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** A directory for the files of one peer, gone with it, or with this JVM short of SIGKILL. */
final class Scratch implements AutoCloseable {
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> OPEN.forEach(Scratch::delete), "bench scratch"));
  }

  private final Path directory;

  /**
   * @param parent where to make it, or {@code null} for the system's temporary directory
   */
  Scratch(Path parent) throws IOException {
    String prefix = "bench-adrastea-";
    directory =
        parent == null
            ? Files.createTempDirectory(prefix)
            : Files.createTempDirectory(parent, prefix);
    OPEN.add(directory);
  }

  Path directory() {
    return directory;
  }

  /** A file of that name. */
  Path file(String name) {
    return directory.resolve(name);
  }

  /** Copies a file out of the jar, from beside this class. */
  Path copy(String resource) throws IOException {
    try (InputStream contents = Scratch.class.getResourceAsStream(resource)) {
      Files.copy(contents, file(resource));
    }
    return file(resource);
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // What somebody else removed or holds is no reason to fail.
    }
  }

  @Override
  public void close() {
    delete(directory);
    OPEN.remove(directory);
  }
}
