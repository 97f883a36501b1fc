package io.adrastea.engine;

import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.wait.Waiter;
import java.lang.foreign.MemorySegment;

/**
 * The engine's calls that start operations, and those for what was started. A base of the engine, as
 * {@link EngineFrame} is.
 */
public abstract sealed class StartedOperations extends EngineFrame permits Engine {
  /** Those of a rank. */
  StartedOperations(Surroundings around, EngineSettings settings) {
    super(around, settings);
  }

  /** Starts a send or receive that the caller waits for later. */
  public final Operation start(
      boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    enter();
    try {
      Operation operation = pool.take(receive, peer, match, mask);
      operation.describe(buffer, offset, length);
      beginAlone(operation);
      return operation;
    } finally {
      guard.exit();
    }
  }

  /** Starts a send or receive of an I/O vector that the caller waits for later. */
  public final Operation start(boolean receive, int peer, long match, long mask, IoEntries entries) {
    enter();
    try {
      Operation operation = pool.take(receive, peer, match, mask);
      operation.describe(entries);
      beginAlone(operation);
      return operation;
    } finally {
      guard.exit();
    }
  }

  /** A persistent operation, idle: it is not given back to the pool. */
  public final Operation prepare(
      boolean receive, int peer, long match, long mask, MemorySegment buffer, long offset, long length) {
    requireOpen();
    Operation operation = OperationPool.make(receive, peer, match, mask);
    operation.describe(buffer, offset, length);
    return operation;
  }

  /** Starts a persistent operation. */
  public final void start(Operation operation) {
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
    if (!operation.isComplete()) {
      helper.wake();
    }
  }

  final void begin(Operation operation) {
    if (operation instanceof Send send) {
      sender.claims().requireNone(send.peer());
    }
    operation.activate();
    try {
      if (operation instanceof Receive receive) {
        receiver.start(receive);
      } else {
        sender.start((Send) operation);
      }
    } catch (RuntimeException e) {
      operation.fail(e); // its I/O vector can be changed again
      throw e;
    }
  }

  /** Moves things on; whether {@code operation} is complete. */
  public final boolean test(Operation operation) {
    enter();
    try {
      if (!operation.isComplete()) {
        waits.stepOfTest();
      }
      if (!operation.isComplete()) {
        lookout.lookAround(operation);
      }
      return operation.isComplete();
    } finally {
      guard.exit();
    }
  }

  /** Waits until {@code operation} is complete, whether well or not. */
  public final void await(Operation operation) {
    enter();
    try {
      completion.settle(operation);
    } finally {
      guard.exit();
    }
  }

  /**
   * The same with a limit: the operation goes on when it was not complete then.
   *
   * @throws TimeLimitException when it was not
   */
  public final void await(Operation operation, long nanos) {
    enter();
    try {
      completion.settle(operation, nanos);
    } finally {
      guard.exit();
    }
  }

  /**
   * Waits until {@code operation}, a receive, is complete. An interrupt, or the limit, takes it back if no message has
   * matched it.
   *
   * @param nanos the longest wait for a match
   * @throws InterruptedWaitException when it was taken back, which is still to be reported
   * @throws TimeLimitException likewise
   */
  public final void completeReceive(Operation operation, long nanos) {
    enter();
    try {
      operation.await();
      completion.settle(operation, nanos);
    } catch (InterruptedWaitException | TimeLimitException e) {
      withdraw(operation);
      throw e;
    } finally {
      guard.exit();
    }
  }

  /** Waits for completion. When the wait itself throws, nothing is left of the operation. */
  final void settle(Operation operation) {
    settle(operation, waits.beginWait(operation.peer()));
  }

  /** The same, in a wait that has begun. */
  final void settle(Operation operation, Waiter waiter) {
    try {
      completion.settle(operation, waiter);
    } catch (RuntimeException | Error e) {
      if (abandonment.abandon(operation, e)) {
        pool.give(operation);
      }
      throw e;
    }
  }

  /**
   * Reports the failure of a complete operation, if there was one; gives it back to the pool unless it is persistent.
   */
  public final void report(Operation operation, boolean persistent) {
    enter();
    try {
      if (persistent) {
        raise(operation.end());
      } else {
        finish(operation);
      }
    } finally {
      guard.exit();
    }
  }

  /** Gives a complete operation back to the pool, and throws its failure, if there was one. */
  final void finish(Operation operation) {
    RuntimeException failure = operation.failure();
    pool.give(operation);
    raise(failure);
  }

  private static void raise(RuntimeException failure) {
    if (failure != null) {
      throw failure;
    }
  }

  /** Begins a wait for one of several operations, which the caller tests in turn. */
  public final void beginWait() {
    enter();
    try {
      waits.beginWait(Operation.ANY);
    } finally {
      guard.exit();
    }
  }

  /** Ends such a wait. */
  public final void endWait() {
    enter();
    try {
      waits.endWait(guard.waiter());
    } finally {
      guard.exit();
    }
  }

  /** One step of such a wait in which none was complete; whether it is time to {@link #check} them. */
  public final boolean pauseWait() {
    enter();
    try {
      return waits.rest();
    } finally {
      guard.exit();
    }
  }

  /** Fails {@code operation} if those it depends on are gone. */
  public final void check(Operation operation) {
    enter();
    try {
      lookout.check(operation);
    } finally {
      guard.exit();
    }
  }

  /** Takes an operation back if nothing of it has happened; whether it was. A cancelled operation is complete. */
  public final boolean cancel(Operation operation) {
    enter();
    try {
      return withdraw(operation);
    } finally {
      guard.exit();
    }
  }

  private boolean withdraw(Operation operation) {
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
}
