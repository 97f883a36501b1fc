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

/** Comments begin with their subject, and neither comments nor documents have the worst of unclear words. */
class PlainEnglishTest {
  private static final Pattern SOURCE = Pattern.compile(".*\\.(java|ftl|c|h)");
  private static final Pattern DOCUMENT = Pattern.compile(".*\\.md");
  private static final List<String> FOLDERS = List.of("native", "include", "java", "bench", "tests", "examples");

  /** How a comment may not begin: it says neither what something is nor what it does. */
  private static final String WITHOUT_SUBJECT = "(That of|Those of|Of (a|an|the|one|this|all)|The same)\\b.*";

  /** The first words of a comment, on the line where it opens. */
  private static final Pattern ON_OPENING_LINE = Pattern.compile(".*(/\\*\\*?|//) +" + WITHOUT_SUBJECT);

  /** The first words of a comment on the line behind the one where it opens. */
  private static final Pattern BEHIND_OPENING_LINE = Pattern.compile(" *\\* +" + WITHOUT_SUBJECT);

  private static final Pattern OPENING = Pattern.compile(" */\\*\\*? *");
  private static final Pattern UNCLEAR = Pattern.compile(".*\\b(in vain|(?<![Tt]here )is none)\\b.*");

  /** Where comments have no subject, or words are unclear, as {@code file:line: text}. */
  static List<String> unclear(String file, List<String> lines) {
    List<String> found = new ArrayList<>();
    boolean isSource = SOURCE.matcher(file).matches();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean behind = i > 0 && OPENING.matcher(lines.get(i - 1)).matches();
      boolean begins = ON_OPENING_LINE.matcher(line).matches() || behind && BEHIND_OPENING_LINE.matcher(line).matches();
      if (isSource && begins || UNCLEAR.matcher(line).matches()) {
        found.add("%s:%d: %s".formatted(file, i + 1, line.trim()));
      }
    }
    return found;
  }

  @Test
  void commentsAndDocumentsArePlain() throws IOException {
    List<Path> files = new ArrayList<>(Sources.below(ROOT.resolve("docs"), DOCUMENT));
    for (String folder : FOLDERS) {
      files.addAll(Sources.below(ROOT.resolve(folder), SOURCE));
    }
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      if (!file.endsWith("PlainEnglishTest.java")) {
        found.addAll(unclear(ROOT.relativize(file).toString(), Files.readAllLines(file)));
      }
    }
    assertTrue(files.size() > 500, "files found: " + files.size());
    assertEquals("", String.join("\n", found));
  }

  @Test
  void aCommentWithoutSubjectIsFoundWhereItBegins() {
    List<String> lines =
        List.of(
            "/** Those of a rank. */", "/**", " * That of a rank.", " * The same is true.", "int a; // Of a rank",
            "/* The rank looks in vain. */", "/* The same", "int theSame; /* bytes of a rank */");
    assertEquals(
        List.of(1, 3, 5, 6, 7),
        unclear("A.java", lines).stream().map(text -> Integer.valueOf(text.split(":")[1])).toList());
  }

  @Test
  void aDocumentMayHaveSuchBeginningsInItsSentences() {
    assertEquals(
        List.of("a.md:2: A header is none."),
        unclear("a.md", List.of("Those of a rank count.", "A header is none.", "There is none.")));
  }
}
