package io.adrastea.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The settings of Java ranks against docs/settings.md; {@code settings_test.c} holds those of C ranks to the same list.
 */
class SettingsListTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));
  private static final Path LIST = ROOT.resolve("docs/settings.md");
  private static final Pattern NAME = Pattern.compile("^(adrastea\\.[a-z.]+) =", Pattern.MULTILINE);

  /** A setting's entry, without the ranks that read it. */
  private static String entry(Tunable setting) {
    String initial = setting.defaultValue().isEmpty() ? "" : setting.defaultValue() + " ";
    return "%s = %s[%s]\n%s  %s\n"
        .formatted(
            setting.property(),
            initial,
            setting.unit(),
            setting.allowed().isEmpty() ? "" : "  " + setting.allowed() + "\n",
            setting.description());
  }

  @Test
  void theListIsThatOfTheSettingsInTheirOrder() throws IOException {
    String text = Files.readString(LIST);
    int begin = text.indexOf("```\n") + 4;
    String list = text.substring(begin, text.indexOf("```", begin));
    String expected = Tunable.all().stream().map(SettingsListTest::entry).collect(Collectors.joining());
    assertEquals(expected, list.replaceAll("(?m)\\], (C and Java|Java)$", "]"));
  }

  @Test
  void eachEntrySaysWhichRanksReadIt() throws IOException {
    List<String> heads = Files.readAllLines(LIST).stream().filter(line -> NAME.matcher(line).find()).toList();
    assertEquals(Tunable.all().size(), heads.size());
    heads.forEach(head -> assertTrue(head.matches(".*\\], (C and Java|Java)"), head));
  }

  /** A document that names a setting, as a property or as a variable, names one that there is. */
  @Test
  void theDocumentsNameNoOtherSettings() throws IOException {
    List<String> properties = Tunable.all().stream().map(Tunable::property).toList();
    List<String> variables = Tunable.all().stream().map(Tunable::variable).toList();
    Pattern set = Pattern
        .compile("-D(adrastea\\.[a-z]+(?:\\.[a-z]+)*)=|`(adrastea\\.[a-z]+(?:\\.[a-z]+)*)[`=]|\\b(ADRASTEA_[A-Z_]+)=");
    int found = 0;
    for (Path document : documents()) {
      for (String word : words(set, Files.readString(document))) {
        boolean ofTests = word.startsWith("adrastea.test.") || word.startsWith("adrastea.hostile.");
        assertTrue(
            ofTests || properties.contains(word) || variables.contains(word), () -> document + " names " + word);
        found++;
      }
    }
    assertTrue(found > 10, "settings that the documents name: " + found);
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), pages.filter(it -> it.toString().endsWith(".md")))
          .toList();
    }
  }

  private static List<String> words(Pattern pattern, String text) {
    return pattern.matcher(text).results().flatMap(it -> Stream.of(it.group(1), it.group(2), it.group(3)))
        .filter(it -> it != null).toList();
  }
}
