package io.adrastea.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteSummaryTest {
  private static final Instant STARTED = Instant.parse("2024-01-02T03:04:05Z");

  @TempDir
  Path directory;
  private Path cTests;
  private Path reports;

  @BeforeEach
  void makeFolders() throws Exception {
    cTests = Files.createDirectory(directory.resolve("c"));
    reports = Files.createDirectory(directory.resolve("reports"));
  }

  private static void write(Path file, Instant when, String text) throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(when));
  }

  private void report(String name, Instant when, int tests, String... reasons) throws Exception {
    StringBuilder xml = new StringBuilder("<testsuite tests=\"%d\" skipped=\"%d\">".formatted(tests, reasons.length));
    for (String why : reasons) {
      xml.append("<testcase name=\"a\" classname=\"io.adrastea.%s\"><skipped message=\"%s\"/></testcase>"
          .formatted(name, why));
    }
    write(reports.resolve("TEST-io.adrastea." + name + ".xml"), when, xml.append("</testsuite>").toString());
  }

  private List<String> summary() throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      SuiteSummary
          .main(new String[] {STARTED.toString(), cTests.toString(), reports.toString(), directory + "/missing"});
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void whatWasSkippedIsNamedByItsReason() throws Exception {
    report("OneIT", STARTED, 4, "Assumption failed: spin is missing; apt-get install spin", "");
    report("TwoIT", STARTED.plusSeconds(9), 3, "Assumption failed: spin is missing; apt-get install spin");
    write(cTests.resolve("deep/down/c-tests.txt"), STARTED, "C tests (quick): 1 of 2 ran. Skipped:\n  litmus: none\n");
    assertEquals(
        List.of(
            "Java tests: 4 of 7 ran. Skipped:",
            "  OneIT: it does not say why",
            "  OneIT, TwoIT: spin is missing; apt-get install spin",
            "C tests (quick): 1 of 2 ran. Skipped:",
            "  litmus: none"),
        summary());
  }

  @Test
  void whatASetUpMethodAssumesStandsInItsException() throws Exception {
    String thrown =
        "org.opentest4j.TestAbortedException: Assumption failed: no huge pages: /dev/shm has none\n\tat A.b(A.java:1)";
    String skipped = "<skipped type=\"org.opentest4j.TestAbortedException\"><![CDATA[" + thrown + "]]></skipped>";
    String testcase = "<testcase name=\"a\" classname=\"io.adrastea.HugeTest\">" + skipped + "</testcase>";
    String suite = "<testsuite tests=\"3\" skipped=\"1\">" + testcase + "</testsuite>";
    write(reports.resolve("TEST-io.adrastea.HugeTest.xml"), STARTED, suite);
    assertEquals(
        List.of(
            "Java tests: 2 of 3 ran. Skipped:",
            "  HugeTest: no huge pages: /dev/shm has none",
            "C tests: none ran in this build"),
        summary());
  }

  @Test
  void whatAnEarlierBuildLeftDoesNotCount() throws Exception {
    report("OneIT", STARTED.minusSeconds(1), 4, "old");
    write(cTests.resolve("c-tests.txt"), STARTED.minusSeconds(1), "old");
    assertEquals(List.of("Java tests: 0 of 0 ran", "C tests: none ran in this build"), summary());
  }
}
