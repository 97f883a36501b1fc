package io.adrastea.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * No line of the sources, the build files, the scripts and the documents is longer than 120 columns. Rows of a table in
 * Markdown are excepted, since such a row cannot be broken.
 */
class LineLengthTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));
  private static final int COLUMNS = 120;
  private static final Pattern CHECKED =
      Pattern.compile(".*\\.(java|c|h|cmake|sh|md)|CMakeLists\\.txt|adrastea");

  /** Folders that hold what was built or downloaded. */
  private static final Set<String> PASSED_OVER = Set.of("target", "build", ".git", ".m2");

  private static List<Path> checked() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        String name = folder.getFileName().toString();
        return PASSED_OVER.contains(name) || name.startsWith("target-")
            ? FileVisitResult.SKIP_SUBTREE
            : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        String name = file.getFileName().toString();
        if (attributes.isRegularFile() && CHECKED.matcher(name).matches()) {
          files.add(file);
        }
        return FileVisitResult.CONTINUE;
      }
    });
    return files;
  }

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
    List<Path> files = checked();
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
