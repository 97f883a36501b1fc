package io.adrastea.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script of {@code adrastea completion} in a bash, which completes a word as if Tab had been pressed behind it. */
class CompletionTest {
  private static final String COMPLETE =
      """
          compopt() { :; } # bash has it for a Tab alone
          source "$0"
          complete -p adrastea >/dev/null || exit 3
          COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
          $(complete -p adrastea | sed 's/.*-F \\([^ ]*\\).*/\\1/') adrastea "${@: -1}" "${@: -2:1}"
          printf '%s\\n' "${COMPREPLY[@]}"
          """;

  @TempDir
  Path directory;

  private Path script() throws Exception {
    CommandLineRun run = CommandLineRun.here("completion");
    assertEquals(0, run.exitCode(), run::toString);
    return Files.writeString(directory.resolve("adrastea.bash"), run.out());
  }

  private static CommandLineRun bash(String... words) throws Exception {
    ProcessBuilder bash = new ProcessBuilder("bash", "--norc");
    bash.command().addAll(List.of(words));
    return CommandLineRun.of(bash);
  }

  @Test
  void shouldBeAScriptForBash() throws Exception {
    CommandLineRun run = bash("-n", script().toString());
    assertEquals(new CommandLineRun(0, "", ""), run);
  }

  @ParameterizedTest
  @CsvSource({
    "ru, run",
    "run --ti, --timeout --timestamp",
    "run --ex, --exit",
    "run -n 2 --label a, auto always",
    "run --exit r, rank0",
    "run --bind c, cpu cache",
    "run --overs, ''",
    "info --la, --layout",
    "bench lat, latency",
    "bench latency --siz, --sizes"
  })
  void shouldCompleteCommandsOptionsAndTheirWords(String words, String completed) throws Exception {
    List<String> line = new ArrayList<>(List.of("-c", COMPLETE, script().toString(), "adrastea"));
    line.addAll(List.of(words.split(" ")));
    CommandLineRun run = bash(line.toArray(String[]::new));
    assertEquals("", run.err());
    assertEquals(Set.of(completed.split(" ")), Set.of(run.out().trim().split("\\s+")));
  }
}
