package io.adrastea.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks in PID namespaces of their own, as in containers: they cannot look each other up by their numbers. */
class NamespaceIT {
  private static final String LINGER = "io.adrastea.it.LingerRank";
  private static String[] unshare;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);

  @BeforeAll
  static void findUnshare() throws Exception {
    unshare = unshare();
  }

  /** The command that runs what follows in a PID namespace of its own. */
  static String[] unshare() throws Exception {
    String[] own = {"unshare", "--pid", "--fork", "--kill-child"};
    String[] ofUser = {"unshare", "--user", "--map-current-user", "--pid", "--fork", "--kill-child"};
    String[] found = works(own) ? own : ofUser;
    assumeTrue(works(found), "unshare makes no PID namespace here");
    return found;
  }

  private static boolean works(String[] words) throws Exception {
    try {
      return Launch.command(words).add("true").run().code() == 0;
    } catch (IOException e) {
      return false; // there is no unshare
    }
  }

  private static Launch inside(Launch rank, boolean ownProc) {
    Launch launch = ownProc ? rank.under("--mount-proc") : rank;
    return launch.under(unshare);
  }

  @ParameterizedTest
  @CsvSource({"ffm,java,true", "java,ffm,true", "ffm,ffm,false", "java,java,false"})
  void aRankOutsideHearsOfTheDeathOfOneInside(String core, String killedCore, boolean ownProc) throws Exception {
    try (Child first = rank(0, core).start();
        Child killed = inside(rank(1, killedCore), ownProc).start();
        Child third = inside(rank(2, core), ownProc).start()) {
      for (Child rank : new Child[] {first, killed, third}) {
        rank.awaitOutput("^ready");
      }
      killed.signal("KILL"); // unshare, which takes what it has started with it
      first.await().exits(0).prints("recv failed: rank 1", "went on: 43");
      third.await().exits(0).prints("went on: 43");
    }
  }

  @ParameterizedTest
  @CsvSource({"ffm,true", "java,false"})
  void aRankInsideHearsOfTheDeathOfOneOutside(String core, boolean ownProc) throws Exception {
    try (Child first = inside(rank(0, core), ownProc).start();
        Child killed = rank(1, core).start();
        Child third = inside(rank(2, core), ownProc).start()) {
      for (Child rank : new Child[] {first, killed, third}) {
        rank.awaitOutput("^ready");
      }
      killed.signal("KILL");
      first.await().exits(0).prints("recv failed: rank 1", "went on: 43");
      third.await().exits(0).prints("went on: 43");
    }
  }

  @Test
  void aCRankInsideHearsOfTheDeathOfAJavaRankOutside() throws Exception {
    try (Child first = CProgram.rank(shm, job, 0, 2, "linger", "1").under(unshare).start();
        Child killed = Launch.rank(shm, job, 1, 2, LINGER, "wait").start()) {
      first.awaitOutput("^ready");
      killed.awaitOutput("^ready");
      killed.signal("KILL");
      first.await().exits(0).prints("wait failed: rank 1");
    }
  }

  /** The launcher's number means nothing inside, where there is no such process, or another. */
  @Test
  void theLauncherOutsideIsNotTakenForDead() throws Exception {
    Launch.adrastea(shm, "run", "-n", "2", "--")
        .add(unshare)
        .add(Launch.javaProgram().toString(), "-cp", Launch.jar() + File.pathSeparator + Launch.classes(),
            "io.adrastea.it.JoinRank")
        .run()
        .exits(0);
  }

  private Launch rank(int rank, String core) {
    return Launch.rank(shm, job, rank, 3, LINGER, "watch", "recv").set("core", core);
  }
}
