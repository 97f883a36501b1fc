package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.error.RankFailedException;
import io.adrastea.ranktable.RankTable;
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
  private static final int PIECES_PER_STEP = 16;

  private final Core core;
  private final int rank;
  private final int allCells;
  private final int cellPayload;
  private final Receiver receiver;
  private final Sender sender;
  private final Liveness liveness;
  private final OperationPool pool = new OperationPool();
  private final Guard guard;
  private final Inbound inbound = new Inbound();
  private volatile boolean closed; // by another thread, perhaps, while one waits

  /**
   * The engine of a rank.
   *
   * @param cells cells of each rank
   * @param cellPayload bytes that fit one of them
   * @param spins looks before a wait yields
   * @param many whether several threads may use it at a time
   */
  public Engine(Core core, RankTable table, int rank, int cells, int cellPayload, int spins, boolean many) {
    this.core = core;
    this.rank = rank;
    this.allCells = cells * table.size();
    this.cellPayload = cellPayload;
    this.receiver = new Receiver(core, table.size());
    this.sender = new Sender(core, table.size());
    this.liveness = new Liveness(table, rank);
    boolean crowded = table.isCrowded();
    this.guard =
        many ? new LockGuard(() -> new Waiter(crowded, spins)) : new SingleGuard(rank, new Waiter(crowded, spins));
  }

  /** Sends and waits until the buffer can be used again. */
  public void send(int destination, long match, MemorySegment buffer, long offset, long length) {
    enter();
    try {
      if (length <= cellPayload
          && sender.isClear(destination)
          && sender.trySend(destination, match, buffer, offset, length)) {
        return;
      }
      Operation operation = pool.take();
      operation.describe(false, destination, match, -1L, buffer, offset, length);
      begin(operation);
      settle(operation);
      finish(operation);
    } finally {
      guard.exit();
    }
  }

  /** Receives; {@code result} tells what. */
  public void receive(
      int source, long match, long mask, MemorySegment buffer, long offset, long length, Received result) {
    enter();
    try {
      if (guard.isExclusive() && receiver.isIdle() && bypass(source, match, mask, buffer, offset, length, result)) {
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

  /**
   * Receives straight from the queue without posting (000 section 3.3); allowed while no other receive is posted and no
   * message waits. False: something else is next; the receive is to be posted.
   */
  private boolean bypass(
      int source, long match, long mask, MemorySegment buffer, long offset, long length, Received result) {
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
      requireOpen();
      if (timeToCheck) {
        int gone = liveness.missing(source);
        if (gone >= 0) {
          return false; // the posted receive looks once more at all that is there, and fails
        }
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

  /** A persistent operation, idle: it is not given back to the pool. */
  public Operation prepare(
      boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    requireOpen();
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

  private void begin(Operation operation) {
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
        progress();
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
      settle(operation);
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

  private void finish(Operation operation) {
    RuntimeException failure = operation.failure;
    pool.give(operation);
    raise(failure);
  }

  private static void raise(RuntimeException failure) {
    if (failure != null) {
      throw failure;
    }
  }

  private void settle(Operation operation) {
    Waiter waiter = guard.waiter();
    waiter.reset();
    while (!operation.isComplete()) {
      if (step(waiter)) {
        failIfAlone(operation);
      }
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
      if (!operation.isComplete()) {
        failIfAlone(operation);
      }
    } finally {
      guard.exit();
    }
  }

  /** One step of a wait; whether it is time to look who is still there. */
  private boolean step(Waiter waiter) {
    boolean moved = progress();
    guard.stepOut();
    boolean timeToCheck = moved ? waiter.goOn() : waiter.pause();
    guard.stepIn();
    requireOpen();
    return timeToCheck;
  }

  /** One step: takes in what has come, up to a bound, and moves pending sends on. Whether anything happened. */
  private boolean progress() {
    boolean any = sender.progress();
    for (int pieces = 0; pieces < PIECES_PER_STEP && receiver.progress(); pieces++) {
      any = true;
    }
    return any;
  }

  /** Takes in all that is in the queue now; bounded, since others may keep sending. */
  private void drain() {
    for (int steps = 0; steps < allCells && progress(); steps++) {
      Thread.onSpinWait();
    }
  }

  private void failIfAlone(Operation operation) {
    boolean matched = operation.receive && operation.begun; // and no other rank matters any more
    int gone = liveness.missing(matched ? operation.source : operation.peer);
    if (gone < 0) {
      return;
    }
    drain(); // what it sent before it went counts
    if (operation.isComplete()) {
      return;
    }
    RankFailedException failure = liveness.failure(gone, operation);
    if (operation.receive) {
      receiver.giveUp(operation, failure);
    } else {
      sender.giveUp(operation, failure);
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
      progress();
      return found(source, match, mask, result);
    } finally {
      guard.exit();
    }
  }

  /** Waits for a message that fits, without receiving it. */
  public void probe(int source, long match, long mask, Received result) {
    enter();
    try {
      Waiter waiter = guard.waiter();
      waiter.reset();
      while (!found(source, match, mask, result)) {
        if (step(waiter)) {
          failIfAlone(source, match, mask, result);
        }
      }
    } finally {
      guard.exit();
    }
  }

  private void failIfAlone(int source, long match, long mask, Received result) {
    int gone = liveness.missing(source);
    if (gone >= 0) {
      drain();
      if (!found(source, match, mask, result)) {
        throw liveness.failure(gone, "probe");
      }
    }
  }

  private boolean found(int source, long match, long mask, Received result) {
    UnexpectedMessage message = receiver.probe(source, match, mask);
    if (message == null) {
      return false;
    }
    result.set(message.source, (int) message.match, message.messageLength);
    return true;
  }

  private void enter() {
    guard.enter();
    if (closed) {
      guard.exit();
      requireOpen();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("rank %d has closed its job".formatted(rank));
    }
  }

  /** Ends the engine; what was still on its way, in words. */
  public List<String> close() {
    enter();
    try {
      closed = true;
      List<String> outstanding = new ArrayList<>();
      receiver.describeOutstanding(outstanding);
      sender.describeOutstanding(outstanding);
      return outstanding;
    } finally {
      guard.exit();
    }
  }

  /** Ends the engine of a rank that fails. False: another thread is in a call, which will end, and may still use the core. */
  public boolean abandon() {
    boolean alone = guard.tryEnter();
    closed = true;
    if (alone) {
      guard.exit();
    }
    return alone;
  }
}
