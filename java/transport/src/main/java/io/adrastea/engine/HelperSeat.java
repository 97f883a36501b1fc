package io.adrastea.engine;

import io.adrastea.wait.WaitPolicy;
import io.adrastea.wait.Waiter;

/** The place of the helper in the engine of one rank: there is one at most, and this is what it sees of the engine. */
final class HelperSeat {
  private final Waits waits;
  private final Openness openness;
  private final Guard guard;
  private final Sleep sleep;
  private final WaitPolicy waiting;
  private final int rank;
  private volatile Helper helper; // null: there was none
  private int entries; // when the helper went out; guarded

  HelperSeat(Waits waits, Openness openness, Guard guard, Sleep sleep, WaitPolicy waiting, int rank) {
    this.waits = waits;
    this.openness = openness;
    this.guard = guard;
    this.sleep = sleep;
    this.waiting = waiting;
    this.rank = rank;
  }

  /** Starts a helper. To be called inside. */
  Helper start() {
    if (helper != null && helper.isOpen()) {
      throw new IllegalStateException(
          "rank %d has a progress thread; one is allowed: close it before another is started".formatted(rank));
    }
    helper = Helper.start(this, rank, waiting.waiter(true));
    return helper;
  }

  /** There is something that nobody waits for: the helper, if there is one, can go on with it. To be called inside. */
  void wake() {
    Helper now = helper;
    if (now != null) {
      now.wake();
      sleep.rouse();
    }
  }

  /** Ends the helper, if there is one. To be called outside, when the engine is closed. */
  void end() {
    if (helper != null) { // no other is started once the engine is closed
      helper.close();
    }
  }

  /**
   * A step of the helper, if no other thread is inside, which moves things on by itself; whether anything moved. It
   * does not sleep when another was inside since it announced that: that one has perhaps marked fastboxes, whose
   * senders then ring nobody.
   *
   * @param alone no other thread was here lately: the helper rests when nothing moved
   */
  boolean moveOn(Waiter waiter, boolean alone) {
    if (!guard.enterIfFree()) {
      return false;
    }
    try {
      boolean rests = alone && !(waiter.isDozing() && guard.entries() != entries);
      return openness.isOpen() && waits.stepOfHelper(waiter, rests);
    } catch (Throwable e) { // whatever it is: nobody else would hear of it
      if (openness.isOpen()) { // else it is the end of the job that is told
        openness.fail(e);
      }
      return false;
    } finally {
      entries = guard.entries();
      guard.exit();
    }
  }

  /** Whether the engine is open. */
  boolean isOpen() {
    return openness.isOpen();
  }

  /** How often a thread has come in. */
  int entries() {
    return guard.entries();
  }

  /** Wakes the threads of this rank that sleep. */
  void rouse() {
    guard.enter();
    try {
      sleep.rouse();
    } finally {
      guard.exit();
    }
  }

  /** Whether other threads wait to come in. */
  boolean isWanted() {
    return guard.isWanted();
  }
}
