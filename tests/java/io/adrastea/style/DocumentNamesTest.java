package io.adrastea.style;

import static io.adrastea.style.Sources.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What the documents name between backticks is there: Java types, files, functions and types of C; and so are the pages
 * that they link to.
 */
class DocumentNamesTest {
  private static final List<String> FOLDERS =
      List.of("native", "include", "java", "bench", "tests", "examples", "docs", "bin", "cmake");
  private static final Pattern SOURCE = Pattern.compile(".*\\.(java|ftl|c|h|pml|txt|golden|py|sh|cmake|xml)");
  private static final Pattern DOCUMENT = Pattern.compile(".*\\.md");
  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final Pattern QUOTED = Pattern.compile("`([^`\n]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]+)[^)]*\\)");

  /** A file of a kind that is told of by its name alone, or a type or function of C or Java. */
  private static final Pattern NAME =
      Pattern.compile(
          "\\b(?:\\w+\\.(?:java|c|h|pml|golden)(?!\\.)|adr_\\w*\\w|[A-Z][a-z]+(?:[A-Z][a-z]*)+)(?![\\w*])");

  /** Names of others: options of the JVM, and a header of the JDK. */
  private static final Set<String> OTHERS =
      Set.of("InlineFrequencyRatio", "MaxInlineSize", "InlineSmallCode", "PrintInlining", "jni.h");

  /** What there is: files by their names, with and without an ending, and the words of sources. */
  private static Set<String> there() throws IOException {
    Set<String> found = new HashSet<>();
    for (String folder : FOLDERS) {
      for (Path file : Sources.below(ROOT.resolve(folder), SOURCE)) {
        String name = file.getFileName().toString();
        found.add(name);
        found.add(name.replaceFirst("\\.\\w+$", ""));
        for (Matcher word = WORD.matcher(Files.readString(file)); word.find();) {
          found.add(word.group());
        }
      }
    }
    return found;
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = Sources.below(ROOT.resolve("docs"), DOCUMENT);
    documents.add(ROOT.resolve("README.md"));
    documents.add(ROOT.resolve("CONTRIBUTING.md"));
    return documents;
  }

  /** The names between backticks in a text that nothing has. */
  static Set<String> unknown(String text, Set<String> there) {
    Set<String> unknown = new TreeSet<>();
    for (Matcher quoted = QUOTED.matcher(text); quoted.find();) {
      for (Matcher name = NAME.matcher(quoted.group(1)); name.find();) {
        if (!there.contains(name.group()) && !OTHERS.contains(name.group())) {
          unknown.add(name.group());
        }
      }
    }
    return unknown;
  }

  @Test
  void shouldNameOnlyWhatThereIs() throws IOException {
    Set<String> there = there();
    List<String> unknown = new ArrayList<>();
    for (Path document : documents()) {
      unknown(Files.readString(document), there)
          .forEach(name -> unknown.add("%s: %s".formatted(ROOT.relativize(document), name)));
    }
    assertTrue(there.size() > 10_000, "names found: " + there.size());
    assertEquals("", String.join("\n", unknown));
  }

  @Test
  void shouldLinkOnlyToFilesThatThereAre() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      for (Matcher link = LINK.matcher(Files.readString(document)); link.find();) {
        if (!Files.exists(document.resolveSibling(link.group(1)))) {
          broken.add("%s: %s".formatted(ROOT.relativize(document), link.group(1)));
        }
      }
    }
    assertEquals("", String.join("\n", broken));
  }

  @Test
  void shouldFindANameThatIsGone() {
    Set<String> there = Set.of("adr_coll_step", "LineMoves", "adr_slot.h", "adr_slot");
    assertEquals(
        Set.of("adr_coll_stop", "LineMover", "adr_slat.h"),
        unknown(
            "`adr_coll_stop`, `adr_coll_step`, `adr_coll_*`, `LineMoves.begin`, `LineMover.begin`, `net.java.dev` "
                + "`adr_slot.h`, `adr_slat.h`",
            there));
  }
}
