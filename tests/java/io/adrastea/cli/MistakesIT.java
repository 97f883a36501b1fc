package io.adrastea.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong words on the command line, and a JVM that is too old. */
class MistakesIT {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "frobnicate                  | unknown command 'frobnicate'; commands are run, bench, info",
        "run --frob -- true          | Unknown option: '--frob'",
        "run -n 2                    | no program given",
        "run -n 0 -- true            | -n is 0; allowed is 1 to 1024",
        "run -n two -- true          | 'two' is not an int",
        "run --core ffm,jvm -- true  | --core has 'jvm'; allowed are auto, ffm, java",
        "run --bind gpu -- true      | expected one of [cpu, none]",
        "run --set frob=1 -- true    | no setting 'adrastea.frob'",
        "run --set rank=1 -- true    | no setting 'adrastea.rank'",
        "info --frob                 | Unknown option: '--frob'",
      })
  void shouldNameTheMistakeAndWhereHelpIs(String words, String message) throws Exception {
    CommandLineRun run = CommandLineRun.of(words.split(" +"));
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains(message), run.err());
    assertTrue(run.err().contains("--help'."), run.err());
    assertEquals("", run.out());
  }

  @Test
  void shouldSayWhichJavaIsNeededOnAnOldJvm() throws Exception {
    Optional<Path> old = oldJava();
    assumeTrue(old.isPresent(), "no Java older than 22 in /usr/lib/jvm");
    CommandLineRun run =
        CommandLineRun.of(
            new ProcessBuilder(
                List.of(
                    old.get().toString(), "-jar", System.getProperty("adrastea.cli.jar"), "info")));
    assertEquals(1, run.exitCode());
    assertTrue(run.err().contains("Adrastea needs Java 22 or newer, this is Java "), run.err());
  }

  private static Optional<Path> oldJava() throws Exception {
    Path places = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(places)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(places)) {
      return homes
          .filter(home -> home.getFileName().toString().matches(".*\\b(1\\.8\\.0|8|11|17|21)\\b.*"))
          .map(home -> home.resolve("bin/java"))
          .filter(Files::isExecutable)
          .findFirst();
    }
  }
}
