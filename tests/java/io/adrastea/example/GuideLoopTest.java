package io.adrastea.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The loop that tests run is the one of the guide. */
class GuideLoopTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));
  private static final String COMMENT = "//.*";

  /** Lines of code, from the line that begins so to the one that closes it, without margin and comments. */
  private static List<String> loop(Path file) throws IOException {
    List<String> lines =
        Files.readAllLines(ROOT.resolve(file)).stream().map(line -> line.replaceFirst(COMMENT, "").stripTrailing())
            .toList();
    int first = 0;
    while (!lines.get(first).strip().equals("while (!clients.isEmpty()) {")) {
      first++;
    }
    int margin = lines.get(first).indexOf('w');
    int last = first;
    while (!lines.get(last).equals(" ".repeat(margin) + "}")) {
      last++;
    }
    return lines.subList(first, last + 1).stream().map(line -> line.substring(margin)).toList();
  }

  @Test
  void shouldBeTheOneThatIsTested() throws IOException {
    List<String> guide = loop(Path.of("docs/guide/failures.md"));
    assertFalse(guide.isEmpty());
    assertEquals(guide, loop(Path.of("tests/java/io/adrastea/example/ServerLoop.java")));
  }
}
