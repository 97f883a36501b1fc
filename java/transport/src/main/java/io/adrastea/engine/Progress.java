package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.lmt.Transfer;
import io.adrastea.lmt.Transfers;
import io.adrastea.wait.Waiter;

/**
 * Moves things on, and waits. Called with the guard entered; while it waits, others may come in. A wait ends with what is
 * waited for, or with the absence of a rank that it depends on, however busy the others keep this one.
 */
final class Progress {
  private static final int PIECES_PER_STEP = 16;
  private static final long ABANDON_NANOS = 1_000_000_000L;

  private final Core core;
  private final Inbound inbound = new Inbound();
  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final boolean bypass;
  private final Liveness liveness;
  private final Guard guard;
  private final int rank;
  private final int allCells;
  private volatile boolean closed; // by another thread, perhaps, while one waits
  private Throwable helperFailure; // what ended the helper, written before `closed`; null: nothing did

  /**
   * Progress of one rank.
   *
   * @param allCells cells of all ranks: the most that can be in its queue at a time
   * @param bypass receives look for their message before they are posted
   */
  Progress(
      Core core,
      Receiver receiver,
      Sender sender,
      Rendezvous rendezvous,
      Liveness liveness,
      Guard guard,
      int rank,
      int allCells,
      boolean bypass) {
    this.rendezvous = rendezvous;
    this.bypass = bypass;
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
    helperFailure = null;
    closed = true;
  }

  /** The same after a failure of the helper: it is every call's, until the job is closed. */
  void fail(Throwable cause) {
    helperFailure = cause;
    closed = true;
  }

  boolean isOpen() {
    return !closed;
  }

  void requireOpen() {
    if (closed) {
      throw ended(helperFailure);
    }
  }

  /** Whether it can be closed: not a second time. */
  void requireNotClosed() {
    if (helperFailure == null) {
      requireOpen();
    }
  }

  private RuntimeException ended(Throwable failure) {
    if (failure == null) {
      return new IllegalStateException("rank %d has closed its job".formatted(rank));
    }
    String what = "the progress thread of rank %d failed: %s".formatted(rank, failure.getMessage());
    return failure instanceof SegmentException ? new SegmentException(what, failure) : new AdrasteaException(what, failure);
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
    int first = wanted == null ? Operation.ANY : origin(wanted);
    boolean any = sender.progress() | (!rendezvous.isIdle() && rendezvous.progress());
    for (int pieces = 0; pieces < PIECES_PER_STEP && !isOver(wanted) && receiver.progress(first); pieces++) {
      any = true;
    }
    return any;
  }

  /** Where from comes what completes an operation. */
  private static int origin(Operation operation) {
    return operation.transfer != null ? operation.transfer.peer() : operation.receive ? operation.peer : Operation.ANY;
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
      if (hearDirectly(operation, waiter)) {
        continue;
      }
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
    if (!bypass || operation.form != Operation.Form.BUFFER || !operation.receive || operation.begun || !guard.isExclusive() || !receiver.isFirst(operation)) {
      return false;
    }
    boolean large = rendezvous.expects(operation.length);
    int status = large ? directOffer(operation, looks(waiter)) : direct(operation, looks(waiter));
    if (status < 0) {
      return false;
    }
    if (large) {
      receiver.beginPosted(operation, rendezvous.taken(inbound.source(), inbound.match(), status));
      return operation.isComplete();
    }
    receiver.complete(operation, inbound.source(), inbound.match(), status);
    return true;
  }

  private int directOffer(Operation operation, int looks) {
    return rendezvous.receiveOffer(operation.match, operation.mask, operation.peer, looks, inbound);
  }

  /** Lets the core wait for what the peer says of a large message; whether it said something. */
  private boolean hearDirectly(Operation operation, Waiter waiter) {
    return bypass
        && operation.transfer != null
        && guard.isExclusive()
        && rendezvous.receiveControl(operation, looks(waiter), inbound);
  }

  /** How long the core may look at a stretch: transfers of others are not to wait. */
  int looks(Waiter waiter) {
    return rendezvous.isIdle() ? waiter.looks() : 1;
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
      rendezvous.check();
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

  /**
   * Ends an operation whose wait has thrown. The peer of a large message that is there may still use its memory: then it is told, and
   * waited for, for a while.
   *
   * @return whether nothing of the operation is left
   */
  boolean abandon(Operation operation, RuntimeException failure) {
    Transfer transfer = operation.transfer;
    giveUp(operation, failure);
    if (transfer == null) {
      return true;
    }
    long deadline = System.nanoTime() + ABANDON_NANOS;
    try {
      while (transfer.owner == Transfers.ORPHAN && System.nanoTime() - deadline < 0) {
        step();
        rendezvous.check();
      }
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    return transfer.owner != Transfers.ORPHAN;
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

  /** Takes in all that is there now, and what rank {@code gone} left behind; bounded, since others may keep sending. */
  private void drain(int gone) {
    sender.progress();
    boolean moved = true;
    for (int rounds = 0; moved && rounds < allCells; rounds++) {
      moved = rendezvous.progress();
      for (int pieces = 0; pieces < PIECES_PER_STEP && receiver.progress(gone); pieces++) {
        moved = true;
      }
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
