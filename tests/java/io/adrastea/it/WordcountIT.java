package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example {@code wordcount}: any number of ranks on any cores gives the same, right counts. */
class WordcountIT {
  private static final int SHOWN = 10;

  @TempDir
  static Path classes;

  private static Example example;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path corpus;

  @BeforeAll
  static void compile() throws Exception {
    example = Example.compiled("WordCount", classes);
  }

  @ParameterizedTest
  @CsvSource({"1,java", "2,'ffm,java'", "3,'java,ffm,ffm'"})
  void anyNumberOfRanksCountsTheSame(int ranks, String cores) throws Exception {
    Map<String, Long> counts = writeCorpus();
    Outcome outcome = count(ranks, cores, corpus.toString()).exits(0);
    assertEquals(top(counts), table(outcome), outcome::toString);
    long words = counts.values().stream().mapToLong(Long::longValue).sum();
    assertTrue(outcome.out().contains(words + " words in 12 files"), outcome::toString);
    outcome.saysNothing();
  }

  @Test
  void aDirectoryWithoutFilesHasNoWords() throws Exception {
    example.fromSource(shm, 2, "auto").add(corpus.toString()).run().exits(0).prints("0 words in 0 files");
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() throws Exception {
    String missing = corpus.resolve("missing").toString();
    Outcome outcome = count(2, "auto", missing).exits(2).says(missing + " is not a directory");
    assertEquals("", outcome.out());
  }

  @Test
  void theLegalTextsOfTheJdkGiveTheSameWithOneRankAndWithTwo() throws Exception {
    Path legal = Path.of(System.getProperty("java.home"), "legal");
    org.junit.jupiter.api.Assumptions.assumeTrue(
        Files.isDirectory(legal), "this JDK has no " + legal);
    Outcome alone = count(1, "auto").exits(0);
    Outcome together = count(2, "ffm,java").exits(0);
    assertEquals(alone.out(), together.out());
    assertEquals(SHOWN, table(alone).size(), alone::toString);
  }

  private Outcome count(int ranks, String cores, String... arguments) throws Exception {
    return example.fromClasses(shm, ranks, cores).add(arguments).run();
  }

  /** Twelve files in three folders, one of them empty; word i about 40 / (i + 1) times in each. */
  private Map<String, Long> writeCorpus() throws IOException {
    SplittableRandom random = new SplittableRandom(11);
    Map<String, Long> counts = new HashMap<>();
    for (int file = 0; file < 12; file++) {
      List<String> words = new ArrayList<>();
      for (int i = 0; i < 30 && file > 0; i++) {
        for (int copy = random.nextInt(80 / (i + 1) + 1); copy > 0; copy--) {
          words.add(word(i));
        }
      }
      words.forEach(word -> counts.merge(word, 1L, Long::sum));
      Path folder = Files.createDirectories(corpus.resolve("folder" + file % 3));
      String text = String.join(file % 2 == 0 ? " " : ",\n", words).replace("alpha", "Alpha");
      Files.writeString(folder.resolve("file" + file + ".txt"), text, StandardCharsets.UTF_8);
    }
    return counts;
  }

  private static String word(int number) {
    String[] known = {"alpha", "beta", "größe", "naïve", "слово"};
    return number < known.length ? known[number] : "word" + "x".repeat(number);
  }

  private static List<String> top(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(SHOWN)
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .toList();
  }

  private static List<String> table(Outcome outcome) {
    return outcome.lines().stream()
        .map(String::strip)
        .filter(line -> line.matches("\\d+ \\p{L}+"))
        .toList();
  }
}
