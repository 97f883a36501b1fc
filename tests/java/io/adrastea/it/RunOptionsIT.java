package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of {@code run} that say how long a job may take, what its exit code is, and where its output goes. */
class RunOptionsIT {
  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) ";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private Launch run(String... words) {
    return Launch.adrastea(shm, "run").add(words).in(directory);
  }

  private String written(String file) throws Exception {
    return Files.readString(directory.resolve(file));
  }

  @Test
  void aJobThatTakesTooLongIsEndedAndItsRanksAreNamed() throws Exception {
    String script = "[ $ADRASTEA_RANK = 1 ] && exit 0; trap 'echo ended; exit 0' TERM; sleep 1000 & wait";
    try (Child job = run("-n", "3", "--timeout", "2.5s", "sh", "-c", script).start().input("")) {
      Outcome outcome = job.await().exits(124);
      outcome.says("adrastea: the job has not ended within the time of --timeout 2.5s; ending rank 0, rank 2\n");
      outcome.prints("[0] ended", "[2] ended"); // what a rank writes while it is ended
      assertEquals(List.of(), job.living());
    }
  }

  @Test
  void aJobThatEndsInTimeIsNotTouched() throws Exception {
    run("-n", "2", "--timeout", "1h", "true").run().exits(0).saysNothing();
  }

  /** The ranks wait for a reader that does not read, and so would the launcher. */
  @Test
  void aJobWhoseOutputNobodyReadsIsEndedToo() throws Exception {
    Launch pipe = Launch.command("sh", "-c", "{ \"$@\"; echo $? >code; } 2>&1 | exec sleep 1000", "sh");
    pipe.add(Launch.javaProgram().toString(), "-jar", Launch.jar().toString(), "run", "-n", "2", "--timeout", "2");
    try (Child child = pipe.add("yes").set("shm.dir", shm.path()).in(directory).start()) {
      Path code = directory.resolve("code");
      Deadline.await("an exit code", () -> code.toFile().length() > 0, child::living);
      assertEquals("124\n", Files.readString(code));
    }
  }

  @Test
  void ranksTellWhatTheyWaitForBeforeTheTimeIsOver() throws Exception {
    String script = "echo $ADRASTEA_HANG_REPORT";
    assertEquals(List.of("10"), run("--timeout", "20", "sh", "-c", script).run().exits(0).lines());
    assertEquals(List.of("30"), run("--timeout", "2h", "sh", "-c", script).run().exits(0).lines());
    assertEquals(List.of("7"), run("--timeout", "20", "--hang", "7", "sh", "-c", script).run().exits(0).lines());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 9, '', 9",
    "0, 9, --exit first, 9",
    "0, 9, --keep-going, 1",
    "0, 9, --keep-going --exit failures, 1",
    "0, 9, --keep-going --exit first, 9",
    "0, 9, --keep-going --exit rank0, 0",
    "5, 9, --keep-going --exit rank0, 5",
    "5, 9, --keep-going, 2"
  })
  void theExitCodeIsWhatWasAskedFor(int ofRank0, int ofRank1, String options, int code) throws Exception {
    String script =
        "if [ $ADRASTEA_RANK = 0 ]; then while [ ! -e go ]; do sleep 0.02; done; exit %d; fi; : >go; exit %d"
            .formatted(ofRank0, ofRank1);
    Launch launch = run("-n", "2").add(Stream.of(options.split(" ")).filter(word -> !word.isEmpty())
        .toArray(String[]::new));
    Outcome outcome = launch.add("sh", "-c", script).run().exits(code);
    outcome.says("rank 1 exited with code 9");
  }

  @Test
  void eachRankHasAFileOfWhatItWritesInItsOrder() throws Exception {
    String script = "for i in 1 2 3; do echo out $i; echo err $i >&2; done; printf end";
    Outcome outcome = run("-n", "2", "--output", "a/b", "sh", "-c", script).run().exits(0);
    outcome.saysNothing();
    assertEquals("", outcome.out());
    String all = "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nend";
    assertEquals(List.of(all, all), List.of(written("a/b/rank-0.out"), written("a/b/rank-1.out")));
    run("--output", "a/b", "sh", "-c", ": >started").run().exits(2).says("--output is 'a/b', which has 'rank-");
    assertEquals(all, written("a/b/rank-0.out"));
    assertFalse(Files.exists(directory.resolve("started")));
  }

  @Test
  void whatARankHasWrittenIsInItsFileHoweverTheLauncherEnds() throws Exception {
    String script = "printf 'half a line'; : >written; exec sleep 1000";
    try (Child job = run("--output", "out", "sh", "-c", script).start()) {
      Deadline.await("the rank", () -> Files.exists(directory.resolve("written")), job::living);
      job.signal("KILL");
      job.await().exits(137);
      job.awaitNobody();
      assertEquals("half a line", written("out/rank-0.out"));
    }
  }

  @Test
  void linesCarryTheTimeBeforeTheRankOnTheTerminalAndInFiles() throws Exception {
    String script = "echo out; sleep 0.3; echo err >&2";
    Outcome outcome = run("-n", "2", "--timestamp", "sh", "-c", script).run().exits(0);
    assertEquals(2, outcome.lines().stream().filter(line -> line.matches(TIME + "\\[[01]] out")).count(),
        outcome::toString);
    assertEquals(2, outcome.err().lines().filter(line -> line.matches(TIME + "\\[[01]] err")).count(),
        outcome::toString);
    run("--timestamp", "echo", "x").run().exits(0).lines().forEach(line -> assertTrue(line.matches(TIME + "x"), line));
    run("-n", "2", "--timestamp", "--output", "plain", "sh", "-c", script).run().exits(0);
    assertTrue(written("plain/rank-1.out").matches(TIME + "out\n" + TIME + "err\n"), written("plain/rank-1.out"));
    run("-n", "2", "--tag-output", "--output", "tagged", "sh", "-c", script).run().exits(0);
    assertEquals("[1] out\n[1] err\n", written("tagged/rank-1.out"));
  }

  @Test
  void theRankThatWasNamedReadsTheInput() throws Exception {
    for (String reader : List.of("1", "none")) {
      try (Child job = run("-n", "2", "--stdin", reader, "cat").start()) {
        List<String> read = reader.equals("none") ? List.of() : List.of("[1] text");
        assertEquals(read, job.input("text\n").await().exits(0).lines());
      }
    }
  }

  @Test
  void eachPartHasAWorkingDirectoryAndSettingsLeadFromTheLaunchers() throws Exception {
    Path below = Files.createDirectory(directory.resolve("below"));
    String script = "echo $(pwd) $ADRASTEA_SHM_DIR";
    Outcome outcome =
        run("-D", "shm.dir=.", "--wdir", "below", "sh", "-c", script, ":", "sh", "-c", script).run().exits(0);
    Path shmDirectory = directory.resolve(".");
    assertEquals(
        List.of("[0] %s %s".formatted(below, shmDirectory), "[1] %s %s".formatted(directory, shmDirectory)),
        outcome.lines().stream().sorted().toList());
  }

  @Test
  void aCommandLineOfMpirunIsTakenAsItIs() throws Exception {
    Launch launch = run("-np", "2", "--oversubscribe", "--bind-to", "none", "--tag-output", "-x", "IT_X=a b");
    Outcome outcome = launch.add("--wdir", "/", "sh", "-c", "echo $IT_X in $(pwd)").run().exits(0);
    assertEquals(List.of("[0] a b in /", "[1] a b in /"), outcome.lines().stream().sorted().toList());
  }
}
