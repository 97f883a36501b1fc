package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However the launcher ends, no rank stays: neither one that uses the library nor any other program.
 */
class EndOfLauncherIT {
  private static final String[] SLEEPERS = {"sh", "-c", "echo ready; exec sleep 1000"};
  private static final String[] JVMS = {"java", "io.adrastea.it.LingerRank", "wait"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @CsvSource({"INT,130", "TERM,143", "HUP,129"})
  void aSignalToTheLauncherEndsAllRanks(String signal, int code) throws Exception {
    try (Child job = ready(JVMS)) {
      job.signal(signal);
      job.await().exits(code);
      assertEquals(List.of(), job.living());
    }
  }

  @ParameterizedTest
  @CsvSource({"INT,130", "TERM,143"})
  void aSignalToTheLauncherEndsOtherPrograms(String signal, int code) throws Exception {
    try (Child job = ready(SLEEPERS)) {
      job.signal(signal);
      job.await().exits(code);
      assertEquals(List.of(), job.living());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jvms", "sleepers"})
  void controlCOfATerminalEndsAllRanks(String ranks) throws Exception {
    try (Child job = ready(ranks.equals("jvms") ? JVMS : SLEEPERS)) {
      Processes.signal("INT", -job.pid()); // a terminal signals the whole group
      job.await().exits(130);
      assertEquals(List.of(), job.living());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jvms", "sleepers"})
  void killingTheLauncherEndsAllRanks(String ranks) throws Exception {
    try (Child job = ready(ranks.equals("jvms") ? JVMS : SLEEPERS)) {
      job.signal("KILL");
      job.await().exits(137);
      job.awaitNobody();
    }
  }

  /** More than a pipe takes, and after another rank has ended: rank 1 has the FIFO open until its end. */
  @Test
  void whatARankWritesWhileASignalEndsTheJobArrivesWhole(@TempDir Path directory) throws Exception {
    Path fifo = directory.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    String script =
        "if [ $ADRASTEA_RANK = 1 ]; then exec 3>\"$0\"; echo ready; exec sleep 1000; fi; exec 3<\"$0\";"
            + " line=$(printf %01019d 0); end() { read none <&3; i=100;"
            + " while [ $i -lt 300 ]; do echo $i $line >&2; i=$((i+1)); done; exit 0; };"
            + " trap end TERM; echo ready; sleep 1000 & wait";
    Launch launch = Launch.adrastea(shm, "run", "-n", "2", "--", "sh", "-c", script, fifo.toString());
    try (Child job = launch.start()) {
      job.awaitOutput("^\\[0\\] ready");
      job.awaitOutput("^\\[1\\] ready");
      job.signal("TERM");
      String zeros = " " + "0".repeat(1019) + "\n";
      String expected = IntStream.range(100, 300).mapToObj(i -> "[0] " + i + zeros).collect(Collectors.joining());
      assertEquals(expected, job.await().exits(143).err());
      assertEquals(List.of(), job.living());
    }
  }

  /**
   * Neither by a job that is being joined, nor by one in which rank 0 did not join and the others are yet to hear so.
   */
  @ParameterizedTest
  @ValueSource(strings = {"exec \"$@\"", "exit 0"})
  void killingTheLauncherWhileRanksAreJoiningLeavesNoFile(String first) throws Exception {
    String script = "if [ $ADRASTEA_RANK = 1 ]; then exec sleep 1000; fi; " + first;
    Launch launch =
        Launch.adrastea(shm, "run", "-n", "2", "--", "sh", "-c", script, "sh").add(Launch.javaProgram().toString());
    launch.add("--enable-native-access=ALL-UNNAMED", "-cp", Launch.jar() + ":" + Launch.classes(),
        "io.adrastea.it.JoinRank");
    try (Child job = launch.start()) {
      Deadline.await("a file", () -> !shm.files().isEmpty() || !job.isAlive(), shm::files);
      job.signal("KILL");
      job.await().exits(137);
      job.awaitNobody(); // and the directory is empty then
    }
  }

  /** A job of three whose ranks have all come, in a process group of its own. */
  private Child ready(String... program) throws Exception {
    return Launch.adrastea(shm, "run", "-n", "3", "--").add(program).startReady(3);
  }
}
