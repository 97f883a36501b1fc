package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank whose program throws, gives up or aborts: the others, and the launcher, hear why. */
class BugIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private Launch run(int ranks, String... words) {
    return Launch.adrastea(shm, "run", "-n", Integer.toString(ranks)).add(words);
  }

  @Test
  void theOthersAndTheLauncherReadWhatARankHasThrown() throws Exception {
    run(2, "--keep-going", "java", "io.adrastea.it.BugRank", "throw")
        .run()
        .exits(1)
        .prints("has failed: IllegalStateException: client 1 has a bug; a receive from", "failed ranks [1]")
        .says("rank 1 exited with code 1",
            "Exception in thread \"main\" java.lang.IllegalStateException: client 1 has a bug");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void theOthersReadWhyARankGivesUp(String core) throws Exception {
    run(2, "--keep-going", "--core", core, "java", "io.adrastea.it.BugRank", "fail")
        .run()
        .exits(0)
        .prints("has failed: no license for  [31mclient [0m 1; a receive from", "failed ranks [1]");
  }

  @Test
  void theLauncherSaysWhyARankHasGivenUpWhoseProgramEndsWell() throws Exception {
    try (Child job = run(3, "java", "io.adrastea.it.BugRank", "fail").start()) {
      String said = job.awaitErrors("^adrastea: rank 1 .*").group();
      assertEquals("adrastea: rank 1 has failed: no license for  [31mclient [0m 1", said);
    }
  }

  @Test
  void theLauncherNamesTheReasonWhereOthersAreStillThere() throws Exception {
    run(3, "java", "io.adrastea.it.BugRank", "throw")
        .run()
        .exits(1)
        .says("rank 1 exited with code 1: IllegalStateException: client 1 has a bug; ending the other ranks");
  }

  @Test
  void abortEndsTheWholeJobWithItsCodeThoughOthersAreToGoOn() throws Exception {
    run(3, "--keep-going", "java", "io.adrastea.it.BugRank", "abort")
        .run()
        .exits(7)
        .says("rank 1 exited with code 7: it aborted the job with exit code 7; ending the other ranks");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void aRankThatAbortsTheJobWhileItIsInACallIsHeard(String core) throws Exception {
    run(4, "--keep-going", "--core", core, "java", "io.adrastea.it.BugRank", "abort-inside")
        .run()
        .exits(7)
        .says("rank 1 exited with code 7: it aborted the job with exit code 7");
  }

  @Test
  void theOthersReadWhyARankGaveUpThatEndedWhileItWasInACall() throws Exception {
    run(3, "--keep-going", "java", "io.adrastea.it.BugRank", "exit-inside")
        .run()
        .exits(1)
        .prints("has failed: no license; a receive from", "failed ranks [1, 2]")
        .says("rank 1 exited with code 2");
  }

  @Test
  void aJavaRankReadsWhyACRankGivesUp() throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    try (Child server = Launch.rank(shm, job, 0, 2, "io.adrastea.it.BugRank", "throw").start();
        Child bug = CProgram.rank(shm, job, 1, 2, "server", "bug").start()) {
      bug.input("").await().exits(1);
      server.await().exits(0).prints("has failed: client 1 has a bug; a ", "failed ranks [1]");
    }
  }
}
