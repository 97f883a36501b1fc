package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.wait.Waiter;
import java.util.List;

/**
 * Looks who is still there, every so often, and what follows when somebody is gone: what the rank left behind is taken in and put right,
 * the program is told, and what depended on the rank fails. Called with the guard entered.
 */
final class Lookout {
  private final Core core;
  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final Liveness liveness;
  private final Guard guard;
  private final Sleep sleep;
  private final Openness openness;
  private final int allCells;
  private final Pace pace = new Pace();
  private int looks; // in passing, who is still there

  /**
   * That of one rank.
   *
   * @param allCells cells of all ranks: the most that can be in its queue at a time
   */
  Lookout(
      Core core,
      Receiver receiver,
      Sender sender,
      Rendezvous rendezvous,
      Liveness liveness,
      Guard guard,
      Sleep sleep,
      Openness openness,
      int allCells) {
    this.core = core;
    this.receiver = receiver;
    this.sender = sender;
    this.rendezvous = rendezvous;
    this.liveness = liveness;
    this.guard = guard;
    this.sleep = sleep;
    this.openness = openness;
    this.allCells = allCells;
  }

  /** Every so often looks who is still there; whether it did. */
  boolean lookAround(Waiter waiter) {
    boolean timeToCheck = waiter.isTimeToCheck();
    if (timeToCheck) {
      lookAround();
    }
    return timeToCheck;
  }

  private void lookAround() {
    rendezvous.check();
    lookAfter();
    List<Integer> due = liveness.notices().due();
    if (!due.isEmpty()) {
      tell(due);
      openness.requireOpen();
    }
  }

  /** The program hears of failures between two steps, and may take its time. */
  private void tell(List<Integer> due) {
    guard.stepOut();
    try {
      liveness.notices().tell(due);
    } finally {
      guard.stepIn();
    }
  }

  /** For a program that asks again and again, and has found nothing: every so often looks who is still there. */
  void lookAroundInPassing() {
    if (pace.isDue()) {
      looks++;
      lookAround();
    }
  }

  /** The same where it asks for an operation, each of which is checked after each look: it fails as one that is waited for. */
  void lookAround(Operation operation) {
    lookAroundInPassing();
    if (operation.looks != looks) {
      operation.looks = looks;
      check(operation);
    }
  }

  /** Fails {@code operation} if a rank that it depends on is gone and all that this rank had sent is in. */
  void check(Operation operation) {
    boolean matched = operation.receive && operation.begun; // and no other rank matters any more
    int gone = operation.isComplete() ? Liveness.NONE : liveness.missing(matched ? operation.source : operation.peer);
    if (gone == Liveness.NONE) {
      return;
    }
    if (drain(gone)) {
      giveUp(operation, liveness.failure(gone, operation));
    }
  }

  /** Ends an operation that is not complete: nothing of it is left. */
  void giveUp(Operation operation, RuntimeException failure) {
    if (operation.isComplete()) {
      return;
    }
    if (operation.receive) {
      receiver.giveUp(operation, failure);
    } else {
      sender.giveUp(operation, failure);
    }
  }

  /**
   * Takes in all that is there now, and what rank {@code gone} left behind; bounded, since others may keep sending.
   *
   * @return whether that is all: no living rank is in the middle of putting a message in that others are behind
   */
  boolean drain(int gone) {
    lookAfter();
    sender.progress();
    boolean moved = true;
    for (int rounds = 0; moved && rounds < allCells; rounds++) {
      moved = rendezvous.progress();
      for (int pieces = 0; pieces < Progress.PIECES_PER_STEP && receiver.progress(gone); pieces++) {
        moved = true;
      }
    }
    sleep.moved();
    return lookAfter();
  }

  /**
   * Looks who is gone, and lets the core see to what they left: whoever it was may have broken a queue that others wait at.
   *
   * @return whether everything that has come can be received: no link of the queue is missing
   */
  private boolean lookAfter() {
    liveness.look();
    int status = core.reclaim();
    if (status < 0 && status != Core.AGAIN) {
      throw Receiver.corrupt("what a rank left that is gone cannot be put right");
    }
    return status != Core.AGAIN;
  }
}
