package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.error.RankFailedException;
import io.adrastea.wait.Waiter;

/**
 * Moves things on, and waits. Called with the guard entered; while it waits, others may come in. A wait ends with what is
 * waited for, or with the absence of a rank that it depends on, however busy the others keep this one.
 */
final class Progress {
  private static final int PIECES_PER_STEP = 16;

  private final Core core;
  private final Inbound inbound = new Inbound();
  private final Receiver receiver;
  private final Sender sender;
  private final Liveness liveness;
  private final Guard guard;
  private final int rank;
  private final int allCells;
  private volatile boolean closed; // by another thread, perhaps, while one waits

  /**
   * Progress of one rank.
   *
   * @param allCells cells of all ranks: the most that can be in its queue at a time
   */
  Progress(Core core, Receiver receiver, Sender sender, Liveness liveness, Guard guard, int rank, int allCells) {
    this.core = core;
    this.receiver = receiver;
    this.sender = sender;
    this.liveness = liveness;
    this.guard = guard;
    this.rank = rank;
    this.allCells = allCells;
  }

  /** Nothing moves any more; waits end with an exception. */
  void close() {
    closed = true;
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("rank %d has closed its job".formatted(rank));
    }
  }

  /** Takes in what has come, up to a bound, and moves pending sends on. Whether anything happened. */
  boolean step() {
    return step(null);
  }

  /**
   * A step that looks first where a receive's message comes from, and ends when it is complete, so that what follows is not
   * copied aside.
   */
  boolean step(Operation wanted) {
    int first = wanted != null && wanted.receive ? wanted.peer : Operation.ANY;
    boolean any = sender.progress();
    for (int pieces = 0; pieces < PIECES_PER_STEP && !isOver(wanted) && receiver.progress(first); pieces++) {
      any = true;
    }
    return any;
  }

  private static boolean isOver(Operation wanted) {
    return wanted != null && wanted.isComplete();
  }

  /** Shows what bursts hold back. */
  void show() {
    sender.bursts().show();
  }

  /** Waits until {@code operation} is complete, whether well or not. */
  void settle(Operation operation) {
    sender.bursts().show();
    Waiter waiter = guard.waiter();
    waiter.reset();
    while (!operation.isComplete() && !receiveDirectly(operation, waiter)) {
      if (stepOfWait(waiter, operation) || liveness.isGone(operation.peer)) {
        check(operation);
      }
    }
  }

  /**
   * Lets the core wait for a posted receive and deliver its message in one crossing, if no receive posted earlier could
   * take it. False: nothing came, or something else.
   */
  private boolean receiveDirectly(Operation operation, Waiter waiter) {
    if (operation.form != Operation.Form.BUFFER || !operation.receive || operation.begun || !guard.isExclusive() || !receiver.isFirst(operation)) {
      return false;
    }
    int status = direct(operation, waiter.looks());
    if (status < 0) {
      return false;
    }
    receiver.complete(operation, inbound.source(), inbound.match(), status);
    return true;
  }

  private int direct(Operation operation, int looks) {
    try {
      return core.receive(
          operation.match,
          operation.mask,
          operation.peer,
          operation.buffer,
          operation.offset,
          operation.length,
          looks,
          inbound);
    } catch (IllegalStateException | WrongThreadException e) {
      return Core.NOMSG; // the buffer is gone: found out, and told, when the message is there
    }
  }

  /** Waits for a message that fits. */
  void probe(int source, long match, long mask, Received result) {
    Waiter waiter = guard.waiter();
    waiter.reset();
    while (!find(source, match, mask, result)) {
      if (stepOfWait(waiter)) {
        check(source, match, mask, result);
      }
    }
  }

  /** One step of a wait; whether it is time to look who is still there. */
  boolean stepOfWait(Waiter waiter) {
    return stepOfWait(waiter, null);
  }

  private boolean stepOfWait(Waiter waiter, Operation wanted) {
    boolean moved = step(wanted);
    guard.stepOut();
    boolean timeToCheck;
    try {
      timeToCheck = moved ? waiter.goOn() : waiter.pause();
    } finally {
      guard.stepIn(); // an idle strategy may throw
    }
    requireOpen();
    if (timeToCheck) {
      core.reclaim();
    }
    return timeToCheck;
  }

  /** Fails {@code operation} if a rank that it depends on is gone and all that this rank had sent is in. */
  void check(Operation operation) {
    boolean matched = operation.receive && operation.begun; // and no other rank matters any more
    int gone = operation.isComplete() ? Liveness.NONE : liveness.missing(matched ? operation.source : operation.peer);
    if (gone == Liveness.NONE) {
      return;
    }
    drain(gone);
    giveUp(operation, liveness.failure(gone, operation));
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

  private void check(int source, long match, long mask, Received result) {
    int gone = liveness.missing(source);
    if (gone != Liveness.NONE) {
      drain(gone);
      if (!find(source, match, mask, result)) {
        throw liveness.failure(gone, "probe");
      }
    }
  }

  /** Takes in all that is there now, and what rank {@code gone} left in its fastbox; bounded, since others may keep sending. */
  private void drain(int gone) {
    sender.progress();
    for (int pieces = 0; pieces < allCells * PIECES_PER_STEP && receiver.progress(gone); pieces++) {
      Thread.onSpinWait();
    }
  }

  /** Whether a message that fits is there; {@code result} tells which. */
  boolean find(int source, long match, long mask, Received result) {
    UnexpectedMessage message = receiver.probe(source, match, mask);
    if (message == null) {
      return false;
    }
    result.set(message.source, (int) message.match, message.messageLength);
    return true;
  }
}
