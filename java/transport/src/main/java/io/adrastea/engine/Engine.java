package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.wait.WaitPolicy;
import io.adrastea.wait.Waiter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of one rank: starts operations, moves them on, waits for them. Everything that takes time happens inside
 * the calls; there is no thread of its own. Arguments are checked by the caller.
 *
 * <p>Sources: 000 section 3.1 (pending sends, unexpected messages), section 3.3 (posted-receive bypass).
 */
public final class Engine {
  private final Core core;
  private final int cellPayload;
  private final Receiver receiver;
  private final Sender sender;
  private final Liveness liveness;
  private final Progress progress;
  private final ZeroCopy zeroCopy;
  private final BarrierWait barrier;
  private final OperationPool pool = new OperationPool();
  private final Guard guard;
  private final Inbound inbound = new Inbound();

  /**
   * The engine of a rank.
   *
   * @param segment shared memory of its node
   * @param waiting how its threads wait
   * @param many whether several threads may use it at a time
   */
  public Engine(Core core, RankTable table, int rank, Segment segment, WaitPolicy waiting, boolean many) {
    Geometry geometry = segment.geometry();
    this.core = core;
    this.cellPayload = geometry.cellPayload();
    this.receiver = new Receiver(core, new Boxes(core, segment, rank), table.size(), segment.memory());
    this.sender = new Sender(core, table.size(), segment.memory(), cellPayload);
    this.liveness = new Liveness(table, rank);
    boolean crowded = table.isCrowded();
    this.guard =
        many ? new LockGuard(() -> waiting.waiter(crowded)) : new SingleGuard(rank, waiting.waiter(crowded));
    this.progress = new Progress(core, receiver, sender, liveness, guard, rank, geometry.ranks() * geometry.cells());
    this.zeroCopy = new ZeroCopy(this, receiver, sender, progress, pool, cellPayload);
    this.barrier = new BarrierWait(core, progress, liveness, guard, rank);
  }

  /** Sends and waits until the buffer can be used again. */
  public void send(int destination, long match, MemorySegment buffer, long offset, long length) {
    enter();
    try {
      if (length <= cellPayload
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
    begin(operation);
    settle(operation);
    finish(operation);
  }

  /** Waits for completion. When the wait itself throws, nothing is left of the operation. */
  void settle(Operation operation) {
    try {
      progress.settle(operation);
    } catch (RuntimeException | Error e) {
      progress.giveUp(operation, e instanceof RuntimeException cause ? cause : new IllegalStateException(e));
      pool.give(operation);
      throw e;
    }
  }

  /** Receives; {@code result} tells what. */
  public void receive(
      int source, long match, long mask, MemorySegment buffer, long offset, long length, Received result) {
    enter();
    try {
      if (guard.isExclusive()
          && receiver.mayBypass(source, match, mask)
          && bypass(source, match, mask, buffer, offset, length, result)) {
        return;
      }
      Operation operation = pool.take();
      operation.describe(true, source, match, mask, buffer, offset, length);
      begin(operation);
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
   */
  private boolean bypass(
      int source, long match, long mask, MemorySegment buffer, long offset, long length, Received result) {
    sender.progress(); // a message that is always there must not keep pending sends waiting
    Waiter waiter = guard.waiter();
    waiter.reset();
    while (true) {
      int status = core.receive(match, mask, source, buffer, offset, length, waiter.looks(), inbound);
      if (status >= 0) {
        result.set(inbound.source(), (int) inbound.match(), status);
        return true;
      }
      if (status != Core.AGAIN) {
        return false; // another message, or an error that the next poll tells
      }
      sender.progress();
      boolean timeToCheck = waiter.pause();
      progress.requireOpen();
      if (timeToCheck && liveness.missing(source) != Liveness.NONE) {
        return false; // the posted receive looks once more at all that is there, and fails
      }
    }
  }

  /** Starts a send or receive that the caller waits for later. */
  public Operation start(
      boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    enter();
    try {
      Operation operation = pool.take();
      operation.describe(receive, peer, match, mask, buffer, offset, length);
      begin(operation);
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
      begin(operation);
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
      begin(operation);
    } finally {
      guard.exit();
    }
  }

  void begin(Operation operation) {
    if (!operation.receive) {
      sender.claims().requireNone(operation.peer);
    }
    operation.activate();
    if (operation.receive) {
      receiver.start(operation);
    } else {
      sender.start(operation);
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

  /** Ends the engine; what was still on its way, in words. */
  public List<String> close() {
    enter();
    try {
      progress.close();
      List<String> outstanding = new ArrayList<>();
      receiver.describeOutstanding(outstanding);
      sender.describeOutstanding(outstanding);
      receiver.held().close(outstanding);
      sender.claims().close(outstanding);
      sender.bursts().close(outstanding);
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
    return alone;
  }
}
