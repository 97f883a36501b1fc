package io.adrastea.style;

import static io.adrastea.style.Sources.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * No line of the sources, the build files, the scripts and the documents is longer than 120 columns. Rows of a table in
 * Markdown are excepted, since such a row cannot be broken.
 */
class LineLengthTest {
  private static final int COLUMNS = 120;
  private static final Pattern CHECKED =
      Pattern.compile(".*\\.(java|ftl|c|h|cmake|sh|md)|CMakeLists\\.txt|adrastea");

  /** The lines of a file that are too long, as {@code file:line: columns}. */
  static List<String> tooLong(String file, List<String> lines) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean row = file.endsWith(".md") && line.startsWith("|");
      int columns = line.codePointCount(0, line.length());
      if (columns > COLUMNS && !row) {
        found.add("%s:%d: %d columns".formatted(file, i + 1, columns));
      }
    }
    return found;
  }

  @Test
  void noLineIsLongerThanItMayBe() throws IOException {
    List<Path> files = Sources.below(ROOT, CHECKED);
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      found.addAll(tooLong(ROOT.relativize(file).toString(), Files.readAllLines(file)));
    }
    assertTrue(files.size() > 500, "files found: " + files.size());
    assertEquals("", String.join("\n", found));
  }

  @Test
  void aLineThatIsTooLongIsFoundWhereItIsNoRowOfATable() {
    String line = "x".repeat(COLUMNS);
    assertEquals(List.of("A.java:2: 122 columns"), tooLong("A.java", List.of(line, "| " + line)));
    assertEquals(List.of(), tooLong("a.md", List.of(line, "| " + line)));
    assertEquals(List.of(), tooLong("a.md", List.of("→".repeat(COLUMNS))));
  }
}
