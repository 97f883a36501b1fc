package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.segment.Geometry;
import io.adrastea.wait.Waiter;
import java.util.List;

/**
 * Looks who is still there, every so often, and what follows when somebody is gone: what the rank left behind is taken
 * in and put right, the program is told, and what depended on the rank fails. Called inside the gate.
 */
final class Lookout {
  /**
   * A core looks at its queue at least every 8th time, however busy its fastboxes are; once more for a cell that it has
   * set aside.
   */
  private static final int LOOKS_PER_CELL = 9;
  private static final int PIECES_PER_SLOT = 5; // four empty messages, and the turns of the queue

  private final Core core;
  private final Gate gate;
  private final Liveness liveness;
  private final Progress progress;
  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final int allCells;
  private final int mostPieces;
  private int looks; // in passing, who is still there

  Lookout(Context context, Progress progress, Receiver receiver, Sender sender, Rendezvous rendezvous) {
    this.core = context.core();
    this.gate = context.gate();
    this.liveness = context.liveness();
    this.progress = progress;
    this.receiver = receiver;
    this.sender = sender;
    this.rendezvous = rendezvous;
    Geometry geometry = context.segment().geometry(); // tells how much a rank can leave behind
    this.allCells = geometry.ranks() * geometry.cells(); // the most that can be in its queue at a time
    this.mostPieces = LOOKS_PER_CELL * allCells + PIECES_PER_SLOT * geometry.boxes().slots();
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
    endCutShort();
    tellDue();
  }

  /** Messages that nobody has asked for yet, and whose senders are gone: no more of them comes. */
  private void endCutShort() {
    for (int gone = receiver.cutShort(); gone != Liveness.NONE && drain(gone); gone = receiver.cutShort()) {
      receiver.endCutShort(gone);
    }
  }

  /** Has the program told of the failures that it has not heard of; whether there were any. */
  private boolean tellDue() {
    List<Integer> due = liveness.notices().due();
    if (due.isEmpty()) {
      return false;
    }
    tell(due);
    gate.requireOpen();
    return true;
  }

  /**
   * Which rank is gone that {@code peer} stands for, once the program was told of all failures: one that it
   * acknowledges then is none for a wildcard. What that rank had sent has come by now, so a {@link #drain} that follows
   * finds it.
   */
  int gone(int peer) {
    int gone = liveness.missing(peer);
    while (gone != Liveness.NONE && tellDue()) {
      gone = liveness.missing(peer);
    }
    return gone;
  }

  /** The program hears of failures between two steps, and may take its time. */
  private void tell(List<Integer> due) {
    Waiter waiter = gate.waiter();
    long limit = waiter.limit(); // that of this wait is none of those that the program begins now
    waiter.limitAt(0);
    gate.stepOut();
    try {
      liveness.notices().tell(due);
    } finally {
      gate.stepIn();
      waiter.limitAt(limit);
    }
  }

  /** For a program that asks again and again, and has found nothing: every so often looks who is still there. */
  void lookAroundInPassing() {
    if (gate.isTimeInVain()) {
      looks++;
      lookAround();
    }
  }

  /** For a program that is always at work and need not wait: when it comes in, and it is time. */
  void pollAtWork() {
    looks++;
    lookAround();
  }

  /**
   * The same as in passing, where the program asks for an operation, each of which is checked after each look: it fails
   * as one that is waited for.
   */
  void lookAround(Operation operation) {
    lookAroundInPassing();
    if (operation.enterCheck(looks)) {
      check(operation);
    }
  }

  /** Fails {@code operation} if a rank that it depends on is gone and all that this rank had sent is in. */
  void check(Operation operation) {
    int gone = operation.isComplete() ? Liveness.NONE : gone(awaited(operation));
    // else what was taken in is for it, of another rank; or another one is gone too, and the next look drains that
    if (gone != Liveness.NONE && drain(gone) && missing(operation) == gone) {
      giveUp(operation, liveness.failure(gone, awaited(operation), operation));
    }
  }

  private int missing(Operation operation) {
    return operation.isComplete() ? Liveness.NONE : liveness.missing(awaited(operation));
  }

  /** The rank that completes an operation: once a message has matched, no other matters any more. */
  private static int awaited(Operation operation) {
    return operation instanceof Receive receive ? receive.awaitedRank() : operation.peer();
  }

  /**
   * Takes in all that is there now, and what rank {@code gone} left behind; bounded, since others may keep sending.
   *
   * @return whether that is all: no living rank is in the middle of putting a message in that others are behind
   */
  boolean drain(int gone) {
    lookAfter();
    progress.drain(gone, mostPieces, allCells);
    return lookAfter();
  }

  /**
   * Looks who is gone, and lets the core see to what they left: whoever it was may have broken a queue that others wait
   * at.
   *
   * @return whether everything that has come can be received: no link of the queue is missing
   */
  private boolean lookAfter() {
    liveness.look();
    int status = core.reclaim();
    if (status < 0 && status != Core.AGAIN) {
      throw CoreStatus.corrupt("what a rank left that is gone cannot be put right");
    }
    return status != Core.AGAIN;
  }

  /** Ends an operation that is not complete: nothing of it is left. */
  void giveUp(Operation operation, RuntimeException failure) {
    if (operation.isComplete()) {
      return;
    }
    if (operation instanceof Receive receive) {
      receiver.giveUp(receive, failure);
    } else {
      sender.giveUp((Send) operation, failure);
    }
  }
}
