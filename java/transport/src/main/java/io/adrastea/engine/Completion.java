package io.adrastea.engine;

import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.engine.receive.Bypass;
import io.adrastea.engine.receive.Receiver;
import io.adrastea.engine.send.Rendezvous;
import io.adrastea.engine.send.Sender;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Upkeep;
import io.adrastea.wait.Waits;
import io.adrastea.error.RevokedException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;
import io.adrastea.wait.Waiter;

/**
 * Sees operations to their end: a wait for one ends with its message, with the absence of a rank that it depends on,
 * with an interrupt, or with its limit, however busy other ranks keep this one. Called inside the gate.
 */
final class Completion implements Condition<Operation> {
  private static final long ABANDON_NANOS = 1_000_000_000L;

  private final Gate gate;
  private final Liveness liveness;
  private final Progress progress;
  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final Waits waits;
  private final Bypass bypass;
  private final ControlMessages control;
  private final FailureDetector detector;
  private final Movement movement;

  Completion(
      Resources resources,
      Progress progress,
      Receiver receiver,
      Sender sender,
      Rendezvous rendezvous,
      Waits waits,
      Bypass bypass,
      ControlMessages control,
      FailureDetector detector) {
    this.gate = resources.gate();
    this.liveness = resources.liveness();
    this.progress = progress;
    this.receiver = receiver;
    this.sender = sender;
    this.rendezvous = rendezvous;
    this.waits = waits;
    this.bypass = bypass;
    this.control = control;
    this.detector = detector;
    this.movement = resources.movement();
  }

  /**
   * Waits until {@code operation} is complete, whether well or not.
   *
   * @param nanos from now; {@link Long#MAX_VALUE}: there is no limit, and no clock is read for it
   * @throws TimeLimitException when it is not complete then
   */
  void settle(Operation operation, long nanos) {
    Waiter waiter = waits.beginWait(operation.peer());
    if (nanos != Long.MAX_VALUE) {
      waiter.limit(nanos);
    }
    try {
      settle(operation, waiter);
    } finally {
      waiter.limitAt(0);
    }
  }

  /**
   * Waits until {@code operation} is complete, in a wait that has begun: the spins and yields that it has had count.
   */
  void settle(Operation operation, Waiter waiter) {
    waits.await(this, operation, waiter);
    if (operation.isCancelled()) {
      requireSent(operation);
    }
  }

  @Override
  public boolean isMet(Operation operation, int polls) {
    return operation.isComplete()
        || bypass.receivePosted(operation, polls)
        || bypass.hear(operation, polls) && operation.isComplete();
  }

  @Override
  public boolean step(Operation operation, Upkeep upkeep) {
    return progress.step(operation);
  }

  @Override
  public boolean isHopeless(Operation operation) {
    return liveness.isGone(operation.peer());
  }

  /** Checks liveness when it is time, for a program that tests an operation again and again. */
  void poll(Operation operation) {
    detector.pollInVain();
    if (operation.enterCheck(detector.polls())) {
      check(operation);
    }
  }

  /** Fails {@code operation} if a rank that it depends on is gone and all that this rank had sent is in. */
  void check(Operation operation) {
    waits.check(this, operation);
    if (!operation.isComplete() && losesNothing(operation)) {
      control.raise();
    }
  }

  @Override
  public int missing(Operation operation) {
    if (operation.isComplete()) {
      return Liveness.NONE;
    }
    int awaited = awaited(operation);
    return operation.members().isRevoked() ? Math.max(awaited, 0) : liveness.missing(operation.members(), awaited);
  }

  @Override
  public void fail(Operation operation, int gone) {
    giveUp(
        operation,
        operation.members().isRevoked()
            ? new RevokedException("a %s, cannot complete: the communicator was revoked".formatted(operation))
            : liveness.failure(operation.members(), gone, awaited(operation), operation));
  }

  /** The rank that completes an operation: once a message has matched, no other matters any more. */
  private static int awaited(Operation operation) {
    return operation instanceof Receive receive ? receive.awaitedRank() : operation.peer();
  }

  /**
   * Whatever long message moves between the two ranks: this one, or those before it, behind which it waits, or which
   * the peer is to send, or receive, before it comes to this one.
   */
  @Override
  public long moves(Operation operation) {
    return movement.ofMessages(awaited(operation));
  }

  @Override
  public Waiting waiting(Operation operation) {
    if (!(operation instanceof Receive receive)) {
      int call = operation.isInPlace() ? RankEntryDescriptor.IN_CLAIM : RankEntryDescriptor.IN_SEND;
      return waiting(call, operation, operation.peer(), (int) operation.match());
    }
    return receive.isBegun()
        ? waiting(RankEntryDescriptor.IN_RECEIVE, receive, receive.source(), receive.tag())
        : waiting(RankEntryDescriptor.IN_RECEIVE, receive, receive.peer(), receive.wantedTag());
  }

  /** The wait for a rank of the operation's communicator, or for any. */
  static Waiting waiting(int call, Operation operation, int peer, int tag) {
    return new Waiting(call, peer, tag, peer < 0 ? null : operation.members().name(peer));
  }

  @Override
  public String words(Operation operation) {
    return "for a " + operation;
  }

  /** An operation that a call must see to its end, since memory of the caller is in use, goes on. */
  @Override
  public boolean endures(Operation operation) {
    boolean bound = operation.isAwaited() && isBound(operation);
    if (bound && operation instanceof Send send) {
      rendezvous.transfers().withdraw(send.transfer());
    }
    return bound;
  }

  /** An operation that has begun would lose what has come or gone. */
  @Override
  public boolean losesNothing(Operation operation) {
    return !operation.isAwaited() || !operation.isBegun() && operation.transfer() == null;
  }

  /**
   * A receive whose message has begun to arrive, which must not be lost; a send whose bytes its receiver may take at
   * any moment.
   */
  private static boolean isBound(Operation operation) {
    return operation instanceof Receive ? operation.isBegun() : operation.transfer() != null;
  }

  /** Throws after a wait that was overdue, whose send has been cancelled since. */
  private void requireSent(Operation operation) {
    if (operation instanceof Send && operation.isAwaited()) {
      throw waits.overdue(words(operation));
    }
  }

  /** Ends an operation that is not complete: nothing of it is left. */
  private void giveUp(Operation operation, RuntimeException failure) {
    if (operation.isComplete()) {
      return;
    }
    if (operation instanceof Receive receive) {
      receiver.giveUp(receive, failure);
    } else {
      sender.giveUp((Send) operation, failure);
    }
  }

  /**
   * Ends an operation whose wait has thrown. The peer of a large message that is there may still use its memory: then
   * it is told, and waited for, for a while.
   *
   * @return whether nothing of the operation is left
   */
  boolean abandon(Operation operation, Throwable thrown) {
    // No exception is made of an error: memory may be what lacks.
    RuntimeException failure = thrown instanceof RuntimeException cause ? cause : null;
    if (gate.isEnded()) { // nothing can be told to anybody any more
      operation.fail(failure);
      return operation.transfer() == null; // else its peer may still use the memory, which is kept with it
    }
    Transfer transfer = operation.transfer();
    if (transfer == null && isUnderWay(operation)) {
      operation.abandon(failure); // it stays in its place until its receiver could be told
      return false;
    }
    giveUp(operation, failure);
    return transfer == null || awaitEnd(transfer, thrown);
  }

  /** A send of which some pieces are out and others are not. */
  private static boolean isUnderWay(Operation operation) {
    return operation instanceof Send && operation.isBegun() && !operation.isComplete();
  }

  /**
   * Waits for the peer of a transfer that was given up; whether it is over. Others may come in meanwhile: they may end
   * the transfer, which is then another's in time, or the engine, after which nothing moves.
   */
  private boolean awaitEnd(Transfer transfer, Throwable thrown) {
    long deadline = System.nanoTime() + ABANDON_NANOS;
    try {
      while (!gate.isEnded() && transfer.owner == Transfers.ORPHAN && System.nanoTime() - deadline < 0) {
        detector.checkTransfers();
        if (!progress.step()) {
          waits.nap();
        }
      }
    } catch (RuntimeException e) {
      thrown.addSuppressed(e);
    }
    return transfer.owner != Transfers.ORPHAN;
  }
}
