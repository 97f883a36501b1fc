package io.adrastea;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.error.AdrasteaException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As many communicators as there can be at a time, and as many made one after the other as a long run makes. */
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyCommunicatorsTest {
  private static final int MOST = 65_535; // beside that of all ranks
  private static final int ROUNDS = Integer.getInteger("adrastea.test.communicators", 100_000);
  private static final int TAG = 7;

  private static void talk(Communicator on, int value) {
    int[] got = new int[1];
    int other = on.size() - 1 - on.rank();
    on.sendrecv(Data.of(new int[] {value}), other, TAG, Data.of(got), other, TAG);
    assertEquals(value, got[0]);
  }

  @Test
  void areAliveAtATimeAndOneMoreIsRefused() throws Exception {
    Ranks.run("java", 1, job -> {
      List<Communicator> alive = new ArrayList<>(MOST);
      for (int i = 0; i < MOST; i++) {
        alive.add(job.world().dup());
      }
      refuses(AdrasteaException.class, "all 65536 numbers of communicators are taken; close communicators",
          () -> job.world().dup());
      job.world().barrier(); // which is not broken
      for (int i = 0; i < MOST; i += 4999) {
        talk(alive.get(i), i);
        alive.get(i).barrier();
      }
      alive.get(4711).close();
      try (Communicator again = job.world().dup()) {
        talk(again, 1);
      }
      for (int i = 0; i < MOST; i++) {
        if (i != 4711) {
          alive.get(i).close();
        }
      }
      try (Communicator again = job.world().dup()) {
        talk(again, 2);
      }
    });
  }

  @Test
  void whoTakesNoNumberTellsTheOthers() throws Exception {
    Ranks.run("java,ffm", 2, job -> {
      Communicator world = job.world();
      List<Communicator> alive = new ArrayList<>(MOST);
      if (world.rank() == 0) {
        for (int i = 0; i < MOST; i++) {
          alive.add(world.subset(0, 0));
        }
      }
      String words = world.rank() == 0
          ? "all 65536 numbers of communicators are taken"
          : "rank 0 of the new communicator (job rank 0) could not make it, and has thrown why";
      refuses(AdrasteaException.class, words, world::dup);
      refuses(AdrasteaException.class, words, () -> world.split(1, 0));
      refuses(AdrasteaException.class, words, () -> world.subset(1, 0, 1));
      alive.forEach(Communicator::close);
      world.barrier();
      try (Communicator one = world.dup()) {
        talk(one, 3);
      }
    });
  }

  @Test
  void areMadeAndClosedOneAfterTheOther() throws Exception {
    Ranks.run("java,ffm", 2, job -> {
      for (int i = 0; i < ROUNDS; i++) {
        try (Communicator one = i % 2 == 0 ? job.world().dup() : job.world().split(0, -job.world().rank())) {
          talk(one, i);
          if (i % 3 == 0) {
            one.barrier();
          }
        }
      }
    });
  }
}
