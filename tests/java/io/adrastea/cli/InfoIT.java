package io.adrastea.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class InfoIT {
  @Test
  void shouldTellThatAllCoresWorkAndWhereTheLibraryIsFrom() throws Exception {
    CommandLineRun run = CommandLineRun.of("info");
    assertEquals(0, run.exitCode(), run.err());
    assertContains("(?m)^  jar: /native/.*libadrastea.so: loaded$", run.out());
    assertContains("(?m)^  ffm +works, chosen by auto", run.out());
    assertContains("(?m)^  jni +works +lacks ", run.out());
    assertContains("(?m)^  java +works +lacks ", run.out());
    assertContains("(?m)^  jna +works +lacks ", run.out());
    assertEquals("", run.err());
  }

  @Test
  void shouldTellWhyACoreDoesNotWork() throws Exception {
    ProcessBuilder builder = CommandLineRun.process("info");
    builder.environment().put("ADRASTEA_LIBRARY", "/nowhere/libadrastea.so");
    String out = CommandLineRun.of(builder).out();
    assertContains("(?m)^  ffm +unusable .*/nowhere/libadrastea.so", out);
    assertContains("(?m)^  java +works, chosen by auto", out);
    assertContains("(?m)^  adrastea.library +/nowhere/libadrastea.so +environment", out);
  }

  @Test
  void shouldPrintTheLayoutOfTheGoldenFile() throws Exception {
    CommandLineRun run = CommandLineRun.of("info", "--layout");
    assertEquals(
        Files.readString(CommandLineRun.ROOT.resolve("tests/layout/layout.golden")), run.out());
  }

  private static void assertContains(String pattern, String text) {
    assertTrue(
        Pattern.compile(pattern).matcher(text).find(), () -> pattern + " is not in\n" + text);
  }
}
