package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.cli.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code adrastea run} with programs of the shell as ranks. */
class RunIT {
  @TempDir Path folder;

  @Test
  void shouldGiveEachRankItsPlaceAndLabelItsLines() throws Exception {
    CommandLineRun run = sh(3, "echo $ADRASTEA_RANK of $ADRASTEA_SIZE; printf end");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(
        List.of("[0] 0 of 3", "[0] end", "[1] 1 of 3", "[1] end", "[2] 2 of 3", "[2] end"),
        run.out().lines().sorted().toList());
  }

  @Test
  void shouldDealCoresAndCpusInTurn() throws Exception {
    CommandLineRun run =
        CommandLineRun.of(
            "run",
            "-n",
            "3",
            "--core",
            "ffm,java",
            "--bind",
            "cpu",
            "--set",
            "cells=8",
            "--label",
            "never",
            "--",
            "sh",
            "-c",
            "echo $ADRASTEA_RANK $ADRASTEA_CORE ${ADRASTEA_BIND:+bound} $ADRASTEA_CELLS");
    assertEquals(
        List.of("0 ffm bound 8", "1 java bound 8", "2 ffm bound 8"),
        run.out().lines().sorted().toList());
  }

  @Test
  void shouldNeverTearLines() throws Exception {
    String line = "x".repeat(300);
    CommandLineRun run = sh(4, "i=0; while [ $i -lt 500 ]; do echo " + line + "; i=$((i+1)); done");
    assertEquals(2000, run.out().lines().count());
    assertTrue(run.out().lines().allMatch(text -> text.matches("\\[[0-3]] x{300}")));
  }

  @Test
  void shouldLeaveTheOutputOfASingleRankAsItIs() throws Exception {
    assertEquals("no label", sh(1, "printf 'no label'").out());
  }

  @Test
  void shouldGiveStandardInputToRank0Alone() throws Exception {
    Path input = Files.writeString(folder.resolve("input"), "word\n");
    ProcessBuilder builder = CommandLineRun.process("run", "-n", "2", "--", "cat");
    assertEquals("[0] word\n", CommandLineRun.of(builder.redirectInput(input.toFile())).out());
  }

  @Test
  void shouldPassTheProgramsOwnOptionsOn() throws Exception {
    String[] words = {"run", "--", "printf", "%s;", "-n", "3", "--", "--help", "@file", "\"q\""};
    assertEquals("-n;3;--;--help;@file;\"q\";", CommandLineRun.of(words).out());
  }

  @Test
  void shouldReturnTheFirstExitCodeAndEndTheOthers() throws Exception {
    CommandLineRun run = sh(3, "[ $ADRASTEA_RANK = 1 ] && exit 7; sleep 100");
    assertEquals(7, run.exitCode());
    assertEquals("adrastea: rank 1 exited with code 7; ending the other ranks\n", run.err());
  }

  @Test
  void shouldNameTheSignalThatKilledARank() throws Exception {
    CommandLineRun run = sh(2, "[ $ADRASTEA_RANK = 1 ] && kill -9 $$; sleep 100");
    assertEquals(137, run.exitCode());
    assertTrue(run.err().contains("rank 1 was killed by signal 9 (SIGKILL)"), run.err());
  }

  @Test
  void shouldKillWhatIgnoresSigterm() throws Exception {
    String mark = mark();
    String twice = "tail -f %s; tail -f %s".formatted(mark, mark);
    assertEquals(3, sh(2, "trap '' TERM; [ $ADRASTEA_RANK = 1 ] && exit 3; " + twice).exitCode());
    assertEquals(List.of(), processesWith(mark));
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM", "KILL"})
  void shouldLeaveNoRankWhenTheLauncherIsEnded(String signal) throws Exception {
    String mark = mark();
    Path out = folder.resolve("out");
    Process launcher =
        CommandLineRun.start(
            out.toFile(), "run", "-n", "2", "--", "sh", "-c", "exec tail -f " + mark);
    CommandLineRun.await("two ranks run", () -> processesWith(mark).size() >= 3);
    new ProcessBuilder("kill", "-" + signal, Long.toString(launcher.pid())).start().waitFor();
    launcher.waitFor();
    CommandLineRun.await("all ranks have ended", () -> processesWith(mark).isEmpty());
  }

  @Test
  void shouldSayThatAProgramDoesNotExist() throws Exception {
    CommandLineRun run = CommandLineRun.of("run", "-n", "2", "--", "no-such-program");
    assertEquals(127, run.exitCode());
    assertTrue(run.err().contains("there is no program 'no-such-program' on PATH"), run.err());
  }

  @Test
  void shouldSayThatAFileCannotBeExecuted() throws Exception {
    CommandLineRun run = CommandLineRun.of("run", "--", "/etc/passwd");
    assertEquals(126, run.exitCode());
    assertTrue(run.err().contains("'/etc/passwd' cannot be executed"), run.err());
  }

  @Test
  void shouldTellAJavaProgramWhereAdrasteaIs() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("Who.java"),
            """
            public class Who {
              public static void main(String[] args) {
                try (io.adrastea.Job job = io.adrastea.Job.join()) {
                  System.out.println(job.world().rank() + " " + job.core());
                }
              }
            }
            """);
    CommandLineRun run =
        CommandLineRun.of("run", "-n", "2", "--core", "java,ffm", "--", "java", program.toString());
    assertEquals(
        List.of("[0] 0 java", "[1] 1 ffm"), run.out().lines().sorted().toList(), run.err());
  }

  private static CommandLineRun sh(int ranks, String script) throws Exception {
    return CommandLineRun.of("run", "-n", Integer.toString(ranks), "--", "sh", "-c", script);
  }

  /** A file whose name stands on the command lines of the processes to be found. */
  private String mark() throws IOException {
    return Files.createFile(folder.resolve("mark")).toString();
  }

  private static List<Long> processesWith(String mark) {
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.filter(process -> commandLine(process).contains(mark))
          .map(ProcessHandle::pid)
          .toList();
    }
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    } catch (IOException e) {
      return ""; // gone
    }
  }
}
