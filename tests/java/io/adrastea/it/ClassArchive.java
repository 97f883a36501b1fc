package io.adrastea.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The loaded classes of a jar in a file that HotSpot maps (class data sharing): a rank that says hello spends a third
 * of its time on loading and checking them, and these tests start some two thousand JVMs. Made once for each jar that
 * is built, by a JVM that runs {@link ArchivedClasses}. A JVM whose class path begins with another jar does without.
 */
public final class ClassArchive {
  private static final int PATIENCE_MINUTES = 2;
  private static final Map<Path, List<String>> MADE = new ConcurrentHashMap<>();

  private ClassArchive() {}

  /** Flags of a JVM whose class path begins with this jar: none, should the file not come about. */
  public static List<String> flags(Path jar) {
    return MADE.computeIfAbsent(jar, ClassArchive::make);
  }

  private static List<String> make(Path jar) {
    try {
      Path file =
          jar.resolveSibling(
              "classes-%s-%d.jsa".formatted(Runtime.version(), Files.getLastModifiedTime(jar).toMillis()));
      // Tests run in several JVMs at once: one makes it, the others wait for it.
      try (FileChannel lock =
          FileChannel.open(jar.resolveSibling("classes.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        lock.lock(); // until it is closed
        if (!Files.exists(file)) {
          record(jar, file);
        }
      }
      return Files.exists(file) ? List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off") : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void record(Path jar, Path file) throws IOException {
    Path shm = Files.createTempDirectory("adrastea-archive");
    Path made = file.resolveSibling(file.getFileName() + ".new");
    String program = Launch.root().resolve("tests/java/io/adrastea/it/ArchivedClasses.java").toString();
    Process child =
        new ProcessBuilder(
            Launch.javaProgram().toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "-XX:ArchiveClassesAtExit=" + made, "--enable-native-access=ALL-UNNAMED", "-Dadrastea.shm.dir=" + shm,
            "-cp", jar.toString(), program)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (child.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) && child.exitValue() == 0) {
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      child.destroyForcibly();
      Files.deleteIfExists(made);
      Files.delete(shm);
    }
  }
}
