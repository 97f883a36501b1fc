package io.adrastea.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that are killed at random while all lock memory of a window: as holders of locks, as those that wait for one,
 * and in between. The others are told and go on, and locks exclude. {@code -Dadrastea.test.kills=N}: about so many
 * kills instead of 20, {@code -Dadrastea.seed=N}: the same pauses as a run before.
 */
class WindowDeathIT {
  private static final int VICTIMS = 5; // of one job
  private static final int MOST_PAUSE = 100; // milliseconds before a kill
  private static final String[] CORES = {"ffm", "java", "jni", "java", "ffm"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final int kills = Integer.getInteger("adrastea.test.kills", 20);
  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  @ParameterizedTest
  @ValueSource(strings = {"direct", "handler"})
  void ranksKilledWithLocksLeaveThemToOthers(String way) throws Exception {
    System.out.printf("WindowDeathIT: %d kills, -Dadrastea.seed=%d%n", kills / 4, seed);
    for (int job = 0; job * VICTIMS < kills / 4; job++) {
      run(way, new Random(seed + job));
    }
  }

  private void run(String way, Random random) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    int size = WindowDeathRank.SURVIVORS + VICTIMS;
    List<Child> ranks = new ArrayList<>();
    List<Integer> victims = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        ranks.add(Launch.rank(shm, job, rank, size, "io.adrastea.it.WindowDeathRank")
            .set("core", CORES[rank % CORES.length]).set("window", way).start());
        if (rank >= WindowDeathRank.SURVIVORS) {
          victims.add(rank);
        }
      }
      for (Child rank : ranks) {
        rank.awaitOutput("^ready$");
      }
      while (!victims.isEmpty()) {
        int times = Math.min(victims.size(), 1 + random.nextInt(2)); // two at once now and then
        Thread.sleep(random.nextInt(MOST_PAUSE));
        for (int i = 0; i < times; i++) {
          ranks.get(victims.remove(random.nextInt(victims.size()))).signal("KILL");
        }
      }
      for (int rank = 0; rank < WindowDeathRank.SURVIVORS; rank++) {
        ranks.get(rank).awaitOutput("^survived, told [0-9]+$");
        ranks.get(rank).await().exits(0);
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }
}
