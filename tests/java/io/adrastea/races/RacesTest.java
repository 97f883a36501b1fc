package io.adrastea.races;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The races of tests/jcstress, each of which names all its outcomes. In short form by itself;
 * {@code -Dadrastea.test.jcstress=default} runs jcstress with all its settings of the compilers.
 */
class RacesTest {
  private static final String MODE = System.getProperty("adrastea.test.jcstress", "sanity");
  private static final int LEAST_RACES = 25;
  private static final int LIMIT_MINUTES = MODE.equals("sanity") ? 5 : 240;

  /**
   * One JVM for each race, as it comes, but as many turns as half a second has: the mode alone makes a dozen, which
   * meet nobody.
   */
  private static final List<String> SHORT =
      List.of("-sc", "false", "-jvmArgs", "-Xmx256m", "-iters", "1", "-time", "500", "-strideSize", "100",
          "-strideCount", "40");

  private static final Pattern RESULTS =
      Pattern
          .compile("\\(Results: (\\d+) planned; (\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard errs\\)");

  @TempDir
  Path directory;

  @Test
  void noRaceHasAnOutcomeThatIsForbidden() throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "jcstress needs two CPUs");
    Path output = directory.resolve("output.txt");
    Process races = races(output);
    try {
      assertTrue(races.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES), () -> "jcstress does not end: " + text(output));
    } finally {
      races.descendants().forEach(ProcessHandle::destroyForcibly);
      races.destroyForcibly();
    }
    MatchResult last =
        RESULTS.matcher(text(output)).results().reduce((before, after) -> after)
            .orElseThrow(() -> new AssertionError(text(output)));
    assertEquals(last.group(1), last.group(2), () -> text(output));
    assertTrue(Integer.parseInt(last.group(2)) >= LEAST_RACES, () -> text(output));
    assertEquals(List.of("0", "0", "0"), List.of(last.group(3), last.group(4), last.group(5)), () -> text(output));
  }

  private Process races(Path output) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "org.openjdk.jcstress.Main", "-m", MODE,
            "-v");
    if (MODE.equals("sanity")) {
      builder.command().addAll(SHORT);
    }
    builder.command().addAll(List.of("-r", directory.resolve("results").toString()));
    return builder.directory(directory.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  private static String text(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
