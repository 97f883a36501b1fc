package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Windows of processes that are killed at a certain point: with an exclusive lock, with a shared one, in lockAll, and
 * while they wait for one. Of each holder one of the others is told, of one that waits nobody, and then the window goes
 * on. {@code -Dadrastea.test.kills=N}: about so many kills instead of 20, {@code -Dadrastea.seed=N}: the same pauses as
 * a run before. Beside these, memory that is gone in the middle of an epoch.
 */
class WindowEndIT {
  private static final int VICTIMS = 2 * WindowEndRank.POINTS.length; // of one job
  private static final int MOST_PAUSE_MICROS = 5_000; // before a kill
  private static final String[] CORES = {"ffm", "java", "jni"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final int kills = Integer.getInteger("adrastea.test.kills", 20);
  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  @ParameterizedTest
  @ValueSource(strings = {"direct", "handler"})
  void ofEachHolderThatDiesOneIsToldAndTheWindowGoesOn(String way) throws Exception {
    System.out.printf("WindowEndIT: %d kills, -Dadrastea.seed=%d%n", kills / 2, seed);
    for (int job = 0; job * VICTIMS < kills / 2; job++) {
      killEach(way, job, new Random(seed + job));
    }
  }

  private void killEach(String way, int number, Random random) throws Exception {
    int size = WindowEndRank.SURVIVORS + VICTIMS;
    List<Child> ranks = new ArrayList<>();
    try {
      String job = job();
      for (int rank = 0; rank < size; rank++) {
        ranks.add(Launch.rank(shm, job, rank, size, "io.adrastea.it.WindowEndRank", "locks")
            .set("core", CORES[(rank + number) % CORES.length]).set("window", way).start());
      }
      for (int victim = WindowEndRank.SURVIVORS; victim < size; victim++) {
        String point = WindowEndRank.point(victim);
        ranks.get(victim).awaitOutput("^reached " + point + "$");
        int pause = random.nextInt(MOST_PAUSE_MICROS);
        Thread.sleep(pause / 1000, pause % 1000 * 1000);
        ranks.get(victim).signal("KILL");
        long told = 0;
        for (int rank = 0; rank < WindowEndRank.SURVIVORS; rank++) {
          told += ranks.get(rank).awaitNumber("^survivor %d was told ([0-9]+) of %d$".formatted(rank, victim));
        }
        assertEquals(point.equals("waiter") ? 0 : 1, told, point);
      }
      for (int rank = 0; rank < WindowEndRank.SURVIVORS; rank++) {
        ranks.get(rank).awaitOutput("^survived$");
        ranks.get(rank).await().exits(0);
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }

  private static String job() {
    return UUID.randomUUID().toString().replace("-", "").substring(0, 16);
  }

  @Test
  void accessesByCmaToMemoryOfADeadRankFail() throws Exception {
    String job = job();
    try (
        Child zero = Launch.rank(shm, job, 0, 2, "io.adrastea.it.WindowEndRank", "copies").set("window", "cma").start();
        Child one =
            Launch.rank(shm, job, 1, 2, "io.adrastea.it.WindowEndRank", "copies").set("window", "cma").start()) {
      one.awaitOutput("^reached the end$");
      zero.awaitOutput("^accessed$");
      one.signal("KILL");
      zero.awaitOutput("^survived$");
      zero.await().exits(0);
    }
  }

  /** On the stand-in for the kernel's module, which takes away what is attached, or leaves the pages as they were. */
  @ParameterizedTest
  @CsvSource({"0,tears-down", "1,tears-down", "0,leaves-mapped", "1,leaves-mapped"})
  void anEpochInWhichAnAttachmentEndsSaysSo(String who, String module) throws Exception {
    List<Child> ranks = new ArrayList<>();
    String job = job();
    try {
      for (int rank = 0; rank < 2; rank++) {
        ranks.add(Launch.rank(shm, job, rank, 2, "io.adrastea.it.WindowEndRank", "attachment", who)
            .set("window", "xpmem").set("library", CProgram.xpmemStandIn())
            .variable("ADRASTEA_STANDIN_MODULE", module).start());
      }
      for (Child rank : ranks) {
        rank.awaitOutput("^survived$");
        rank.await().exits(0);
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }
}
