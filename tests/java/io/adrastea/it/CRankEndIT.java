package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.layout.SegmentHeaderDescriptor;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * C ranks and Java ranks in one job when something goes wrong: one dies, the launcher dies, one is of another build.
 */
class CRankEndIT {
  private static final String LINGER = "io.adrastea.it.LingerRank";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void aJavaRankThatWaitsForAKilledCRankFailsAndGoesOn(String core) throws Exception {
    try (Child first = Launch.rank(shm, job, 0, 3, LINGER, "watch", "recv").set("core", core).start();
        Child killed = CProgram.rank(shm, job, 1, 3, "linger", "0").start();
        Child third = Launch.rank(shm, job, 2, 3, LINGER, "watch", "recv").set("core", core).start()) {
      for (Child rank : new Child[] {first, killed, third}) {
        rank.awaitOutput("^ready");
      }
      killed.signal("KILL");
      first.await().exits(0).prints("recv failed: rank 1", "went on: 43");
      third.await().exits(0).prints("went on: 43");
    }
  }

  /** The Java rank makes no progress: what is sent to it stays where it is. */
  @ParameterizedTest
  @CsvSource({"wait,ffm", "wait,java", "any,ffm", "send,java", "send,ffm", "barrier,java"})
  void aCRankThatWaitsForAKilledJavaRankHearsOfIt(String way, String core) throws Exception {
    try (Child first = CProgram.rank(shm, job, 0, 2, "linger", "1", way).start();
        Child killed = Launch.rank(shm, job, 1, 2, LINGER, "watch", "none").set("core", core).start()) {
      first.awaitOutput("^ready");
      killed.awaitOutput("^ready");
      killed.signal("KILL");
      first.await().exits(0).prints(way + " failed: rank 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"wait", "send", "barrier"})
  void aCRankThatWaitsForAKilledCRankHearsOfIt(String way) throws Exception {
    Launch waiting = CProgram.rank(shm, job, 0, 2, "linger", "1", way);
    Looks looks = Looks.of(waiting, directory);
    try (Child first = waiting.start();
        Child killed = CProgram.rank(shm, job, 1, 2, "linger", "0", "nothing").start()) {
      first.awaitOutput("^ready");
      killed.awaitOutput("^ready");
      killed.signal("STOP");
      looks.awaitTwoMore(1, first);
      killed.signal("KILL");
      first.await().exits(0).prints(way + " failed: rank 1");
    }
  }

  @Test
  void theLauncherNamesAKilledCRankAndEndsTheRest() throws Exception {
    try (Child launched =
        Launch.adrastea(shm, "run", "--", "java", LINGER, "wait", ":", "-n", "2", CProgram.of("linger"), "0").start()) {
      for (int rank = 0; rank < 3; rank++) {
        launched.awaitOutput("^\\[" + rank + "\\] ready");
      }
      Processes.signal("KILL", launched.awaitNumber("^\\[1\\] ready (\\d+)"));
      launched.await().exits(137).says("rank 1 was killed by signal 9 (SIGKILL)");
      assertEquals(java.util.List.of(), launched.living());
    }
  }

  @Test
  void killingTheLauncherEndsCRanks() throws Exception {
    try (Child launched = Launch.adrastea(shm, "run", "-n", "2", "--", CProgram.of("linger"), "0").start()) {
      launched.awaitOutput("^\\[0\\] ready");
      launched.awaitOutput("^\\[1\\] ready");
      launched.signal("KILL");
      launched.await().exits(137);
      launched.awaitNobody();
    }
  }

  @Test
  void aCRankBuiltAgainstAnotherLayoutIsRefused() throws Exception {
    try (Child first = Launch.rank(shm, job, 0, 2, LINGER, "wait").start()) {
      JobFile file = JobFile.of(shm, job);
      file.awaitAttached(0, first);
      file.patchHeader(SegmentHeaderDescriptor.LAYOUT_CRC_OFFSET, 1);
      CProgram.rank(shm, job, 1, 2, "linger", "0")
          .run()
          .exits(1)
          .says("the segment has another layout; all ranks need the same Adrastea");
      first.signal("KILL");
      first.await();
    }
    removeByNextJob();
  }

  @Test
  void aJavaRankRefusesTheSegmentOfACRankBuiltAgainstAnotherLayout() throws Exception {
    try (Child first = CProgram.rank(shm, job, 0, 2, "linger", "1").start()) {
      JobFile file = JobFile.of(shm, job);
      file.awaitAttached(0, first);
      file.patchHeader(SegmentHeaderDescriptor.LAYOUT_CRC_OFFSET, 1);
      Launch.rank(shm, job, 1, 2, LINGER, "wait")
          .run()
          .exits(1)
          .says("SegmentException", "layout CRC is 0x1", "all ranks of a job must run the same version");
      first.signal("KILL");
      first.await();
    }
    removeByNextJob();
  }

  /** A C rank that makes a segment takes away the file of a creator that was killed. */
  private void removeByNextJob() throws Exception {
    CProgram.rank(shm, "00000000000000ff", 0, 1, "stress", "1", "1").run().exits(0);
  }
}
