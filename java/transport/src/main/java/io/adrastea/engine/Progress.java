package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.wait.Waiter;

/**
 * Moves things on, and waits. Called with the guard entered; while it waits, others may come in. A wait ends with what is
 * waited for, or with the absence of a rank that it depends on, however busy the others keep this one.
 */
final class Progress {
  static final int PIECES_PER_STEP = 16;

  private final Core core;
  private final Inbound inbound = new Inbound();
  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final boolean bypass;
  private final Liveness liveness;
  private final Guard guard;
  private final Sleep sleep;
  private final Openness openness;
  private final Lookout lookout;

  /**
   * Progress of one rank.
   *
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
      Openness openness,
      Lookout lookout,
      boolean bypass) {
    this.rendezvous = rendezvous;
    this.bypass = bypass;
    this.core = core;
    this.receiver = receiver;
    this.sender = sender;
    this.liveness = liveness;
    this.guard = guard;
    this.sleep = sleep;
    this.openness = openness;
    this.lookout = lookout;
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
          lookout.check(operation);
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

  private void check(int source, long match, long mask, Received result) {
    int gone = liveness.missing(source);
    if (gone != Liveness.NONE && lookout.drain(gone) && !find(source, match, mask, result)) {
      throw liveness.failure(gone, "probe");
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
    openness.requireOpen();
    return lookout.lookAround(waiter);
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
    if (openness.isOpen()) {
      lookout.lookAround(waiter);
    }
    return moved;
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
    openness.requireOpen();
    return lookout.lookAround(waiter);
  }
}
