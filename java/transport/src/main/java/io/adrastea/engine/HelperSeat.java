package io.adrastea.engine;

import io.adrastea.wait.WaitPolicy;
import io.adrastea.wait.Waiter;

/** The place of the helper in the engine of one rank: there is one at most, and this is what it sees of the engine. */
final class HelperSeat {
  private final Progress progress;
  private final Openness openness;
  private final Guard guard;
  private final Sleep sleep;
  private final WaitPolicy waiting;
  private final int rank;
  private volatile Helper helper; // null: there was none

  HelperSeat(Progress progress, Openness openness, Guard guard, Sleep sleep, WaitPolicy waiting, int rank) {
    this.progress = progress;
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
   * A step of the helper, if no other thread is inside, which moves things on by itself; whether anything moved.
   *
   * @param alone no other thread was here lately: the helper rests when nothing moved
   */
  boolean moveOn(Waiter waiter, boolean alone) {
    if (!guard.enterIfFree()) {
      return false;
    }
    try {
      return openness.isOpen() && progress.stepOfHelper(waiter, alone);
    } catch (RuntimeException | Error e) {
      if (openness.isOpen()) { // else it is the end of the job that is told
        openness.fail(e);
      }
      return false;
    } finally {
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
