package io.adrastea.window;

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
 * Threads are the members of a window, and take its locks in turn at random. Under an exclusive lock and under a stripe
 * a member changes two plain fields, which are equal whenever a lock is there.
 */
@Tag("loops")
class WindowRaceTest {
  private static final int MEMBERS = 4;
  private static final int TARGETS = 2;
  private static final int ROUNDS = 20_000;
  private static final int ROUNDS_PER_PUT = 16;

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

    void check() {
      long before = first;
      Thread.yield();
      assertEquals(before, second);
    }
  }

  private final WindowMembers window = new WindowMembers(MEMBERS);
  private final Pair[] targets = {new Pair(), new Pair()};
  private final Pair[] stripes = {new Pair(), new Pair()};
  private final Pair[] puts = {new Pair(), new Pair(), new Pair(), new Pair()};

  private volatile boolean failed; // a member has: the others do not wait for it

  private void rest() {
    if (failed) {
      throw new CancellationException("another member has failed");
    }
    Thread.yield();
  }

  /** One look of a member. */
  private interface Look {
    int look();
  }

  /** Whether it has the lock; else it is to give up. */
  private boolean acquire(int self, Random random, Look look) {
    while (true) {
      int found = look.look();
      window.woken(self);
      if (found == WindowLook.ACQUIRED) {
        return true;
      }
      assertEquals(WindowLook.AWAITS, found);
      if (random.nextInt(8) == 0) {
        return false;
      }
      rest();
    }
  }

  private long visit(int self, Random random) {
    WindowLock lock = window.locks.get(self);
    int target = random.nextInt(TARGETS);
    long changed = 0;
    switch (random.nextInt(3)) {
      case 0 -> {
        if (acquire(self, random, () -> lock.tryExclusive(target, random.nextBoolean(), window.dead()))) {
          targets[target].change();
          changed++;
          lock.releaseExclusive(target);
        }
      }
      case 1 -> {
        if (acquire(self, random, () -> lock.tryShared(target, window.dead()))) {
          targets[target].check();
          lock.releaseShared(target);
        }
      }
      default -> {
        if (acquire(self, random, () -> lock.tryAll(window.dead()))) {
          if (acquire(self, random, () -> lock.settle(target, window.dead()))) {
            targets[target].check();
          }
          lock.releaseAll();
        }
      }
    }
    lock.withdraw(target);
    lock.withdrawAll();
    window.woken(self);
    return changed;
  }

  private void visitStripe(int self, int stripe) {
    WindowStripes own = window.stripes.get(self);
    while (own.tryAcquire(0, stripe, window.dead()) != WindowLook.ACQUIRED) {
      rest();
    }
    stripes[stripe].change();
    own.release(0, stripe);
  }

  /** The member before this one puts into its memory, and this one into that of the next. */
  private void handOn(int self, long round) {
    WindowSync sync = window.syncs.get(self);
    int next = (self + 1) % MEMBERS;
    int before = (self + MEMBERS - 1) % MEMBERS;
    puts[self].second = round;
    sync.post(before);
    while (!sync.hasPosted(next, round)) {
      rest();
    }
    assertEquals(round, puts[next].second);
    puts[next].first = round;
    sync.complete(next);
    while (!sync.hasCompleted(before, round)) {
      rest();
    }
    assertEquals(round, puts[self].first);
  }

  private long play(int self) {
    Random random = new Random(self);
    long changed = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      changed += visit(self, random);
      visitStripe(self, random.nextInt(stripes.length));
      if (round % ROUNDS_PER_PUT == 0) {
        handOn(self, round / ROUNDS_PER_PUT);
      }
    }
    return changed;
  }

  private long playOrFail(int self) {
    boolean ends = false;
    try {
      long changed = play(self);
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
    try (ExecutorService threads = Executors.newFixedThreadPool(MEMBERS)) {
      List<Callable<Long>> members = new ArrayList<>();
      for (int member = 0; member < MEMBERS; member++) {
        int self = member;
        members.add(() -> playOrFail(self));
      }
      long changed = 0;
      for (Future<Long> each : threads.invokeAll(members)) {
        changed += each.get();
      }
      assertEquals(changed, targets[0].first + targets[1].first);
      assertEquals((long) MEMBERS * ROUNDS, stripes[0].first + stripes[1].first);
      assertTrue(window.isClean());
    }
  }
}
