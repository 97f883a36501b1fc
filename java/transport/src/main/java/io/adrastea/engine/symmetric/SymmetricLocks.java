package io.adrastea.engine.symmetric;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.lock.LockLook;
import io.adrastea.lock.McsLock;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * How a PE waits for locks in symmetric memory [OpenSHMEM over XPMEM 2011, 4.6]: between the looks of {@link McsLock}
 * it rests as in any other wait, and wakes the PE that a look names. A lock is known by the offset of its word.
 */
public final class SymmetricLocks {
  private static final int SPINS = 1 << 12;

  /** One try for a lock; reused. */
  private static final class Attempt {
    private long offset;
    private boolean taken; // the attempt is in use
    private int outcome;
    private int other;

    String words() {
      return "lock at offset %d".formatted(offset);
    }
  }

  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final Members members;
  private final int self;
  private final McsLock lock; // inside the gate, as what follows
  private final List<Attempt> attempts = new ArrayList<>();
  private final IntPredicate gone;
  private final LockWait wait = new LockWait();

  SymmetricLocks(Resources resources, Waits waits, Members members, int self, McsLock lock) {
    this.gate = resources.gate();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.members = members;
    this.self = self;
    this.lock = lock;
    this.gone = pe -> liveness.isGone(jobRank(pe));
  }

  private int jobRank(int pe) {
    return members.numbering().jobRank(pe);
  }

  /** Waits for a lock; throws, and does not have it, where a PE has died with it. */
  public void set(long offset) {
    gate.enter();
    try {
      requireNotHere("set", offset);
      Attempt attempt = attempt(offset);
      try {
        look(attempt);
        if (attempt.outcome == LockLook.AWAITS) {
          waits.await(wait, attempt, waits.beginWait(awaited(attempt)));
        }
        settle(attempt);
      } catch (RuntimeException | Error e) {
        withdraw(attempt);
        throw e;
      } finally {
        attempt.taken = false;
      }
    } finally {
      gate.exit();
    }
  }

  /** Takes a lock if nobody has it or waits for it; whether it has. Throws as {@link #set}. */
  public boolean test(long offset) {
    gate.enter();
    try {
      requireNotHere("test", offset);
      Attempt attempt = attempt(offset);
      try {
        attempt.outcome = lock.test(offset, gone);
        attempt.other = lock.other();
        wakeNext();
        if (attempt.outcome == LockLook.AWAITS && attempt.other == self) { // it neither has it nor waits for it
          attempt.outcome = LockLook.BROKEN;
        }
        settle(attempt);
        if (attempt.outcome == LockLook.AWAITS) {
          find(attempt.other);
          waits.step();
        }
        return attempt.outcome != LockLook.AWAITS;
      } finally {
        attempt.taken = false;
      }
    } finally {
      gate.exit();
    }
  }

  /** Hands a lock of this PE to the next one, or frees it. */
  public void clear(long offset) {
    gate.enter();
    try {
      if (!lock.holds(offset)) {
        throw new IllegalStateException(
            "clear of the lock at offset %d in %s, which this PE has not set".formatted(offset, members.label()));
      }
      release(offset);
    } finally {
      gate.exit();
    }
  }

  private void requireNotHere(String call, long offset) {
    boolean isAwaited = false;
    for (Attempt attempt : attempts) {
      isAwaited |= attempt.taken && attempt.offset == offset;
    }
    if (isAwaited || lock.holds(offset)) {
      throw new IllegalStateException(
          "%s of the lock at offset %d in %s, which %s; a PE sets a lock once at a time".formatted(call, offset,
              members.label(), isAwaited ? "another thread of this PE waits for" : "this PE has set"));
    }
  }

  private Attempt attempt(long offset) {
    Attempt free = null;
    for (int index = 0; free == null && index < attempts.size(); index++) {
      free = attempts.get(index).taken ? null : attempts.get(index);
    }
    if (free == null) {
      free = new Attempt();
      attempts.add(free);
    }
    free.taken = true;
    free.offset = offset;
    return free;
  }

  private void look(Attempt attempt) {
    attempt.outcome = lock.set(attempt.offset, gone);
    attempt.other = lock.other();
    wakeNext();
  }

  private int awaited(Attempt attempt) {
    return attempt.other == LockLook.NOBODY ? Condition.NONE : jobRank(attempt.other);
  }

  /** Throws where this PE is not to have the lock though its looks are over. */
  private void settle(Attempt attempt) {
    if (attempt.outcome == LockLook.REPAIRED) {
      int dead = attempt.other;
      release(attempt.offset);
      throw liveness.failure(members, jobRank(dead), attempt.words());
    }
    if (attempt.outcome == LockLook.BROKEN) {
      throw new SegmentException(
          ("the word of the %s in %s is at PE %d what no lock has; something else was stored there: a lock is a long"
              + " number of its own, zero at first").formatted(attempt.words(), members.label(), attempt.other));
    }
  }

  /** Takes this PE out of the queue, and with the lock; what is waited for are a few steps of others. */
  private void withdraw(Attempt attempt) {
    if (attempt.outcome == LockLook.BROKEN) {
      return;
    }
    int outcome = lock.withdraw(attempt.offset, gone);
    wakeNext();
    for (int spins = 1; outcome == LockLook.AWAITS; spins++) {
      rest(spins);
      outcome = lock.withdraw(attempt.offset, gone);
      wakeNext();
    }
  }

  private void release(long offset) {
    int outcome = lock.clear(offset, gone);
    wakeNext();
    for (int spins = 1; outcome == LockLook.AWAITS; spins++) {
      rest(spins);
      outcome = lock.clear(offset, gone);
      wakeNext();
    }
    if (outcome == LockLook.BROKEN) {
      throw new SegmentException(
          "the word of the lock at offset %d in %s is at PE %d what no lock has; something else was stored there"
              .formatted(offset, members.label(), lock.other()));
    }
  }

  private void rest(int spins) {
    if (spins % SPINS == 0) {
      find(lock.other());
      Thread.yield(); // the other PE may want the CPU
    }
    Thread.onSpinWait();
  }

  private void find(int pe) {
    if (pe != LockLook.NOBODY) {
      liveness.missing(jobRank(pe));
    }
  }

  private void wakeNext() {
    int pe = lock.nextWaiter();
    if (pe != LockLook.NOBODY) {
      waits.wakeWordSleeperInside(jobRank(pe));
    }
  }

  /** The wait for a lock. */
  private final class LockWait implements Condition<Attempt> {
    /** A wait asks again behind an answer that has ended it: then nothing more is looked for. */
    @Override
    public boolean isMet(Attempt attempt, int polls) {
      for (int left = polls; left > 0 && attempt.outcome == LockLook.AWAITS; left--) {
        look(attempt);
        Thread.onSpinWait();
      }
      return attempt.outcome != LockLook.AWAITS;
    }

    @Override
    public boolean isOnWords() {
      return true;
    }

    /** Some steps of others wake nobody. */
    @Override
    public boolean isUntold() {
      return true;
    }

    @Override
    public int missing(Attempt attempt) {
      return attempt.other == LockLook.NOBODY ? NONE : liveness.missing(jobRank(attempt.other));
    }

    /** Not reached where the PE that is gone has the lock, or stands before: the next look clears up behind it. */
    @Override
    public void fail(Attempt attempt, int lost) {}

    @Override
    public Waiting waiting(Attempt attempt) {
      return new Waiting(RankEntryDescriptor.IN_MEMORY, awaited(attempt), 0);
    }

    @Override
    public String words(Attempt attempt) {
      return "for the %s in %s".formatted(attempt.words(), members.label());
    }
  }
}
