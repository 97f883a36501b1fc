package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.core.Cores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A peer that writes whatever it likes, between calls and, {@code beside}, while the rank is in them: exceptions, but no end of the JVM, no loop without
 * an end, and nothing that lies outside the segment. In a JVM of its own for each core, whose end names the seed.
 *
 * <p>{@code -Dadrastea.hostile.inputs=N} for more inputs, {@code -Dadrastea.hostile.seed=S} for others, or one again.
 */
class HostilePeerIT {
  private static final int PATIENCE_MINUTES = 5;

  @TempDir Path directory;

  @ParameterizedTest(name = "{1}: {0}")
  @CsvSource({
    "core, ffm, 10000",
    "core, jni, 10000",
    "core, jna, 10000",
    "core, java, 10000",
    "engine, ffm, 300",
    "engine, jni, 300",
    "engine, jna, 300",
    "engine, java, 300",
    "core-beside, ffm, 10000",
    "core-beside, jni, 10000",
    "core-beside, jna, 10000",
    "core-beside, java, 10000",
    "engine-beside, ffm, 100",
    "engine-beside, jni, 100",
    "engine-beside, jna, 100",
    "engine-beside, java, 100"
  })
  void whateverAPeerWritesEndsInAnException(String level, String core, long inputs) throws Exception {
    assumeTrue(isHere(core), "core " + core + " is not here");
    long wanted = Long.getLong("adrastea.hostile.inputs", inputs);
    long seed = Long.getLong("adrastea.hostile.seed", 1);
    Path reached = Files.write(directory.resolve("seed"), new byte[Long.BYTES]);
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(command(level, core, Long.toString(seed), Long.toString(wanted), reached.toString()))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = wanted == inputs ? child.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) : waited(child);
    child.destroyForcibly().waitFor();
    String said = Files.readString(output, StandardCharsets.ISO_8859_1);
    assertEquals(
        0,
        ended ? child.exitValue() : -1,
        () -> "the input of seed %d of %s on %s; it said:%n%s".formatted(seed(reached), level, core, said));
  }

  private static boolean waited(Process child) throws InterruptedException {
    child.waitFor();
    return true;
  }

  private static boolean isHere(String core) {
    return Cores.all().stream().anyMatch(found -> found.name().equals(core) && found.unavailabilityCause().isEmpty());
  }

  private static long seed(Path file) {
    try {
      return ByteBuffer.wrap(Files.readAllBytes(file)).getLong();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private List<String> command(String... words) {
    String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "-Dadrastea.shm.dir=" + shared(),
                "-cp",
                classes,
                HostileRun.class.getName()));
    command.addAll(List.of(words));
    return command;
  }

  private Path shared() {
    return Files.isWritable(Path.of("/dev/shm")) ? Path.of("/dev/shm") : directory;
  }
}
