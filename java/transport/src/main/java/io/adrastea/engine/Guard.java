package io.adrastea.engine;

import io.adrastea.wait.Waiter;

/** Who may be inside the engine of one rank. */
interface Guard {
  /** Comes in; every call of the engine begins with it. */
  void enter();

  /** Comes in, unless another thread is inside that does not go out soon; whether it did. */
  boolean tryEnter();

  /** Comes in if nobody is inside; whether it did. */
  boolean enterIfFree();

  /** How often a thread has come in, as far as that matters. */
  int entries();

  /** Whether a thread that is not inside waits to come in. */
  boolean isWanted();

  /** Goes out. */
  void exit();

  /** Lets others in during one step of a wait. */
  void stepOut();

  /** Comes back from {@link #stepOut}. */
  void stepIn();

  /**
   * The same for a thread that has time: it does not queue, which makes garbage, but comes when it finds nobody inside.
   */
  void stepInLeisurely();

  /** Whether nobody else can come in during a call. */
  boolean isExclusive();

  /** The waiting policy of the calling thread. */
  Waiter waiter();
}
