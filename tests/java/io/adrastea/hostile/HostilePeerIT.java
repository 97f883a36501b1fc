package io.adrastea.hostile;

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
 * core and each compiler of HotSpot, whose end names the seed. With the first compiler a core and an engine on it
 * suffer all in one JVM; with the second, which is what costs, each has a JVM of its own. Beside that, a peer writes
 * where Java reads its words. What the second compiler makes of the engine depends little on the core below it: engines
 * on the cores {@code jni} and {@code jna} are compiled by it only where the number of inputs is given, as with
 * {@code -Pproof}. Both compilers get the inputs of the same seeds, so that what is not the doing of a compiler is
 * found with the second; the first gets as many as take it to compile all that there is to compile.
 *
 * <p>
 * {@code -Dadrastea.hostile.inputs=N} for more inputs, {@code -Dadrastea.hostile.seed=S} for others, or one again.
 */
class HostilePeerIT {
  private static final int PATIENCE_MINUTES = 15;

  /** Methods by which a core is attacked; the compiler may make what they call part of them. */
  private static final String CALLS = "io\\.adrastea\\.hostile\\.HostileCoreRun::.+";

  /** The methods where the core is one whose methods are not native. */
  private static final String PURE = "io\\.adrastea\\.core\\.pure\\..+::\\w*([rR]eceive|[pP]oll|[sS]end)\\w*|" + CALLS;

  private static final List<String> CORE = List.of("core=4000", "core-beside=4000");
  private static final List<String> ENGINE = List.of("engine=300", "engine-beside=100");
  private static final List<String> FEW = List.of("core=3000", "engine=100", "core-beside=3000", "engine-beside=40");

  @TempDir
  Path directory;

  @ParameterizedTest(name = "{1}: {0}, compiler {2}")
  @CsvSource({
    "both, ffm, 1",
    "both, jni, 1",
    "both, jna, 1",
    "both, java, 1",
    "core, ffm, 2",
    "core, jni, 2",
    "core, jna, 2",
    "core, java, 2",
    "engine, ffm, 2",
    "engine, jni, 2",
    "engine, jna, 2",
    "engine, java, 2"
  })
  void whateverAPeerWritesEndsInAnException(String attacked, String core, int compiler) throws Exception {
    assumeTrue(isHere(core), "core " + core + " is not here");
    Long wanted = Long.getLong("adrastea.hostile.inputs");
    if (attacked.equals("engine") && compiler == 2 && core.startsWith("jn")) {
      assumeTrue(wanted != null, "a long test: -Pproof, or -Dadrastea.hostile.inputs=N");
    }
    List<String> levels =
        levels(attacked).stream()
            .map(level -> wanted == null ? level : level.replaceAll("\\d+", "" + wanted)).toList();
    String seed = Long.toString(Long.getLong("adrastea.hostile.seed", 1));
    Path reached = Files.write(directory.resolve("seed"), new byte[HostileRun.PLACE_BYTES]);
    Path output = directory.resolve("output");
    Process child =
        new ProcessBuilder(command(compiler, core, seed, reached.toString(), levels))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = wanted == null ? child.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) : waited(child);
    child.destroyForcibly().waitFor();
    String said = Files.readString(output, StandardCharsets.ISO_8859_1);
    assertEquals(
        0, ended ? child.exitValue() : -1,
        () -> "%s on %s; it said:%n%s".formatted(place(reached, levels), core, said));
    levels.forEach(level -> assertTrue(said.contains(level.replace("=", ": ") + " inputs"), said));
    String hot = attacked.equals("engine") ? SecondCompiler.LOOK : core.equals("java") ? PURE : CALLS;
    assertTrue(compiler == 1 || SecondCompiler.hasCompiled(log(), hot), () -> "only " + SecondCompiler.compiled(log()));
  }

  private static List<String> levels(String attacked) {
    return switch (attacked) {
      case "core" -> CORE;
      case "engine" -> ENGINE;
      default -> FEW;
    };
  }

  private static boolean waited(Process child) throws InterruptedException {
    child.waitFor();
    return true;
  }

  private static boolean isHere(String core) {
    return Cores.all().stream().anyMatch(found -> found.name().equals(core) && found.unavailabilityCause().isEmpty());
  }

  /** Which input was under way. */
  private static String place(Path file, List<String> levels) {
    try {
      ByteBuffer place = ByteBuffer.wrap(Files.readAllBytes(file));
      return "the input of seed %d of %s".formatted(place.getLong(), levels.get((int) place.getLong()));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Path log() {
    return directory.resolve("compiled.log");
  }

  private List<String> command(int compiler, String core, String seed, String reached, List<String> levels) {
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
            HostileRun.class.getName(),
            core,
            seed,
            reached));
    command.addAll(levels);
    return command;
  }

  private Path shared() {
    return Files.isWritable(Path.of("/dev/shm")) ? Path.of("/dev/shm") : directory;
  }
}
