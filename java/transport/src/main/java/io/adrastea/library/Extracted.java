package io.adrastea.library;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Files of the jar that the system must see as files: the native library, and programs in C.
 *
 * <p>
 * A file is written to a new private directory (0700), read back and compared, used, and deleted at once: what is
 * loaded or running stays in memory, so nothing is left behind even by {@code kill -9}. Copies that a process left by
 * dying in that instant are removed by a later one.
 */
public final class Extracted {
  private static final String PREFIX = "adrastea-native-";
  private static final List<String> PLATFORMS = List.of("linux-x86_64", "linux-aarch64"); // that a build can be for
  private static final Duration STALE = Duration.ofMinutes(10);

  private Extracted() {}

  /** What is done with the file while it is there; what it throws means that it cannot be used in this directory. */
  @FunctionalInterface
  public interface Use<T> {
    T with(Path file) throws Exception;
  }

  /** Name of a native file in the jar, under the platform's path. */
  public static String resource(String name) {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(' ', '-');
    String arch = System.getProperty("os.arch");
    return resource(os + "-" + (arch.equals("amd64") ? "x86_64" : arch), name);
  }

  private static String resource(String platform, String name) {
    return "/native/" + platform + "/" + name;
  }

  /**
   * Extracts a file of this platform and uses it.
   *
   * @throws IOException when the jar has none, or it can be used in no directory (not writable, mounted noexec): the
   * message names each
   */
  public static <T> T with(String name, Use<T> use) throws IOException {
    return with(name, read(name), use);
  }

  /**
   * Writes a file of these contents and uses it.
   *
   * @throws IOException when it can be used in no directory: the message names each
   */
  public static <T> T with(String name, byte[] contents, Use<T> use) throws IOException {
    List<String> failures = new ArrayList<>();
    for (Path base : directories()) {
      try {
        return in(base, name, contents, use);
      } catch (Exception | LinkageError e) {
        failures.add(base + ": " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
      }
    }
    throw new IOException("%s can be used in no directory: %s".formatted(name, String.join("; ", failures)));
  }

  private static byte[] read(String name) throws IOException {
    try (InputStream in = Extracted.class.getResourceAsStream(resource(name))) {
      if (in == null) {
        throw new IOException("the jar has no %s, but %s".formatted(resource(name), platformsWith(name)));
      }
      return in.readAllBytes();
    }
  }

  private static String platformsWith(String name) {
    List<String> platforms =
        PLATFORMS.stream().filter(platform -> Extracted.class.getResource(resource(platform, name)) != null).toList();
    return platforms.isEmpty()
        ? "none for any platform: it was built without C code"
        : "those of " + String.join(" and ", platforms);
  }

  private static List<Path> directories() {
    return List.of(
        Path.of(System.getProperty("java.io.tmpdir")),
        Path.of(System.getProperty("user.home")),
        Path.of("").toAbsolutePath());
  }

  private static <T> T in(Path base, String name, byte[] contents, Use<T> use) throws Exception {
    removeStale(base);
    Path directory = Files.createTempDirectory(base, PREFIX); // 0700
    Path file = directory.resolve(name);
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.write(file, contents);
      if (!Arrays.equals(contents, Files.readAllBytes(file))) {
        throw new IOException("what was written is not what is read back");
      }
      return use.with(file);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(directory);
    }
  }

  private static void removeStale(Path base) {
    try (DirectoryStream<Path> copies = Files.newDirectoryStream(base, PREFIX + "*")) {
      for (Path copy : copies) {
        if (isStale(copy)) {
          delete(copy);
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      // a directory that cannot be listed is reported when it is to be written
    }
  }

  private static boolean isStale(Path copy) throws IOException {
    Instant age = Files.getLastModifiedTime(copy, LinkOption.NOFOLLOW_LINKS).toInstant();
    return Files.isDirectory(copy, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(copy).equals(Files.getOwner(Path.of("/proc/self")))
        && age.isBefore(Instant.now().minus(STALE));
  }

  private static void delete(Path copy) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(copy)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(copy);
  }
}
