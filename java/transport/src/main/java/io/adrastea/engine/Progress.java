package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.lmt.Transfer;
import io.adrastea.lmt.Transfers;
import io.adrastea.wait.Waiter;
import java.util.List;

/**
 * Moves things on, and waits. Called with the guard entered; while it waits, others may come in. A wait ends with what is
 * waited for, or with the absence of a rank that it depends on, however busy the others keep this one.
 */
final class Progress {
  private static final int PIECES_PER_STEP = 16;
  private static final long ABANDON_NANOS = 1_000_000_000L;

  private final Core core;
  private final Inbound inbound = new Inbound();
  private final Pace pace = new Pace();
  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final boolean bypass;
  private final Liveness liveness;
  private final Guard guard;
  private final Sleep sleep;
  private final int rank;
  private final int allCells;
  private int looks; // in passing, who is still there
  private volatile boolean closed; // by another thread, perhaps, while one waits
  private boolean ended; // the core is closed, or about to be: nobody is to call it; guarded
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
      Sleep sleep,
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
    this.sleep = sleep;
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

  /** The core goes. To be called inside, after close. */
  void end() {
    ended = true;
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
    if (any) {
      sleep.moved();
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
    Waiter waiter = beginWait();
    try {
      while (!operation.isComplete() && !receiveDirectly(operation, waiter)) {
        if (!hearDirectly(operation, waiter) && (stepOfWait(waiter, operation) || liveness.isGone(operation.peer))) {
          check(operation);
        }
      }
    } finally {
      endWait(waiter);
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
    Waiter waiter = beginWait();
    while (!find(source, match, mask, result)) {
      if (stepOfWait(waiter)) {
        check(source, match, mask, result);
      }
    }
    endWait(waiter);
  }

  /** One step of a wait; whether it is time to look who is still there. */
  boolean stepOfWait(Waiter waiter) {
    return stepOfWait(waiter, null);
  }

  private boolean stepOfWait(Waiter waiter, Operation wanted) {
    if (step(wanted)) {
      letIn(waiter);
    } else {
      sleep.rest(waiter);
    }
    requireOpen();
    return lookAround(waiter);
  }

  /** Every so often looks who is still there; whether it did. */
  private boolean lookAround(Waiter waiter) {
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
      requireOpen();
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

  /** What stood in the way of pending sends is gone: whoever sleeps, the helper too, moves them on. */
  void goesOn() {
    if (!guard.isExclusive()) {
      sleep.rouse();
    }
  }

  /** A step for a program that asks again and again, of which that may be the way to wait. */
  void stepOfTest() {
    if (step()) {
      sleep.found(guard.waiter());
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

  /** A step of the helper, which rests when nothing moved and {@code alone}; whether something moved. */
  boolean stepOfHelper(Waiter waiter, boolean alone) {
    boolean moved = step();
    if (moved) {
      sleep.found(waiter);
    } else if (alone) {
      sleep.restHelper(waiter);
    } else {
      sleep.stir(waiter);
    }
    if (!closed) {
      lookAround(waiter);
    }
    return moved;
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

  private void letIn(Waiter waiter) {
    sleep.found(waiter);
    guard.stepOut();
    guard.stepIn();
  }

  /** Begins a wait of the calling thread. */
  Waiter beginWait() {
    Waiter waiter = guard.waiter();
    sleep.begin(waiter);
    return waiter;
  }

  /** Ends a wait that has found what it was for. */
  void endWait(Waiter waiter) {
    sleep.stir(waiter);
  }

  /** A step of a wait whose last look found nothing; whether it is time to look who is still there. */
  boolean rest() {
    Waiter waiter = guard.waiter();
    sleep.rest(waiter);
    requireOpen();
    return lookAround(waiter);
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
   * Ends an operation whose wait has thrown. The peer of a large message that is there may still use its memory: then it is told, and
   * waited for, for a while.
   *
   * @return whether nothing of the operation is left
   */
  boolean abandon(Operation operation, Throwable thrown) {
    RuntimeException failure = thrown instanceof RuntimeException cause ? cause : null; // of an error nothing is made: memory may be what lacks
    if (ended) { // nothing can be told to anybody any more
      operation.fail(failure);
      return true;
    }
    Transfer transfer = operation.transfer;
    if (transfer == null && !operation.receive && operation.begun && !operation.isComplete()) {
      sender.callOffLater(operation, failure);
      return false;
    }
    giveUp(operation, failure);
    if (transfer == null) {
      return true;
    }
    long deadline = System.nanoTime() + ABANDON_NANOS;
    try {
      while (transfer.owner == Transfers.ORPHAN && System.nanoTime() - deadline < 0) {
        if (!step()) {
          Sleep.nap(this);
        }
        rendezvous.check();
      }
    } catch (RuntimeException e) {
      thrown.addSuppressed(e);
    }
    return transfer.owner != Transfers.ORPHAN;
  }

  private void check(int source, long match, long mask, Received result) {
    int gone = liveness.missing(source);
    if (gone != Liveness.NONE) {
      if (drain(gone) && !find(source, match, mask, result)) {
        throw liveness.failure(gone, "probe");
      }
    }
  }

  /**
   * Takes in all that is there now, and what rank {@code gone} left behind; bounded, since others may keep sending.
   *
   * @return whether that is all: no living rank is in the middle of putting a message in that others are behind
   */
  private boolean drain(int gone) {
    lookAfter();
    sender.progress();
    boolean moved = true;
    for (int rounds = 0; moved && rounds < allCells; rounds++) {
      moved = rendezvous.progress();
      for (int pieces = 0; pieces < PIECES_PER_STEP && receiver.progress(gone); pieces++) {
        moved = true;
      }
    }
    sleep.moved();
    return lookAfter();
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
