package io.adrastea.engine;

import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.collective.Operations;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.OperationPool;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.engine.receive.Bypass;
import io.adrastea.engine.receive.Receiver;
import io.adrastea.engine.send.Rendezvous;
import io.adrastea.engine.send.Sender;
import io.adrastea.peers.Peers;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Upkeep;
import io.adrastea.wait.Waits;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RevokedException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.transfer.Transfer;
import io.adrastea.wait.Waiter;

/**
 * Sees operations from their begin to their end: a wait for one ends with its message, with the absence of a rank that
 * it depends on, with an interrupt, or with its limit, however busy other ranks keep this one. Called inside the gate,
 * which what requests call enters by itself.
 */
final class Completion implements Pending.Owner<Operation>, Operations {
  private static final long ABANDON_NANOS = 1_000_000_000L;

  private final Gate gate;
  private final Peers peers;
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
  private final OperationPool pool;

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
    this.peers = resources.peers();
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
    this.pool = new OperationPool(this, resources.checksTypes());
  }

  @Override
  public OperationPool pool() {
    return pool;
  }

  // What has no request

  /** Begins an operation that was described, waits for its end, and gives it back; throws its failure. */
  void complete(Operation operation) {
    operation.await();
    begin(operation);
    settle(operation);
    finish(operation);
  }

  /** Sees a receive to its end that has begun, in a wait that has begun, likewise. */
  void complete(Receive operation, Waiter waiter, Receive.Result result) {
    settleOrAbandon(operation, waiter);
    operation.tell(result);
    finish(operation);
  }

  @Override
  public void begin(Operation operation) {
    if (operation.peer() == Operation.NO_RANK) {
      operation.activate();
      operation.completeWithNobody();
      return;
    }
    if (operation instanceof Send send) {
      sender.claims().requireNone(send.peer());
    } else {
      control.raise();
    }
    operation.activate();
    try {
      if (operation instanceof Receive receive) {
        receiver.start(receive);
      } else {
        sender.start((Send) operation);
      }
    } catch (RuntimeException e) {
      operation.fail(e); // its payload can be changed again
      throw e;
    }
  }

  /** Waits for completion. When the wait itself throws, nothing is left of the operation. */
  void settle(Operation operation) {
    settleOrAbandon(operation, waits.beginWait(operation.peer()));
  }

  /** Waits for completion in a wait that has begun. When that throws, nothing is left of the operation. */
  private void settleOrAbandon(Operation operation, Waiter waiter) {
    try {
      settle(operation, waiter);
    } catch (RuntimeException | Error e) {
      if (abandon(operation, e)) {
        pool.give(operation);
      }
      throw e;
    }
  }

  /** Gives a complete operation back to the pool, and throws its failure, if there was one. */
  void finish(Operation operation) {
    RuntimeException failure = operation.failure();
    pool.give(operation);
    if (failure != null) {
      throw failure;
    }
  }

  // What a request tells of

  /** Begins an operation that nobody waits for yet; but perhaps the progress thread can go on with it. */
  void beginAlone(Operation operation) {
    begin(operation);
    leaveAlone(operation);
  }

  /** Leaves an operation that has begun to the calls that are to come, and to the progress thread. */
  void leaveAlone(Operation operation) {
    if (!operation.isComplete() && !progress.wakeThread() && operation.transfer() != null) {
      moveOn(operation);
    }
  }

  /**
   * In a stream of large messages, those before this one are moved on, as their receiver has had time to ask for their
   * bytes while the program wrote this one: so its copies do not wait until this rank waits.
   */
  private void moveOn(Operation operation) {
    int peer = operation.transfer().peer();
    try {
      if (peers.sharesMemory(peer)) {
        bypass.hear(operation, 1);
      } else {
        receiver.progress(peer);
      }
      rendezvous.transfers().progressWith(peer);
    } catch (RuntimeException | Error e) {
      if (abandon(operation, e) && !operation.isPersistent()) {
        pool.give(operation);
      }
      throw e;
    }
  }

  @Override
  public <T> void start(Operation operation, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      beginAlone(operation);
      if (operation.isComplete() || bypass.receiveIfThere(operation)) {
        end(operation, outcome, subject);
      }
    } finally {
      gate.exit();
    }
  }

  @Override
  public <T> boolean poll(Operation operation, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      boolean complete = operation.isComplete() || completes(operation);
      if (complete) {
        end(operation, outcome, subject);
      }
      return complete;
    } finally {
      gate.exit();
    }
  }

  /** Moves things on; whether an operation is complete then. */
  private boolean completes(Operation operation) {
    if (progress.step()) {
      waits.found(gate.waiter()); // a program that asks again and again may wait that way
    }
    if (!operation.isComplete() && operation.enterCheck(detector.pollInVain())) {
      check(operation);
    }
    return operation.isComplete();
  }

  @Override
  public <T> void finish(Operation operation, long nanos, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      if (!operation.isComplete() && !bypass.receiveAtOnce(operation)) {
        bypass.countPolls();
        settle(operation, nanos);
      }
      end(operation, outcome, subject);
    } finally {
      gate.exit();
    }
  }

  @Override
  public <T> void finishOrWithdraw(Operation operation, long nanos, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      if (!operation.isComplete()) {
        settleOrWithdraw(operation, nanos, outcome, subject);
      }
      end(operation, outcome, subject);
    } finally {
      gate.exit();
    }
  }

  private <T> void settleOrWithdraw(Operation operation, long nanos, Pending.Outcome<T> outcome, T subject) {
    operation.await();
    try {
      settle(operation, nanos);
    } catch (InterruptedWaitException | TimeLimitException e) {
      takeBack(operation);
      end(operation, outcome, subject);
      throw e;
    }
  }

  /** Ends an operation that is complete, once what has become of it is kept. */
  private <T> void end(Operation operation, Pending.Outcome<T> outcome, T subject) {
    outcome.keep(subject, operation);
    if (operation.isPersistent()) {
      operation.end();
    } else {
      pool.give(operation);
    }
  }

  @Override
  public boolean withdraw(Operation operation) {
    gate.enter();
    try {
      return takeBack(operation);
    } finally {
      gate.exit();
    }
  }

  @Override
  public boolean takeBack(Operation operation) {
    if (!operation.isActive()) {
      return false;
    }
    boolean taken =
        operation instanceof Receive receive ? receiver.withdraw(receive) : sender.withdraw((Send) operation);
    if (taken) {
      operation.cancel();
    }
    return taken;
  }

  // The wait

  /**
   * Waits until {@code operation} is complete, whether well or not.
   *
   * @param nanos from now; {@link Long#MAX_VALUE}: there is no limit, and no clock is read for it
   * @throws TimeLimitException when it is not complete then
   */
  private void settle(Operation operation, long nanos) {
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
  private void settle(Operation operation, Waiter waiter) {
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

  /** Fails {@code operation} if a rank that it depends on is gone and all that this rank had sent is in. */
  private void check(Operation operation) {
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
      return waiting(peers, call, operation, operation.peer(), (int) operation.match());
    }
    return receive.isBegun()
        ? waiting(peers, RankEntryDescriptor.IN_RECEIVE, receive, receive.source(), receive.tag())
        : waiting(peers, RankEntryDescriptor.IN_RECEIVE, receive, receive.peer(), receive.wantedTag());
  }

  /** The wait for a rank of the operation's communicator, or for any. */
  static Waiting waiting(Peers peers, int call, Operation operation, int peer, int tag) {
    return new Waiting(call, peer, tag, peer < 0 ? null : peers.whereabouts(operation.members().name(peer), peer));
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
  @Override
  public boolean abandon(Operation operation, Throwable thrown) {
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
      while (!gate.isEnded() && transfer.isOrphan() && System.nanoTime() - deadline < 0) {
        detector.checkTransfers();
        if (!progress.step()) {
          waits.nap();
        }
      }
    } catch (RuntimeException e) {
      thrown.addSuppressed(e);
    }
    return !transfer.isOrphan();
  }
}
