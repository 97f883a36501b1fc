package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A rank killed in the middle of a job. Each way to wait with one list of cores, and the ways to receive and the
 * barrier with several; with {@code -Dadrastea.test.kills=N}, as with {@code -Pproof}, each way with every list.
 */
class FailureIT {
  private static final List<String> WAYS =
      List.of("recv", "recv-any", "irecv", "send", "probe", "barrier", "probe-any", "wait-all", "claim", "work");
  private static final List<String> CORES = List.of("ffm,ffm", "java,java", "ffm,java", "java,ffm");

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  /** The core of the ranks that wait, and of the one that is killed. */
  static Stream<Arguments> waysAndCores() {
    if (Integer.getInteger("adrastea.test.kills") != null) {
      return WAYS.stream().flatMap(way -> CORES.stream().map(cores -> row(way + "," + cores)));
    }
    return Stream.of("recv,ffm,ffm", "recv,java,java", "recv-any,java,ffm", "irecv,ffm,java", "send,java,java",
        "probe,ffm,ffm", "barrier,ffm,java", "barrier,java,ffm", "probe-any,ffm,java", "wait-all,ffm,ffm",
        "claim,java,ffm", "work,ffm,ffm", "work,java,java").map(FailureIT::row);
  }

  private static Arguments row(String words) {
    return Arguments.of((Object[]) words.split(","));
  }

  @ParameterizedTest
  @MethodSource("waysAndCores")
  void whatWaitsForAKilledRankFailsAndTheOthersGoOn(String kind, String core, String killedCore)
      throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    List<Child> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < 3; rank++) {
        ranks.add(
            Launch.rank(shm, job, rank, 3, "io.adrastea.it.LingerRank", "watch", kind)
                .set("core", rank == 1 ? killedCore : core)
                .start());
      }
      for (Child rank : ranks) {
        rank.awaitOutput("^ready");
      }
      ranks.get(1).signal("KILL");
      ranks.get(0).awaitOutput("^" + kind + " failed: rank 1$");
      ranks.get(0).await().exits(0).prints("went on: 43");
      ranks.get(2).await().exits(0).prints("went on: 43");
    } finally {
      ranks.forEach(Child::close);
    }
  }

  @ParameterizedTest
  @CsvSource({"recv,ffm", "barrier,java"})
  void aRankThatIsStoppedIsWaitedFor(String kind, String core) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    Launch waiting = rank(job, 0, kind).set("core", core);
    Looks looks = Looks.of(waiting, directory);
    try (Child first = waiting.start();
        Child stopped = rank(job, 1, kind).set("core", core).start()) {
      first.awaitOutput("^ready");
      stopped.awaitOutput("^ready");
      stopped.signal("STOP");
      looks.awaitTwoMore(1, first);
      stopped.signal("KILL");
      first.await().exits(0).prints(kind + " failed: rank 1");
    }
  }

  /** What NamespaceIT does where the system makes namespaces. */
  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void aRankOfAnotherPidNamespaceIsToldByItsLock(String core) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    String[] words = {"io.adrastea.it.LingerRank", "watch", "recv"};
    JobFile file = JobFile.of(shm, job);
    Launch waiting = Launch.rank(shm, job, 0, 3, words).set("core", core);
    Looks looks = Looks.of(waiting, directory);
    try (Child first = waiting.start()) {
      file.awaitAttached(0, first);
      try (Child killed = Launch.rank(shm, job, 1, 3, words).set("core", core).start()) {
        file.awaitAttached(1, killed);
        file.moveToOtherNamespace(1);
        try (Child third = Launch.rank(shm, job, 2, 3, words).set("core", core).start()) {
          third.awaitOutput("^ready");
          killed.awaitOutput("^ready");
          looks.awaitTwoMore(1, first);
          killed.signal("KILL");
          first.await().exits(0).prints("recv failed: rank 1", "went on: 43");
          third.await().exits(0).prints("went on: 43");
        }
      }
    }
  }

  private Launch rank(String job, int rank, String kind) {
    return Launch.rank(shm, job, rank, 2, "io.adrastea.it.LingerRank", "watch", kind);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void theLauncherNamesTheKilledRankAndItsSignalAndEndsTheRest(String core) throws Exception {
    try (Child job =
        Launch.adrastea(
            shm,
            "run",
            "-n",
            "3",
            "--core",
            core,
            "--",
            "java",
            "io.adrastea.it.LingerRank",
            "wait")
            .start()) {
      for (int rank = 0; rank < 3; rank++) {
        job.awaitNumber("^\\[" + rank + "\\] ready (\\d+)");
      }
      Processes.signal("KILL", job.awaitNumber("^\\[1\\] ready (\\d+)"));
      job.await().exits(137).says("adrastea: rank 1 was killed by signal 9 (SIGKILL)");
      assertEquals(List.of(), job.living());
    }
  }
}
