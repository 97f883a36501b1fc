package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ranks that are killed at random while all make communicators and close them: the others hear of it, revoke and shrink
 * to those that are left, and no number of a communicator is lost but those that a living rank was to have.
 * {@code -Dadrastea.test.kills=N}: about so many kills instead of 20, {@code -Dadrastea.seed=N}: the same pauses as a
 * run before.
 */
class CommunicatorDeathIT {
  private static final int VICTIMS = 5; // of one job
  private static final int MOST_PAUSE = 100; // milliseconds before a kill
  private static final String[] CORES = {"ffm", "java", "jni", "java", "ffm"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final int kills = Integer.getInteger("adrastea.test.kills", 20);
  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  @Test
  void ranksKilledWhileCommunicatorsAreMadeTakeNoNumberWithThem() throws Exception {
    System.out.printf("CommunicatorDeathIT: %d kills, -Dadrastea.seed=%d%n", kills / 2, seed);
    for (int job = 0; job * VICTIMS < kills / 2; job++) {
      run(new Random(seed + job));
    }
  }

  private void run(Random random) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    int size = CommunicatorDeathRank.SURVIVORS + VICTIMS;
    List<Child> ranks = new ArrayList<>();
    List<Integer> victims = new ArrayList<>();
    try {
      String word = Long.toString(random.nextLong());
      for (int rank = 0; rank < size; rank++) {
        ranks.add(
            Launch.rank(shm, job, rank, size, "io.adrastea.it.CommunicatorDeathRank", word)
                .set("core", CORES[rank % CORES.length]).start());
        if (rank >= CommunicatorDeathRank.SURVIVORS) {
          victims.add(rank);
        }
      }
      for (Child rank : ranks) {
        rank.awaitOutput("^ready$");
      }
      boolean waits = random.nextBoolean(); // else they die while the others shrink
      for (int left = size - 1; !victims.isEmpty(); left--) {
        Thread.sleep(random.nextInt(MOST_PAUSE));
        ranks.get(victims.remove(random.nextInt(victims.size()))).signal("KILL");
        for (int rank = 0; waits && rank < size; rank++) {
          if (rank < CommunicatorDeathRank.SURVIVORS || victims.contains(rank)) {
            ranks.get(rank).awaitOutput("^left " + left + "$");
          }
        }
      }
      for (int rank = 0; rank < CommunicatorDeathRank.SURVIVORS; rank++) {
        ranks.get(rank).await().exits(0).prints("survived, made true");
      }
      Outcome first = ranks.get(0).await();
      int free = Integer.parseInt(first.lines().stream().filter(line -> line.startsWith("free "))
          .map(line -> line.substring("free ".length())).findFirst().orElse("0"));
      int most = 65_535 - 1; // but that of the survivors
      // A number stays taken of which a rank was not told that lives, since it had given up the parent before.
      assertTrue(free <= most && free >= most - VICTIMS, first::toString);
    } finally {
      ranks.forEach(Child::close);
    }
  }
}
