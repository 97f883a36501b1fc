package io.adrastea.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads are PEs, and take locks in turn at random; some give up in between. Under a lock a PE changes two plain
 * fields, which are equal whenever the lock is there.
 */
@Tag("loops")
class McsLockRaceTest {
  private static final int PES = 4;
  private static final int LOCKS = 2;
  private static final int ROUNDS = 20_000;

  /** Plain memory that a lock orders. */
  private static final class Pair {
    long first;
    long second;

    void change() {
      first++;
      Thread.yield(); // others come in between, if the lock lets them
      assertEquals(first, second + 1);
      second++;
    }
  }

  private final LockPes pes = new LockPes(PES);
  private final Pair[] pairs = {new Pair(), new Pair()};
  private volatile boolean failed; // a PE has: the others do not wait for it

  private void rest() {
    if (failed) {
      throw new CancellationException("another PE has failed");
    }
    Thread.yield();
  }

  /** Whether it has the lock; else it has given up. */
  private boolean set(int pe, long lock, Random random) {
    while (true) {
      int found = pes.set(pe, lock);
      if (found == LockLook.ACQUIRED) {
        return true;
      }
      assertEquals(LockLook.AWAITS, found);
      if (random.nextInt(8) == 0) {
        break;
      }
      rest();
    }
    leave(pe, lock);
    return false;
  }

  private void leave(int pe, long lock) {
    for (int found = pes.withdraw(pe, lock); found != LockLook.RELEASED; found = pes.withdraw(pe, lock)) {
      assertEquals(LockLook.AWAITS, found);
      rest();
    }
    pes.woken(pe);
  }

  private long play(int pe) {
    Random random = new Random(pe);
    long changed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int number = random.nextInt(LOCKS);
      long lock = (long) Long.BYTES * number;
      boolean has = random.nextInt(4) == 0 ? pes.test(pe, lock) == LockLook.ACQUIRED : set(pe, lock, random);
      if (has) {
        pairs[number].change();
        changed++;
        leave(pe, lock);
      }
    }
    return changed;
  }

  private long playOrFail(int pe) {
    boolean ends = false;
    try {
      long changed = play(pe);
      ends = true;
      return changed;
    } finally {
      if (!ends) {
        failed = true;
      }
    }
  }

  @Test
  void plainMemoryUnderTheLocksIsNeverSeenHalfChanged() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(PES)) {
      List<Callable<Long>> players = new ArrayList<>();
      for (int pe = 0; pe < PES; pe++) {
        int self = pe;
        players.add(() -> playOrFail(self));
      }
      long changed = 0;
      for (Future<Long> each : threads.invokeAll(players)) {
        changed += each.get();
      }
      assertEquals(changed, pairs[0].first + pairs[1].first);
      assertTrue(changed > 0);
      assertTrue(pes.isClean());
    }
  }
}
