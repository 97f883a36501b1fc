package io.adrastea.engine;

import io.adrastea.wait.WaitPolicy;
import io.adrastea.wait.Waiter;

/** The place of the helper in the engine of one rank: there is one at most, and this is what it sees of the engine. */
final class HelperSeat {
  private final Waits waits;
  private final Gate gate;
  private final Sleep sleep;
  private final WaitPolicy waiting;
  private final int rank;
  private volatile Helper helper; // null: there was none
  private int entries; // when the helper went out; inside the gate

  HelperSeat(Context context, Waits waits, Sleep sleep) {
    this.waits = waits;
    this.gate = context.gate();
    this.sleep = sleep;
    this.waiting = context.settings().waiting();
    this.rank = context.rank();
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
    if (!gate.enterIfFree()) {
      return false;
    }
    try {
      boolean rests = alone && !(waiter.isDozing() && gate.entries() != entries);
      return gate.isOpen() && waits.stepOfHelper(waiter, rests);
    } catch (Throwable e) { // whatever it is: nobody else would hear of it
      if (gate.isOpen()) { // else it is the end of the job that is told
        gate.fail(e);
      }
      return false;
    } finally {
      entries = gate.entries();
      gate.exit();
    }
  }

  /** Whether the engine is open. */
  boolean isOpen() {
    return gate.isOpen();
  }

  /** How often a thread has come in. */
  int entries() {
    return gate.entries();
  }

  /** Wakes the threads of this rank that sleep. */
  void rouse() {
    gate.enterUnchecked();
    try {
      sleep.rouse();
    } finally {
      gate.exit();
    }
  }

  /** Whether other threads wait to come in. */
  boolean isWanted() {
    return gate.isWanted();
  }
}
