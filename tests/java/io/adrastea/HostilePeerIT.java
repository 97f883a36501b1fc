package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.core.Cores;
import io.adrastea.launch.SecondCompiler;
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
 * A peer that writes whatever it likes, between calls and, {@code beside}, while the rank is in them: exceptions, but
 * no end of the JVM, no loop without an end, and nothing that lies outside the segment. In a JVM of its own for each
 * core and each compiler of HotSpot, whose end names the seed. Beside the second compiler, a peer writes where Java
 * reads its words.
 *
 * <p>
 * {@code -Dadrastea.hostile.inputs=N} for more inputs, {@code -Dadrastea.hostile.seed=S} for others, or one again.
 */
class HostilePeerIT {
  private static final int PATIENCE_MINUTES = 5;
  private static final String PURE = "io\\.adrastea\\.core\\.pure\\..+::receive.*";
  private static final String CALLS = "io\\.adrastea\\.HostileCoreRun::.+"; // of the cores whose methods are native

  @TempDir
  Path directory;

  @ParameterizedTest(name = "{1}: {0}, compiler {3}")
  @CsvSource({
    "core, ffm, 10000, 1",
    "core, jni, 10000, 1",
    "core, jna, 10000, 1",
    "core, java, 10000, 1",
    "engine, ffm, 300, 1",
    "engine, jni, 300, 1",
    "engine, jna, 300, 1",
    "engine, java, 300, 1",
    "core-beside, ffm, 10000, 1",
    "core-beside, jni, 10000, 1",
    "core-beside, jna, 10000, 1",
    "core-beside, java, 10000, 1",
    "engine-beside, ffm, 100, 1",
    "engine-beside, jni, 100, 1",
    "engine-beside, jna, 100, 1",
    "engine-beside, java, 100, 1",
    "core, ffm, 10000, 2",
    "core, jni, 10000, 2",
    "core, jna, 10000, 2",
    "core, java, 10000, 2",
    "engine, ffm, 300, 2",
    "engine, jni, 300, 2",
    "engine, jna, 300, 2",
    "engine, java, 300, 2",
    "core-beside, ffm, 10000, 2",
    "core-beside, jni, 10000, 2",
    "core-beside, jna, 10000, 2",
    "core-beside, java, 10000, 2",
    "engine-beside, ffm, 100, 2",
    "engine-beside, java, 100, 2"
  })
  void whateverAPeerWritesEndsInAnException(String level, String core, long inputs, int compiler) throws Exception {
    assumeTrue(isHere(core), "core " + core + " is not here");
    long wanted = Long.getLong("adrastea.hostile.inputs", inputs);
    long seed = Long.getLong("adrastea.hostile.seed", 1);
    Path reached = Files.write(directory.resolve("seed"), new byte[Long.BYTES]);
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(
            command(compiler, level, core, Long.toString(seed), Long.toString(wanted), reached.toString()))
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
    String hot = level.startsWith("core") ? core.equals("java") ? PURE : CALLS : SecondCompiler.LOOK;
    assertTrue(compiler == 1 || SecondCompiler.hasCompiled(log(), hot), () -> "only " + SecondCompiler.compiled(log()));
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

  private Path log() {
    return directory.resolve("compiled.log");
  }

  private List<String> command(int compiler, String... words) {
    String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command
        .addAll(compiler == 1 ? List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC") : SecondCompiler.flags(log()));
    command.addAll(
        List.of(
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
