package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * PEs of OpenSHMEM in processes that are killed in a certain call: in each wait, with a lock and while they wait for
 * one, in each call of all PEs and each collective, and in an allocation before and behind the reservation of its
 * pages. The others are told, once each; of a dead holder of a lock one is. {@code -Dadrastea.test.kills=N}: about so
 * many kills instead of one at each point, {@code -Dadrastea.seed=N}: the same pauses as a run before.
 */
class ShmemEndIT {
  private static final int VICTIMS = 13; // of one job
  private static final int MOST_PAUSE_MICROS = 5_000; // before a kill
  private static final String[] CORES = {"ffm", "java", "jni"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final int kills = Integer.getInteger("adrastea.test.kills", ShmemEndRank.POINTS.size());
  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  @Test
  void allOthersAreToldOfAPeThatIsKilledInAnyCall() throws Exception {
    System.out.printf("ShmemEndIT: %d kills, -Dadrastea.seed=%d%n", kills, seed);
    for (int job = 0; job * VICTIMS < kills; job++) {
      killEach(job, new Random(seed + job));
    }
  }

  private void killEach(int number, Random random) throws Exception {
    int size = ShmemEndRank.SURVIVORS + VICTIMS;
    int first = number * VICTIMS % ShmemEndRank.POINTS.size();
    String early = Integer.toString(number / 2 % ShmemEndRank.SURVIVORS);
    List<Child> ranks = new ArrayList<>();
    try {
      String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
      for (int rank = 0; rank < size; rank++) {
        ranks.add(Launch.rank(shm, job, rank, size, "io.adrastea.it.ShmemEndRank", Integer.toString(first), early)
            .set("core", CORES[(rank + number) % CORES.length]).start());
      }
      for (int victim = ShmemEndRank.SURVIVORS; victim < size; victim++) {
        String point = ShmemEndRank.point(first, victim);
        ranks.get(victim).awaitOutput("^reached " + point + "$");
        int pause = random.nextInt(MOST_PAUSE_MICROS);
        Thread.sleep(pause / 1000, pause % 1000 * 1000);
        ranks.get(victim).signal("KILL");
        long told = 0;
        for (int rank = 0; rank < ShmemEndRank.SURVIVORS; rank++) {
          told += ranks.get(rank).awaitNumber("^survivor %d was told ([0-9]+) of %d$".formatted(rank, victim));
        }
        assertEquals(point.equals("holder") ? 1 : point.equals("waiter") ? 0 : ShmemEndRank.SURVIVORS, told, point);
      }
      for (int rank = 0; rank < ShmemEndRank.SURVIVORS; rank++) {
        ranks.get(rank).awaitOutput("^survived$");
        ranks.get(rank).await().exits(0);
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }
}
