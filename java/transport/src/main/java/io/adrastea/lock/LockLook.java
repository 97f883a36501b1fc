package io.adrastea.lock;

/** What a look for a lock finds, as the looks return it. */
public final class LockLook {
  /** This PE has the lock. */
  public static final int ACQUIRED = 0;

  /** This PE is not in the queue. */
  public static final int RELEASED = 1;

  /** PE {@code other} has to go first; {@link #NOBODY}: a few steps of another PE, to be looked at again. */
  public static final int AWAITS = 2;

  /** This PE has the lock, and PE {@code other} died with it: told once. */
  public static final int REPAIRED = 3;

  /** The word of PE {@code other} is impossible: something else has written there. */
  public static final int BROKEN = 4;

  /** No PE. */
  public static final int NOBODY = -1;

  private LockLook() {}
}
