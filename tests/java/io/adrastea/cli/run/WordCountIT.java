package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.cli.CommandLineRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** examples/wordcount. */
class WordCountIT {
  private static final String PROGRAM =
      CommandLineRun.ROOT.resolve("examples/wordcount/WordCount.java").toString();

  private static CommandLineRun one;

  @TempDir Path folder;

  @BeforeAll
  static void countWithOneRank() throws Exception {
    one = wordCount("1", "auto");
  }

  @ParameterizedTest
  @CsvSource({"2,ffm", "2,java", "2,'ffm,java'", "2,'java,ffm'", "4,auto"})
  void shouldGiveTheSameForAnyNumberOfRanksOnAnyCores(String ranks, String cores) throws Exception {
    CommandLineRun several = wordCount(ranks, cores);
    assertEquals(0, one.exitCode(), one.err());
    assertEquals(11, one.out().lines().count(), one.out());
    assertEquals(one.out(), several.out(), several.err());
  }

  @Test
  void shouldCountWhatIsInTheFiles() throws Exception {
    Files.writeString(folder.resolve("a.txt"), "The cat, the DOG; caf\u00e9\n");
    Files.write(folder.resolve("b.bin"), "the\u00ffcat".getBytes(StandardCharsets.ISO_8859_1));
    Files.createFile(folder.resolve("empty"));
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("a.txt"));
    CommandLineRun run = wordCount("3", "auto", folder.toString());
    String counts = "       3 the\n       2 cat\n       1 caf\u00e9\n       1 dog\n";
    assertEquals(
        "7 words in 3 files below " + folder.toRealPath() + "\n" + counts, run.out(), run.err());
  }

  @Test
  void shouldRefuseWhatIsNoDirectory() throws Exception {
    CommandLineRun run = wordCount("2", "auto", folder.resolve("missing").toString());
    assertEquals(2, run.exitCode());
    assertTrue(
        run.err().contains("missing is not a directory; name one that holds text files"),
        run.err());
    assertEquals("", run.out());
  }

  private static CommandLineRun wordCount(String ranks, String cores, String... arguments)
      throws Exception {
    List<String> words =
        new ArrayList<>(List.of("run", "-n", ranks, "--core", cores, "--label", "never"));
    words.addAll(
        List.of("--", "java", "-XX:TieredStopAtLevel=1", "-Dstdout.encoding=UTF-8", PROGRAM));
    words.addAll(List.of(arguments));
    return CommandLineRun.of(words.toArray(String[]::new));
  }
}
