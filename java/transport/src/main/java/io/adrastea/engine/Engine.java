package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.core.Spaces;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import io.adrastea.wait.WaitPolicy;
import io.adrastea.wait.Waiter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of one rank: starts operations, moves them on, waits for them. Everything that takes time happens inside
 * the calls, unless there is a {@link Helper}. Arguments are checked by the caller.
 *
 * <p>Sources: 000 section 3.1 (pending sends, unexpected messages), section 3.3 (posted-receive bypass).
 */
public final class Engine {
  private final Core core;
  private final int cellPayload;
  private final int quickBytes; // messages up to here are tried at once, as one piece
  private final boolean bypass;
  private final Rendezvous rendezvous;
  private final Receiver receiver;
  private final Sender sender;
  private final Liveness liveness;
  private final Progress progress;
  private final ZeroCopy zeroCopy;
  private final BarrierWait barrier;
  private final OperationPool pool = new OperationPool();
  private final Guard guard;
  private final Inbound inbound = new Inbound();
  private final int rank;
  private int cookieBytes; // of the RTS that was looked for and found
  private volatile Helper helper; // null: there was none

  /**
   * The engine of a rank.
   *
   * @param segment shared memory of its node
   * @param heap shared allocations of the rank
   * @param reach shared allocations of all ranks
   */
  public Engine(
      Core core,
      Spaces spaces,
      RankTable table,
      int rank,
      Segment segment,
      SharedHeap heap,
      SharedReach reach,
      EngineSettings settings) {
    Geometry geometry = segment.geometry();
    this.cellPayload = geometry.cellPayload();
    this.core = core;
    this.rank = rank;
    this.quickBytes = (int) Math.min(cellPayload, settings.large().eager().least());
    this.bypass = settings.bypass();
    this.liveness = new Liveness(table, rank);
    segment.regions().adviseBy(spaces::advise);
    Bursts bursts = new Bursts(core, table.size());
    this.rendezvous =
        new Rendezvous(core, spaces, heap, reach, settings.large(), table, rank, cellPayload, bursts, liveness);
    this.receiver = new Receiver(core, new Boxes(core, segment, rank), table.size(), segment.memory(), rendezvous);
    this.sender = new Sender(core, table.size(), segment.memory(), cellPayload, bursts, rendezvous);
    boolean crowded = table.isCrowded();
    WaitPolicy waiting = settings.waiting();
    this.guard =
        settings.many() ? new LockGuard(() -> waiting.waiter(crowded)) : new SingleGuard(rank, waiting.waiter(crowded));
    int allCells = geometry.ranks() * geometry.cells();
    this.progress = new Progress(core, receiver, sender, rendezvous, liveness, guard, rank, allCells, bypass);
    this.zeroCopy = new ZeroCopy(this, receiver, sender, progress, pool, cellPayload);
    this.barrier = new BarrierWait(core, progress, liveness, guard, rank);
  }

  /** Sends and waits until the buffer can be used again. */
  public void send(int destination, long match, MemorySegment buffer, long offset, long length) {
    enter();
    try {
      if ((length <= quickBytes || isQuick(destination, buffer, offset, length))
          && sender.isClear(destination)
          && (sender.trySend(destination, match, buffer, offset, length)
              || sendSoon(destination, match, buffer, offset, length))) {
        return;
      }
      Operation operation = pool.take();
      operation.describe(false, destination, match, -1L, buffer, offset, length);
      complete(operation);
    } finally {
      guard.exit();
    }
  }

  private boolean isQuick(int destination, MemorySegment buffer, long offset, long length) {
    return length <= cellPayload && !rendezvous.applies(destination, buffer, offset, length);
  }

  /** Tries for a little while: a receiver at work makes room in about the time that a pending send takes to be set up. */
  private boolean sendSoon(int destination, long match, MemorySegment buffer, long offset, long length) {
    for (int looks = guard.isExclusive() ? guard.waiter().looks() : 0; looks > 0; looks--) {
      Thread.onSpinWait();
      if (sender.trySend(destination, match, buffer, offset, length)) {
        return true;
      }
    }
    return false;
  }

  /** Sends parts as one message and waits until they can be used again. */
  public void send(int destination, long match, Parts parts) {
    enter();
    try {
      Operation operation = pool.take();
      operation.describe(false, destination, match, -1L, parts);
      complete(operation);
    } finally {
      guard.exit();
    }
  }

  private void complete(Operation operation) {
    operation.awaited = true;
    begin(operation);
    settle(operation);
    finish(operation);
  }

  /** Waits for completion. When the wait itself throws, nothing is left of the operation. */
  void settle(Operation operation) {
    try {
      progress.settle(operation);
    } catch (RuntimeException | Error e) {
      if (progress.abandon(operation, e instanceof RuntimeException cause ? cause : new IllegalStateException(e))) {
        pool.give(operation);
      }
      throw e;
    }
  }

  /** Receives; {@code result} tells what. */
  public void receive(
      int source, long match, long mask, MemorySegment buffer, long offset, long length, Received result) {
    enter();
    try {
      boolean looks = bypass && guard.isExclusive() && receiver.mayBypass(source, match, mask);
      boolean large = looks && rendezvous.expects(length);
      boolean found = looks && bypass(large, source, match, mask, buffer, offset, length, result);
      if (found && !large) {
        return;
      }
      Operation operation = pool.take();
      operation.describe(true, source, match, mask, buffer, offset, length);
      operation.awaited = true;
      if (found) {
        operation.activate();
        receiver.begin(operation, rendezvous.taken(inbound.source(), inbound.match(), cookieBytes));
      } else {
        begin(operation);
      }
      settle(operation);
      result.set(operation.source, operation.tag, operation.messageLength);
      finish(operation);
    } finally {
      guard.exit();
    }
  }

  /** Receives a message into parts; {@code result} tells what. */
  public void receive(int source, long match, long mask, Parts parts, Received result) {
    enter();
    try {
      Operation operation = pool.take();
      operation.describe(true, source, match, mask, parts);
      operation.awaited = true;
      begin(operation);
      settle(operation);
      result.set(operation.source, operation.tag, operation.messageLength);
      finish(operation);
    } finally {
      guard.exit();
    }
  }

  /**
   * Receives straight from fastbox or queue without posting (000 section 3.3). False: something else is next; the receive is to be
   * posted.
   *
   * @param large the RTS of a large message is looked for, rather than a message
   */
  private boolean bypass(
      boolean large, int source, long match, long mask, MemorySegment buffer, long offset, long length, Received result) {
    sender.progress(); // a message that is always there must not keep pending sends waiting
    Waiter waiter = guard.waiter();
    waiter.reset();
    while (true) {
      int looks = progress.looks(waiter);
      int status =
          large
              ? rendezvous.receiveOffer(match, mask, source, looks, inbound)
              : core.receive(match, mask, source, buffer, offset, length, looks, inbound);
      if (status >= 0) {
        cookieBytes = status;
        rendezvous.heard(inbound.source());
        result.set(inbound.source(), (int) inbound.match(), status); // a large one sets it anew when it is there
        return true;
      }
      if (status != Core.AGAIN) {
        return false; // another message, or an error that the next poll tells
      }
      sender.progress();
      moveTransfers();
      boolean timeToCheck = waiter.pause();
      progress.requireOpen();
      if (timeToCheck && liveness.missing(source) != Liveness.NONE) {
        return false; // the posted receive looks once more at all that is there, and fails
      }
    }
  }

  private void moveTransfers() {
    if (!rendezvous.isIdle()) {
      rendezvous.progress();
    }
  }

  /** Starts a send or receive that the caller waits for later. */
  public Operation start(
      boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    enter();
    try {
      Operation operation = pool.take();
      operation.describe(receive, peer, match, mask, buffer, offset, length);
      beginAlone(operation);
      return operation;
    } finally {
      guard.exit();
    }
  }

  /** Starts a send or receive of parts that the caller waits for later. */
  public Operation start(boolean receive, int peer, long match, long mask, Parts parts) {
    enter();
    try {
      Operation operation = pool.take();
      operation.describe(receive, peer, match, mask, parts);
      beginAlone(operation);
      return operation;
    } finally {
      guard.exit();
    }
  }

  /** A persistent operation, idle: it is not given back to the pool. */
  public Operation prepare(
      boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    progress.requireOpen();
    Operation operation = new Operation();
    operation.describe(receive, peer, match, mask, buffer, offset, length);
    return operation;
  }

  /** Starts a persistent operation. */
  public void start(Operation operation) {
    enter();
    try {
      beginAlone(operation);
    } finally {
      guard.exit();
    }
  }

  /** Nobody waits for the operation yet, but perhaps the helper can go on with it. */
  private void beginAlone(Operation operation) {
    begin(operation);
    Helper now = helper;
    if (now != null && !operation.isComplete()) {
      now.wake();
    }
  }

  void begin(Operation operation) {
    if (!operation.receive) {
      sender.claims().requireNone(operation.peer);
    }
    operation.activate();
    try {
      if (operation.receive) {
        receiver.start(operation);
      } else {
        sender.start(operation);
      }
    } catch (RuntimeException e) {
      operation.fail(e); // its parts are free again
      throw e;
    }
  }

  /** Moves things on; whether {@code operation} is complete. */
  public boolean test(Operation operation) {
    enter();
    try {
      if (!operation.isComplete()) {
        progress.step();
      }
      return operation.isComplete();
    } finally {
      guard.exit();
    }
  }

  /** Waits until {@code operation} is complete, whether well or not. */
  public void await(Operation operation) {
    enter();
    try {
      progress.settle(operation);
    } finally {
      guard.exit();
    }
  }

  /** Reports the failure of a complete operation, if there was one; gives it back to the pool unless it is persistent. */
  public void report(Operation operation, boolean persistent) {
    enter();
    try {
      if (persistent) {
        RuntimeException failure = operation.failure;
        operation.failure = null;
        operation.state = Operation.State.IDLE;
        raise(failure);
      } else {
        finish(operation);
      }
    } finally {
      guard.exit();
    }
  }

  /** Gives a complete operation back to the pool, and throws its failure, if there was one. */
  void finish(Operation operation) {
    RuntimeException failure = operation.failure;
    pool.give(operation);
    raise(failure);
  }

  private static void raise(RuntimeException failure) {
    if (failure != null) {
      throw failure;
    }
  }

  /** Begins a wait for one of several operations, which the caller tests in turn. */
  public void beginWait() {
    guard.waiter().reset();
  }

  /** One step of such a wait in which none was complete; whether it is time to {@link #check} them. */
  public boolean pauseWait() {
    return guard.waiter().pause();
  }

  /** Fails {@code operation} if those it depends on are gone. */
  public void check(Operation operation) {
    enter();
    try {
      progress.check(operation);
    } finally {
      guard.exit();
    }
  }

  /** Takes an operation back if nothing of it has happened; whether it was. A cancelled operation is complete. */
  public boolean cancel(Operation operation) {
    enter();
    try {
      if (!operation.isActive()) {
        return false;
      }
      boolean taken = operation.receive ? receiver.withdraw(operation) : sender.withdraw(operation);
      if (taken) {
        operation.cancelled = true;
        operation.received(Operation.ANY, Operation.ANY, 0);
        operation.complete();
      }
      return taken;
    } finally {
      guard.exit();
    }
  }

  /** Whether a message that fits is there, without receiving it. */
  public boolean probeNow(int source, long match, long mask, Received result) {
    enter();
    try {
      progress.step();
      return progress.find(source, match, mask, result);
    } finally {
      guard.exit();
    }
  }

  /** Waits for a message that fits, without receiving it. */
  public void probe(int source, long match, long mask, Received result) {
    enter();
    try {
      progress.probe(source, match, mask, result);
    } finally {
      guard.exit();
    }
  }

  /** Waits until all ranks have come here. */
  public void barrier() {
    enter();
    try {
      barrier.run();
    } finally {
      guard.exit();
    }
  }

  /** Messages read and written in place. */
  public ZeroCopy zeroCopy() {
    return zeroCopy;
  }

  /** Begins to hold back what the calling thread sends to {@code destination}. */
  public void beginBurst(int destination) {
    enter();
    try {
      sender.bursts().begin(destination);
    } finally {
      guard.exit();
    }
  }

  /** Shows what was held back, and holds nothing back any more. */
  public void endBurst(int destination) {
    enter();
    try {
      sender.bursts().end(destination);
    } finally {
      guard.exit();
    }
  }

  void enter() {
    guard.enter();
    try {
      progress.requireOpen();
    } catch (IllegalStateException e) {
      guard.exit();
      throw e;
    }
  }

  void exit() {
    guard.exit();
  }

  /**
   * Starts a thread that moves things on until it is closed, at the latest with the engine. Only where many threads may come in.
   *
   * @throws IllegalStateException when there is one
   */
  public Helper startHelper() {
    enter();
    try {
      if (helper != null && helper.isOpen()) {
        throw new IllegalStateException(
            "rank %d has a progress thread; one is allowed: close it before another is started".formatted(rank));
      }
      helper = Helper.start(this, rank);
      return helper;
    } finally {
      guard.exit();
    }
  }

  /** A step of the helper, if no other thread is inside, which moves things on by itself; whether anything moved. */
  boolean moveOn() {
    if (!guard.enterIfFree()) {
      return false;
    }
    try {
      return progress.isOpen() && progress.step();
    } catch (RuntimeException | Error e) {
      progress.fail(e);
      return false;
    } finally {
      guard.exit();
    }
  }

  /** Whether other threads wait to come in. */
  boolean isWanted() {
    return guard.isWanted();
  }

  private void endHelper() {
    if (helper != null) { // no other is started once the engine is closed
      helper.close();
    }
  }

  /** Ends the engine; what was still on its way, in words. */
  public List<String> close() {
    try {
      return end();
    } finally {
      endHelper();
    }
  }

  private List<String> end() {
    guard.enter();
    try {
      progress.requireNotClosed();
      progress.close();
      List<String> outstanding = new ArrayList<>();
      receiver.describeOutstanding(outstanding);
      sender.describeOutstanding(outstanding);
      rendezvous.describeOutstanding(outstanding);
      receiver.held().close(outstanding);
      sender.claims().close(outstanding);
      sender.bursts().close(outstanding);
      rendezvous.close();
      return outstanding;
    } finally {
      guard.exit();
    }
  }

  /** Ends the engine of a rank that fails. False: another thread is in a call, which will end, and may still use the core. */
  public boolean abandon() {
    boolean alone = guard.tryEnter();
    progress.close();
    if (alone) {
      guard.exit();
    }
    endHelper();
    return alone;
  }
}
