package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Joining when ranks are missing, die or say contradictory things. */
class JoinIT {
  private static final String PROGRAM = "io.adrastea.it.JoinRank";
  private static final int SHORT_MILLIS = 700;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);

  @Test
  void ranksThatNeverComeAreNamedAtTheDeadline() throws Exception {
    rank(0, 4)
        .set("join.timeout", SHORT_MILLIS)
        .run()
        .exits(1)
        .says("JoinException", "rank(s) [1, 2, 3] of 4");
  }

  @Test
  void onlyThoseMissingAreNamed() throws Exception {
    try (Child third = rank(2, 4).start()) {
      third.awaitOutput("^joining"); // before rank 0, whose patience is short
      try (Child first = rank(0, 4).set("join.timeout", 5_000).start()) {
        first.await().exits(1).says("rank(s) [1, 3] of 4");
      }
      // It ends before its own deadline.
      third.await().exits(1).says("rank(s) [0] died or gave up while joining; rank(s) [1, 3] had not come");
    }
  }

  @Test
  void rankZeroIsNamedByThoseWhoWaitForItsFile() throws Exception {
    rank(1, 2)
        .set("join.timeout", SHORT_MILLIS)
        .run()
        .exits(1)
        .says("JoinException", "rank 0 to create", job);
  }

  @Test
  void theLauncherEndsAJobInWhichARankNeverJoins() throws Exception {
    String script = "if [ $ADRASTEA_RANK = 1 ]; then exec sleep 1000; fi; exec \"$@\"";
    Launch.adrastea(
        shm,
        "run",
        "-n",
        "2",
        "--join-timeout",
        "" + SHORT_MILLIS,
        "--",
        "sh",
        "-c",
        script,
        "sh")
        .add(Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED")
        .add("-cp", Launch.jar() + ":" + Launch.classes(), PROGRAM)
        .run()
        .exits(1)
        .says("rank(s) [1] of 2", "rank 0 exited with code 1");
  }

  /** Rank 0 would make what the others wait for; any other is missed in it. */
  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "0, 3", "1, 3"})
  void theOthersDoNotWaitForARankThatEndsBeforeItJoins(int ending, int code) throws Exception {
    Outcome outcome = endsBeforeItJoins(ending, code).run().exits(code == 0 ? 1 : 2);
    outcome.says("JoinException", "rank(s) [" + ending + "] died or gave up while joining");
    if (ending != 0) {
      outcome.says("rank 1 ended before it joined; the others cannot join without it");
    }
    outcome.says("rank " + (1 - ending) + " exited with code 1");
  }

  /** Where it ends with an error, it is the job that is to keep going. */
  private Launch endsBeforeItJoins(int ending, int code) {
    String script = "if [ $ADRASTEA_RANK = " + ending + " ]; then exit " + code + "; fi; exec \"$@\"";
    Launch launch = Launch.adrastea(shm, "run", "-n", "2");
    (code == 0 ? launch : launch.add("--keep-going")).add("--", "sh", "-c", script, "sh");
    return java(launch);
  }

  private static Launch java(Launch launch) {
    return launch
        .add(Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED")
        .add("-cp", Launch.jar() + ":" + Launch.classes(), PROGRAM);
  }

  /** The process of rank 0 goes on after its joining has failed. */
  @Test
  void whoComesAfterRankZeroGaveUpHearsSoAtOnce() throws Exception {
    String script =
        """
            case $ADRASTEA_RANK in
              0) "$@"; : >gave-up; while [ ! -e heard ]; do sleep 0.05; done; exit 1;;
              1) exit 1;;
              2) while [ ! -e gave-up ]; do sleep 0.05; done; "$@"; : >heard; exit 1;;
            esac
            """;
    Outcome outcome =
        java(Launch.adrastea(shm, "run", "-n", "3", "--join-timeout", "600000", "--keep-going", "--", "sh", "-c",
            script, "sh"))
            .in(directory)
            .run()
            .exits(3);
    outcome.says(
        "[0] Exception in thread \"main\" io.adrastea.error.JoinException: rank 0 cannot join: rank(s) [1] died "
            + "or gave up");
    outcome.says(
        "[2] Exception in thread \"main\" io.adrastea.error.JoinException: rank 2 cannot join: rank(s) [0, 1] "
            + "died or gave up");
  }

  @Test
  void aProcessThatAShellLeftBehindIsTheRank() throws Exception {
    // The launcher looks several times.
    Outcome outcome = leftBehind("sleep 0.7; exec \"$@\"").run().exits(0).prints("[0] all 2 joined");
    outcome.saysNothing();
  }

  @Test
  void theOthersDoNotWaitForAProcessThatAShellLeftBehindWhenThatHasEndedToo() throws Exception {
    leftBehind("sleep 0.7").run().exits(1).says("rank(s) [1] died or gave up while joining",
        "rank 1 ended before it joined");
  }

  /** Rank 1 is a shell that starts this and ends at once. */
  private Launch leftBehind(String script) {
    String shell = "if [ $ADRASTEA_RANK = 0 ]; then exec \"$@\"; fi; (" + script + ") & exit 0";
    return java(Launch.adrastea(shm, "run", "-n", "2", "--join-timeout", "600000", "--", "sh", "-c", shell, "sh"));
  }

  /** A rank's watch does, where the launcher does not kill it first. */
  @Test
  void aRankThatEndsWithItsLauncherWhileJoiningLeavesNoFile() throws Exception {
    try (Child launcher = Launch.command("sleep", "1000").start();
        Child first = rank(0, 2).set("launcher", launcher.pid() + ":0").start()) {
      JobFile.of(shm, job).awaitAttached(0, first);
      launcher.signal("KILL");
      launcher.await();
      first.await().exits(143);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RANK=2 SIZE=2 JOB=0123456789abcdef | ADRASTEA_RANK=2, but ADRASTEA_SIZE=2: ranks are 0 to"
            + " 1",
        "RANK=-1 SIZE=2 JOB=0123456789abcdef | adrastea.rank is '-1'",
        "RANK=0 SIZE=0 JOB=0123456789abcdef | adrastea.size is '0'",
        "RANK=0 SIZE=1025 JOB=0123456789abcdef | allowed is a whole number from 1 to 1024",
        "RANK=one SIZE=2 JOB=0123456789abcdef | adrastea.rank is 'one'",
        "RANK=0 SIZE=1 JOB=42 | ADRASTEA_JOB is '42'; allowed are 16 hex digits",
        "RANK=0 SIZE=2 | missing: ADRASTEA_JOB",
        "RANK=0 JOB=0123456789abcdef | missing: ADRASTEA_SIZE",
        "SIZE=2 JOB=0123456789abcdef | missing: ADRASTEA_RANK",
        "RANK=0 SIZE=1 JOB=0123456789abcdef LAUNCHER=me | ADRASTEA_LAUNCHER is 'me'; allowed is"
            + " <pid>:<start>",
        "RANK=0 SIZE=1 JOB=0123456789abcdef LAUNCHER=1:1 | the launcher, process 1, is gone",
        "RANK=0 SIZE=1 JOB=0123456789abcdef CORE=fast | 'fast'",
        "RANK=0 SIZE=1 JOB=0123456789abcdef BIND=99999 | adrastea.bind=99999",
        "RANK=0 SIZE=1 JOB=0123456789abcdef CELLS=1 | adrastea.cells is '1'",
        "RANK=0 SIZE=1 JOB=0123456789abcdef SHM_DIR=/nowhere | there is no directory /nowhere",
        "RANK=0 SIZE=1 JOB=0123456789abcdef JOIN_TIMEOUT=soon | adrastea.join.timeout is 'soon'"
      })
  void settingsThatAreMissingOrContradictoryAreNamed(String settings, String said)
      throws Exception {
    Launch program = Launch.rank(shm, "", 0, 0, PROGRAM);
    for (String name : new String[] {"job", "rank", "size"}) {
      program.set(name, "");
    }
    for (String setting : settings.trim().split(" ")) {
      program.set(
          setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
    }
    program.run().exits(1).says(said);
  }

  @Test
  void ranksThatDisagreeAboutTheSizeAreRefused() throws Exception {
    try (Child first = rank(0, 3).start()) {
      JobFile.of(shm, job).awaitAttached(0, first);
      rank(1, 2).run().exits(1).says("rank count is 0x3, this process expects 0x2");
      first.signal("KILL");
      first.await();
    }
    removeByNextJob();
  }

  @Test
  void aSecondProcessOfRankZeroIsRefused() throws Exception {
    try (Child first = rank(0, 2).start()) {
      JobFile.of(shm, job).awaitAttached(0, first);
      rank(0, 2).run().exits(1).says("SegmentException", job, "another process is rank 0 of this job already");
      try (Child second = rank(1, 2).start()) { // and does no harm to the job
        second.await().exits(0);
        first.await().exits(0).prints("all 2 joined");
      }
    }
  }

  @Test
  void aSecondProcessOfAnyOtherRankIsRefused() throws Exception {
    try (Child first = rank(0, 3).start()) {
      JobFile.of(shm, job).awaitAttached(0, first);
      try (Child second = rank(1, 3).start()) {
        JobFile.of(shm, job).awaitAttached(1, second);
        rank(1, 3).run().exits(1).says("JoinException", "rank 1", "process " + second.pid());
        try (Child third = rank(2, 3).start()) {
          third.await().exits(0);
          second.await().exits(0);
          first.await().exits(0).prints("all 3 joined");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void aRankThatDiesWhileJoiningIsNamedLongBeforeTheDeadline(String core) throws Exception {
    try (Child first = rank(0, 3).set("core", core).start()) {
      JobFile.of(shm, job).awaitAttached(0, first);
      try (Child second = rank(1, 3).set("core", core).start()) {
        JobFile.of(shm, job).awaitAttached(1, second);
        second.signal("KILL");
        second.await().exits(137);
      }
      first.await().exits(1).says("JoinException", "rank(s) [1] died or gave up while joining");
    }
  }

  private Launch rank(int rank, int size) {
    return Launch.rank(shm, job, rank, size, PROGRAM).set("join.timeout", 600_000);
  }

  private void removeByNextJob() throws Exception {
    Launch.rank(shm, "00000000000000ff", 0, 1, PROGRAM).run().exits(0);
  }
}
