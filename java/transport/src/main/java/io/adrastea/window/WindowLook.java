package io.adrastea.window;

/** What a look for a lock finds, as the looks return it. */
public final class WindowLook {
  /** The lock is there. */
  public static final int ACQUIRED = 0;

  /** Member {@code other} has to go first; {@link #NOBODY}: the next look may find it gone. */
  public static final int AWAITS = 1;

  /** Member {@code other} died as holder, and this member has cleared up behind it, and holds nothing. */
  public static final int REPAIRED = 2;

  /** A word names member {@code other}, and there is no such member: a broken one has written there. */
  public static final int BROKEN = 3;

  /** No member. */
  public static final int NOBODY = -1;

  private WindowLook() {}
}
