package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example {@code wordtable}: any number of ranks, on any cores and by any way, fills the same table. */
class WordTableIT {
  private static final String SAME = "One rank alone counts the same.";

  @TempDir
  static Path classes;

  private static Example example;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path folder;

  @BeforeAll
  static void compile() throws Exception {
    example = Example.compiled("WordTable", classes);
  }

  private Launch ranks(int ranks, String cores, String... arguments) {
    return example.fromClasses(shm, ranks, cores).add(arguments);
  }

  /** Words of the project's own documents, counted in another way than the example counts them. */
  private static Map<String, Long> counts(Path root) throws IOException {
    List<String> words = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        words.addAll(Arrays.asList(Files.readString(file).split("\\P{L}+")));
      }
    }
    return words.stream().filter(word -> !word.isEmpty()).map(word -> word.toLowerCase(Locale.ROOT))
        .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
  }

  private static List<String> table(Outcome outcome) {
    return outcome.lines().stream().map(String::strip).filter(line -> line.matches("\\d+ \\p{L}+")).toList();
  }

  @ParameterizedTest
  @CsvSource({"1,java", "2,'ffm,java'", "3,'java,ffm'", "4,ffm"})
  void anyNumberOfRanksCountsTheWordsOfTheDesignPages(int ranks, String cores) throws Exception {
    Path root = Launch.root().resolve("docs/design");
    Map<String, Long> counts = counts(root);
    Outcome outcome = ranks(ranks, cores, root.toString()).run().exits(0).prints(SAME);
    outcome.saysNothing();
    long words = counts.values().stream().mapToLong(Long::longValue).sum();
    assertTrue(outcome.out().startsWith("%d words, %d different ones, in ".formatted(words, counts.size())),
        outcome::toString);
    List<String> top = counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
        .limit(10).map(entry -> entry.getValue() + " " + entry.getKey()).toList();
    assertEquals(top, table(outcome), outcome::toString);
  }

  /** All ranks claim places for the same five words. */
  @Test
  void ranksThatAskTheTargetsFillTheSameTable() throws Exception {
    Path file = folder.resolve("few.txt");
    Files.writeString(file, "Größe naïve слово alpha beta\nalpha ".repeat(200));
    Outcome outcome = ranks(3, "java,ffm", file.toString()).variable("ADRASTEA_WINDOW", "handler").run().exits(0)
        .prints("1200 words, 5 different ones, in 1 files", "400 alpha", SAME);
    assertEquals(List.of("400 alpha", "200 beta", "200 größe", "200 naïve", "200 слово"), table(outcome));
  }

  @Test
  void filesWithoutWordsHaveAnEmptyTable() throws Exception {
    Path file = folder.resolve("none.txt");
    Files.writeString(file, " 1 2 3\n");
    ranks(3, "auto", file.toString(), folder.toString()).run().exits(0)
        .prints("0 words, 0 different ones, in 2 files", SAME);
  }

  @Test
  void itRunsFromItsSource() throws Exception {
    Path file = folder.resolve("one.txt");
    Files.writeString(file, "word".repeat(200) + " word");
    example.fromSource(shm, 2, "auto").add(file.toString()).run().exits(0)
        .prints("1 words, 1 different ones, in 1 files", "1 word", SAME);
  }

  @Test
  void aFileThatIsNotThereIsNamedOnce() throws Exception {
    String missing = folder.resolve("missing").toString();
    Outcome outcome = ranks(3, "auto", missing).run().exits(2).says("wordtable: a file cannot be read: " + missing);
    assertEquals("", outcome.out());
    assertEquals(1, outcome.err().lines().filter(line -> line.contains("wordtable:")).count(), outcome::toString);
  }
}
