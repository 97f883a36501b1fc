package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of several programs: that they are one job, from its start to every end that it can have. */
class RunPartsIT {
  private static final String SAY = "echo $0 $ADRASTEA_RANK of $ADRASTEA_SIZE in $ADRASTEA_JOB";
  private static final String STAY = "echo ready; exec sleep 1000";
  private static final String STAY_IN_SPITE_OF_SIGTERM =
      "trap '' TERM; echo ready; while :; do sleep 1; done";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void allPartsAreOneJobWhoseRanksAreNumberedThrough() throws Exception {
    Outcome outcome =
        run("-n", "2", "--", "sh", "-c", SAY, "a", ":", "sh", "-c", SAY, "b").run().exits(0);
    List<String> lines = outcome.lines().stream().sorted().toList();
    String job = lines.get(0).substring(lines.get(0).lastIndexOf(' ') + 1);
    assertTrue(job.matches("[0-9a-f]{16}"), outcome::toString);
    List<String> said = List.of("[0] a 0 of 3 in ", "[1] a 1 of 3 in ", "[2] b 2 of 3 in ");
    assertEquals(said.stream().map(line -> line + job).toList(), lines);
    outcome.saysNothing();
  }

  /** The shell stands for any program: what makes it a rank comes through the environment alone. */
  @Test
  void javaAndAnotherProgramExchangeMessages() throws Exception {
    Outcome outcome =
        run("--core", "ffm", "java", "io.adrastea.it.ExchangeRank", "blocking", "0", "8", "100000")
            .add(":", "--core", "java", "--", "sh", "-c", "exec \"$0\" \"$@\"")
            .add(Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED")
            .add("-cp", Launch.jar() + ":" + Launch.classes())
            .add("io.adrastea.it.ExchangeRank", "blocking", "0", "8", "100000")
            .run()
            .exits(0);
    assertEquals(
        List.of(
            "[0] blocking on ffm checked 100008 bytes", "[1] blocking on java checked 100008 bytes"),
        outcome.lines().stream().sorted().toList(),
        outcome::toString);
  }

  @Test
  void settingsOfTheJobReachAllParts() throws Exception {
    String script = "echo $ADRASTEA_CELLS $ADRASTEA_JOIN_TIMEOUT $ADRASTEA_SHM_DIR";
    Outcome outcome =
        run("-D", "cells=17", "--join-timeout", "77", "--label", "never")
            .add("sh", "-c", script, ":", "-n", "2", "sh", "-c", script)
            .run()
            .exits(0);
    String said = "17 77 " + shm.path();
    assertEquals(List.of(said, said, said), outcome.lines());
  }

  @Test
  void inputIsThatOfTheFirstPartsFirstRank() throws Exception {
    try (Child job = run("-n", "2", "cat", ":", "cat").start()) {
      assertEquals(List.of("[0] text"), job.input("text\n").await().exits(0).lines());
    }
  }

  @Test
  void nothingIsStartedWhenALaterPartIsWrong() throws Exception {
    Files.writeString(directory.resolve("plain"), "text");
    refused(127, "part 2 of 2: there is no program './missing'", "./missing");
    refused(126, "part 2 of 2: './plain' cannot be executed", "./plain");
    refused(2, "part 2 of 2: -n is 0; allowed is 1 to 1024", "-n", "0", "true");
    refused(2, "part 2 of 2: no program given");
  }

  private void refused(int code, String said, String... part) throws Exception {
    Outcome outcome =
        run("touch", "started", ":").add(part).in(directory).run().exits(code);
    outcome.says("adrastea: " + said);
    assertEquals(code == 2, outcome.err().contains("Try 'adrastea run --help'"), outcome::toString);
    assertFalse(Files.exists(directory.resolve("started")), outcome::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "exit 7, 7, exited with code 7",
    "kill -SEGV $$, 139, was killed by signal 11 (SIGSEGV)"
  })
  void aFailureInOnePartEndsTheRanksOfAll(String failure, int code, String said) throws Exception {
    // the file tells that the others are there
    String fail = "while [ ! -e 0 ] || [ ! -e 2 ]; do sleep 0.05; done; " + failure;
    String stay = "trap '' TERM; : >$ADRASTEA_RANK; while :; do sleep 1; done";
    try (Child job =
        run("sh", "-c", stay, ":", "sh", "-c", fail, ":", "sh", "-c", stay).in(directory).start()) {
      job.await().exits(code).says("rank 1 " + said + "; ending the other ranks");
      assertEquals(List.of(), job.living());
    }
  }

  @ParameterizedTest
  @CsvSource({"INT,130", "TERM,143"})
  void aSignalToTheLauncherEndsAllParts(String signal, int code) throws Exception {
    try (Child job = ready()) {
      job.signal(signal);
      job.await().exits(code);
      assertEquals(List.of(), job.living());
    }
  }

  @Test
  void controlCOfATerminalEndsAllParts() throws Exception {
    try (Child job = ready()) {
      Processes.signal("INT", -job.pid()); // a terminal signals the whole group
      job.await().exits(130);
      assertEquals(List.of(), job.living());
    }
  }

  @Test
  void killingTheLauncherEndsAllParts() throws Exception {
    try (Child job = ready()) {
      job.signal("KILL");
      job.await().exits(137);
      job.awaitNobody();
    }
  }

  /** A job of two parts and three ranks, all there, in a process group of its own. */
  private Child ready() throws Exception {
    return run("-n", "2", "sh", "-c", STAY, ":", "sh", "-c", STAY_IN_SPITE_OF_SIGTERM).startReady(3);
  }

  private Launch run(String... words) {
    return Launch.adrastea(shm, "run").add(words);
  }
}
