package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code run} starts, and how a job ends whose ranks end by themselves. */
class LauncherIT {
  private static final String LAUNCHER = "io.adrastea.cli.run.LauncherBesideCause";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void everyRankIsToldWhoItIs() throws Exception {
    Outcome outcome = run("3", "echo $ADRASTEA_RANK of $ADRASTEA_SIZE in $ADRASTEA_JOB").exits(0);
    List<String> lines = outcome.lines().stream().sorted().toList();
    String job = lines.get(0).substring(lines.get(0).lastIndexOf(' ') + 1);
    assertTrue(job.matches("[0-9a-f]{16}"), job);
    String said = "[%1$d] %1$d of 3 in " + job;
    assertEquals(List.of(said.formatted(0), said.formatted(1), said.formatted(2)), lines);
    outcome.saysNothing();
  }

  @Test
  void aJobWhoseRanksAllSucceedSucceeds() throws Exception {
    run("2", "exit 0").exits(0);
  }

  @ParameterizedTest
  @CsvSource({
    "exit 7, 7, exited with code 7",
    "kill -SEGV $$, 139, was killed by signal 11 (SIGSEGV)",
    "kill -KILL $$, 137, was killed by signal 9 (SIGKILL)"
  })
  void theRankThatFailsEndsTheJobAndIsNamed(String failure, int code, String said)
      throws Exception {
    String script =
        "if [ $ADRASTEA_RANK = 1 ]; then sleep 0.3; " + failure + "; fi; exec sleep 1000";
    try (Child job = start("3", script)) {
      job.await().exits(code).says("rank 1 " + said);
      assertEquals(List.of(), job.living());
    }
  }

  /** Else the line that matters stands behind two stack traces. */
  @Test
  void whatFollowsFromAFailureIsSaidBehindItInALineEach() throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "3", "--", "java", "io.adrastea.it.LingerRank", "exit").run().exits(3);
    String cause = "adrastea: rank 1 exited with code 3";
    String first = outcome.err().lines().filter(line -> line.startsWith(cause) || line.contains("RankFailedException"))
        .findFirst().orElse("");
    assertTrue(first.startsWith(cause), outcome::toString);
    assertFalse(outcome.err().contains("\tat "), outcome::toString);
  }

  /** Rank 0 writes while the launcher looks for the cause, which a file shows; SIGTERM does not keep it from that. */
  @Test
  void whatAnotherRankWritesOnAFailureIsReadBehindIt() throws Exception {
    Path looks = directory.resolve("looks");
    String script =
        "[ $ADRASTEA_RANK = 0 ] || exit 3; trap '' TERM; while [ ! -e \"$0\" ]; do :; done; echo survivor >&2";
    Launch launch =
        Launch.java("-cp", Launch.jar() + File.pathSeparator + Launch.classes(), LAUNCHER, looks.toString())
            .add("run", "-n", "2", "--", "sh", "-c", script, looks.toString())
            .set("shm.dir", shm.path());
    Outcome outcome = launch.run().exits(3);
    List<String> lines = outcome.err().lines().toList();
    assertEquals(2, lines.size(), outcome::toString);
    assertTrue(lines.get(0).startsWith("adrastea: rank 1 exited with code 3"), outcome::toString);
    assertEquals("[0] survivor", lines.get(1));
  }

  @Test
  void aRankThatFailsLeavesTheOthersRunningWhenTheJobIsToKeepGoing() throws Exception {
    String script =
        "case $ADRASTEA_RANK in 0) exit 7;; 2) kill -KILL $$;; *) sleep 0.5; echo done;; esac";
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "4", "--keep-going", "--", "sh", "-c", script).run().exits(2);
    outcome.prints("[1] done", "[3] done");
    outcome.says(
        "rank 0 exited with code 7; the other ranks go on",
        "rank 2 was killed by signal 9 (SIGKILL); the other ranks go on");
  }

  @Test
  void aJobThatIsToKeepGoingAndHasNoFailureSucceeds() throws Exception {
    Launch.adrastea(shm, "run", "-n", "2", "--keep-going", "--", "true").run().exits(0);
  }

  @Test
  void whatRanksStartedThatFailedEndsWithAJobThatKeptGoing() throws Exception {
    String script = "if [ $ADRASTEA_RANK = 0 ]; then sleep 1000 & exit 5; fi";
    try (Child job = Launch.adrastea(shm, "run", "-n", "2", "--keep-going", "--", "sh", "-c", script).start()) {
      job.await().exits(1).says("rank 0 exited with code 5");
      assertEquals(List.of(), job.living());
    }
  }

  /** Which of the two ends is heard of first is chance. */
  @Test
  void theRankThatWasKilledIsNamedAndNotTheOneThatFailedForIt() throws Exception {
    String script =
        "if [ $ADRASTEA_RANK = 1 ]; then sleep 0.1; kill -KILL $$; fi; sleep 0.1; exit 1";
    run("2", script).exits(137).says("rank 1 was killed by signal 9 (SIGKILL)");
  }

  @Test
  void whatTheFailingJobsRanksStartedEndsToo() throws Exception {
    String script = "sleep 1000 & if [ $ADRASTEA_RANK = 0 ]; then exit 5; fi; wait";
    try (Child job = start("2", script)) {
      job.await().exits(5);
      assertEquals(List.of(), job.living());
    }
  }

  @Test
  void aRankThatIgnoresSigtermIsEndedAllTheSame() throws Exception {
    String script =
        "if [ $ADRASTEA_RANK = 1 ]; then sleep 0.3; exit 4; fi; trap '' TERM; while :; do sleep 1;"
            + " done";
    try (Child job = start("2", script)) {
      job.await().exits(4).says("rank 1 exited with code 4");
      assertEquals(List.of(), job.living());
    }
  }

  @Test
  void anUncaughtExceptionOfOneRankIsTheJobsFailure() throws Exception {
    Launch.adrastea(shm, "run", "-n", "2", "--", "java", "io.adrastea.it.LingerRank", "fail")
        .run()
        .exits(1)
        .says("rank 1 exited with code 1", "[1] Exception in thread \"main\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "c"})
  void aRankThatEndsWellWithoutLeavingItsJobIsNamed(String program) throws Exception {
    Launch launch =
        Launch.adrastea(shm, "run", "--keep-going", "java", "io.adrastea.it.LingerRank", "quit", "recv", ":");
    Launch both =
        program.equals("java")
            ? launch.add("java", "io.adrastea.it.LingerRank", "quit", "recv")
            : launch.add(CProgram.of("linger"), "0", "quit");
    try (Child job = both.under("sh", "-c", "exec \"$0\" \"$@\" 2>&1").start()) {
      job.awaitOutput("^\\[0\\] recv failed: rank 1");
      job.awaitOutput(
          "^adrastea: rank 1 ended without leaving its job, so for the others it has failed; .*Job.close, in C "
              + "adr_job_leave");
      Outcome outcome = job.input("").await().exits(0);
      assertEquals(1, outcome.lines().stream().filter(line -> line.startsWith("adrastea:")).count(), outcome::toString);
    }
  }

  @Test
  void ranksThatLeaveTheirJobAreNotNamed() throws Exception {
    Outcome outcome = Launch.adrastea(shm, "run", "-n", "3", "java", "io.adrastea.it.JoinRank").run().exits(0);
    outcome.saysNothing();
  }

  @Test
  void aProgramThatIsNotThereIsNamed() throws Exception {
    Launch.adrastea(shm, "run", "--", "no-such-program").run().exits(127).says("'no-such-program'");
    Launch.adrastea(shm, "run", "--", "./missing")
        .in(directory)
        .run()
        .exits(127)
        .says("'./missing'");
  }

  /** Nothing is started, and what was given by an option is not said to come from the environment. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--join-timeout -5 | adrastea.join.timeout is '-5' (from --join-timeout); allowed is a whole number from 1 to",
        "-D cells=abc | adrastea.cells is 'abc' (from -D); allowed is a whole number from 2 to 65536 (cells)",
        "-D lmt=knem | adrastea.lmt is 'knem' (from -D); allowed are auto, shared, xpmem, cma and ring",
        "-D box.lines=64 -D box.message.bytes=16384 | 16384; allowed is 0 to 2016 (adrastea.box.lines, adrastea.box",
        "-D ring.bytes=4096 | adrastea.ring.chunk is 8192; allowed are powers of two from 64 to 4096",
        "-D library=/nonexistent | adrastea.library is '/nonexistent', which no core can use",
        "-D core=x | adrastea.core has 'x'; allowed are auto, ffm",
        "--shm-dir /nonexistent | there is no directory /nonexistent; make it"
      })
  void settingsThatRanksWouldRefuseAreRefusedBeforeAnyIsStarted(String options, String said) throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run").add(options.split(" ")).add("--", "sh", "-c", ": >started").in(directory).run()
            .exits(2);
    outcome.says(said);
    assertEquals(List.of(), outcome.lines());
    assertFalse(Files.exists(directory.resolve("started")));
  }

  @Test
  void settingsOfTheEnvironmentAreLookedAtToo() throws Exception {
    Launch.adrastea(shm, "run", "true")
        .set("spins", "many")
        .run()
        .exits(2)
        .says("adrastea.spins is 'many' (from environment); allowed is a whole number");
    Launch.adrastea(shm, "run", "true").set("spins", "").set("core", " FFM").run().exits(0);
  }

  @Test
  void anEmptyOptionLeavesToRanksWhatTheEnvironmentSays() throws Exception {
    Outcome outcome = Launch.adrastea(shm, "run", "-D", "spins=", "sh", "-c", "echo $ADRASTEA_SPINS").set("spins", "12")
        .run().exits(0);
    assertEquals(List.of("12"), outcome.lines());
  }

  @Test
  void coresOfASettingAreDealtAsThoseOfTheOption() throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "3", "-D", "core=ffm,java", "sh", "-c", "echo $ADRASTEA_CORE").run().exits(0);
    assertEquals(List.of("[0] ffm", "[1] java", "[2] ffm"), outcome.lines().stream().sorted().toList());
  }

  /** These are variables as RANK and the like; a rank that is a launcher has them for itself. */
  @Test
  void whatTheLauncherDecidesIsNotTakenFromItsEnvironment() throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "sh", "-c", "echo $ADRASTEA_RANK of $ADRASTEA_SIZE on ${ADRASTEA_BIND-none}")
            .set("bind", "99999")
            .set("rank", "7")
            .set("size", "x")
            .run()
            .exits(0);
    assertEquals(List.of("0 of 1 on none"), outcome.lines());
  }

  @Test
  void aFileThatIsNotExecutableIsNamed() throws Exception {
    Files.writeString(directory.resolve("plain"), "text");
    Launch.adrastea(shm, "run", "--", "./plain").in(directory).run().exits(126).says("'./plain'");
  }

  @Test
  void javaIsThisJavaAndFindsAdrasteaBeforeTheClassPath() throws Exception {
    Files.writeString(
        directory.resolve("Where.java"),
        """
            public class Where {
              public static void main(String[] args) {
                try (io.adrastea.Job job = io.adrastea.Job.join()) {
                  System.out.println(job.world().size() + " " + args[0]);
                }
                System.out.println(System.getProperty("java.home"));
                System.out.println(System.getenv("CLASSPATH"));
              }
            }
            """);
    Outcome outcome =
        Launch.adrastea(shm, "run", "--", "java", "Where.java", "word")
            .in(directory)
            .run()
            .exits(0);
    String path = Launch.jar() + ":" + Launch.classes();
    assertEquals(List.of("1 word", System.getProperty("java.home"), path), outcome.lines());
    outcome.saysNothing();
  }

  private Child start(String ranks, String script) throws Exception {
    return Launch.adrastea(shm, "run", "-n", ranks, "--", "sh", "-c", script).start().input("");
  }

  private Outcome run(String ranks, String script) throws Exception {
    try (Child job = start(ranks, script)) {
      return job.await();
    }
  }
}
