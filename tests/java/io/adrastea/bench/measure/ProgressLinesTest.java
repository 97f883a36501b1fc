package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.cli.CommandLineRun;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private void awaitLine(String pattern) throws InterruptedException {
    Pattern line = Pattern.compile("^adrastea: " + pattern + " after \\d+ s$", Pattern.MULTILINE);
    CommandLineRun.await(pattern + " in " + bytes, () -> line.matcher(bytes.toString()).find());
  }

  @Test
  void tellWhatIsDoneAlsoWhileAStepLasts() throws Exception {
    try (ProgressLines lines = new ProgressLines(3, new PrintStream(bytes, true), Duration.ofMillis(1))) {
      awaitLine("starting; 0 of 3 steps done");
      lines.begin("barrier, warm-up of ffm");
      awaitLine("barrier, warm-up of ffm; 0 of 3 steps done");
      lines.step();
      lines.begin("barrier, round 1");
      awaitLine("barrier, round 1; 1 of 3 steps done");
    }
  }

  @Test
  void sayNothingOfWhatIsQuick() throws Exception {
    ProgressLines lines = new ProgressLines(1, new PrintStream(bytes, true), Duration.ofDays(1));
    lines.begin("latency, round 1");
    lines.step();
    lines.close();
    assertEquals("", bytes.toString());
  }
}
