package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The example {@code mixed}: its C side is built against the library as it is installed. */
class MixedIT {
  private static final Path EXAMPLE = Launch.root().resolve("examples/mixed");
  private static final String JAVA_SIDE = EXAMPLE.resolve("Lateness.java").toString();

  @TempDir
  static Path build;

  @TempDir
  static Path classes;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @BeforeAll
  static void buildBothSides() throws Exception {
    int code = ToolProvider.getSystemJavaCompiler()
        .run(null, null, null, "-cp", Launch.jar().toString(), "-d", classes.toString(), JAVA_SIDE);
    assertEquals(0, code);
    Launch.command("cmake", "-S", EXAMPLE.toString(), "-B", build.toString())
        .add("-DCMAKE_PREFIX_PATH=" + CProgram.prefix())
        .run()
        .exits(0);
    Launch.command("cmake", "--build", build.toString()).run().exits(0);
  }

  private static String cSide() {
    return build.resolve("lateness").toString();
  }

  @Test
  void everyRankButTheFirstHasALineInTheTable() throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "2", "--label", "never", "java", JAVA_SIDE, "100", "1234")
            .add(":", "-n", "2", cSide())
            .run()
            .exits(0);
    List<String> lines = outcome.lines();
    assertEquals(4, lines.size(), outcome::toString);
    assertTrue(lines.get(0).matches("rank  program +least +median +p99 +most  \\[us late\\]"), outcome::toString);
    assertTrue(lines.get(1).matches(" +1  Java \\d+, parkNanos( +\\d+\\.\\d){4}"), outcome::toString);
    assertTrue(lines.get(2).matches(" +2  C, clock_nanosleep( +\\d+\\.\\d){4}"), outcome::toString);
    assertTrue(lines.get(3).matches(" +3  C, clock_nanosleep( +\\d+\\.\\d){4}"), outcome::toString);
    outcome.saysNothing();
  }

  @Test
  void whatIsNoArgumentIsNamed() throws Exception {
    refused("'0' is no microseconds; allowed is 1 to 1000000", "0");
    refused("'many' is no number of samples; allowed is 1 to 10000000", "10", "many");
    refused("at most two arguments", "1", "2", "3");
    refused("there is no other rank to measure");
  }

  private void refused(String said, String... words) throws Exception {
    Launch.adrastea(shm, "run", "java", "Lateness").add(words).variable("CLASSPATH", classes)
        .run()
        .exits(2)
        .says("Lateness: ", said);
  }

  @Test
  void theCSideAsRankZeroSaysWhatIsToBeRankZero() throws Exception {
    Launch.adrastea(shm, "run", "--", cSide()).run().exits(2).says("lateness: rank 0 is to be Lateness.java");
  }
}
