package io.adrastea.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ranks killed at random in collectives of all kinds and forms: each survivor ends the collective with right data or
 * fails with the number of the dead rank, the next one fails on all, and a communicator of the survivors goes on.
 * {@code -Dadrastea.test.kills=N}: so many kills; {@code -Dadrastea.seed=N}: the order and pauses of a run before.
 */
class CollectiveSurvivalIT {
  private static final int FEW_KILLS = 6;
  private static final int SURVIVORS = 2;
  private static final int VICTIMS = 6; // of one job
  private static final String FEW_BUFFERS = "-XX:MaxDirectMemorySize=128m"; // at a time, since each is left to the GC
  private static final int MOST_PAUSE = 100; // milliseconds from the beginning of a round to its kill
  private static final String[] ALL = {"ffm", "java", "jni"};
  private static final String[] READERS = {"ffm", "jni"}; // which read each other's memory

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final int kills = Integer.getInteger("adrastea.test.kills", FEW_KILLS);
  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  @Test
  void aRankKilledInACollectiveFailsItForAllAndTheOthersGoOn() throws Exception {
    System.out.printf("CollectiveSurvivalIT: %d kills, -Dadrastea.seed=%d%n", kills, seed);
    for (int done = 0; done < kills; done += VICTIMS) {
      kill(ALL, seed + done, Math.min(VICTIMS, kills - done));
    }
  }

  @Test
  void norDoesOneWhoseMemoryIsRead() throws Exception {
    System.out.printf("CollectiveSurvivalIT: %d kills, -Dadrastea.seed=%d%n", kills, seed);
    for (int done = 0; done < kills; done += VICTIMS) {
      kill(READERS, seed + done, Math.min(VICTIMS, kills - done));
    }
  }

  private void kill(String[] cores, long seed, int victims) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    Random random = new Random(seed);
    int size = SURVIVORS + victims;
    List<Child> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        ranks.add(
            Launch.rank(
                shm, job, rank, size, "io.adrastea.it.CollectiveSurvivalRank", Long.toString(seed),
                Integer.toString(victims)).flags(FEW_BUFFERS).set("core", cores[rank % cores.length]).start());
      }
      List<Child> living = new ArrayList<>(ranks);
      for (int round = 0; round < victims; round++) {
        for (Child rank : living) {
          rank.awaitOutput("^round " + round + "$");
        }
        Thread.sleep(random.nextInt(MOST_PAUSE));
        Child victim = living.remove(random.nextInt(living.size()));
        victim.signal("KILL");
        victim.await().exits(137);
      }
      for (Child rank : living) {
        rank.await().exits(0).prints("survived " + victims);
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }
}
