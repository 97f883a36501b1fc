package io.adrastea.lock;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * SYNC lock-last, lock-previous, lock-next, lock-signal: two PEs take a lock at once, and each changes a word under it;
 * each tells what it found there.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the first had the lock, and then the second")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the other way round")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "both had the lock, or one did not see what the other wrote")
@State
public class LockHandedOverRace extends LockMemory {
  @Actor
  public void first(II_Result found) {
    found.r1 = take(first);
  }

  @Actor
  public void second(II_Result found) {
    found.r2 = take(second);
  }
}
