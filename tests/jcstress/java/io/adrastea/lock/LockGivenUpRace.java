package io.adrastea.lock;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * SYNC lock-signal, lock-table: one PE has a lock and clears it, while another one, which waits for it, looks once and
 * gives up. Each changes a word under the lock, and tells what it found there, or -1; a third one finds the lock free.
 */
@JCStressTest
@Outcome(id = "0, -1", expect = Expect.ACCEPTABLE, desc = "it gave up, or handed the lock on without a look")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "both had the lock")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "it had the lock and did not see what the first wrote")
@Outcome(id = "-2, .*", expect = Expect.FORBIDDEN, desc = "the lock is not free in the end")
@State
public class LockGivenUpRace extends LockMemory {
  public LockGivenUpRace() {
    first.set(LOCK, LockMemory::isDead);
    second.set(LOCK, LockMemory::isDead);
  }

  @Actor
  public void clear(II_Result found) {
    found.r1 = change(first);
  }

  @Actor
  public void giveUp(II_Result found) {
    found.r2 = tryOnce(second);
  }

  @Arbiter
  public void end(II_Result found) {
    if (third.test(LOCK, LockMemory::isDead) != LockLook.ACQUIRED) {
      found.r1 = -2;
    }
  }
}
