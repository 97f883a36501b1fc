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
    gate.enter();
    try {
      Operation operation = pool.take(receive, peer, match, mask);
      operation.describe(buffer, offset, length);
      beginAlone(operation);
      return operation;
    } finally {
      gate.exit();
    }
  }

  /** Starts a send or receive of an I/O vector that the caller waits for later. */
  public final Operation start(boolean receive, int peer, long match, long mask, IoEntries entries) {
    gate.enter();
    try {
      Operation operation = pool.take(receive, peer, match, mask);
      operation.describe(entries);
      beginAlone(operation);
      return operation;
    } finally {
      gate.exit();
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
    gate.enter();
    try {
      beginAlone(operation);
    } finally {
      gate.exit();
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
    gate.enter();
    try {
      if (!operation.isComplete()) {
        waits.stepOfTest();
      }
      if (!operation.isComplete()) {
        lookout.lookAround(operation);
      }
      return operation.isComplete();
    } finally {
      gate.exit();
    }
  }

  /** Waits until {@code operation} is complete, whether well or not. */
  public final void await(Operation operation) {
    gate.enter();
    try {
      completion.settle(operation);
    } finally {
      gate.exit();
    }
  }

  /**
   * The same with a limit: the operation goes on when it was not complete then.
   *
   * @throws TimeLimitException when it was not
   */
  public final void await(Operation operation, long nanos) {
    gate.enter();
    try {
      completion.settle(operation, nanos);
    } finally {
      gate.exit();
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
    gate.enter();
    try {
      operation.await();
      completion.settle(operation, nanos);
    } catch (InterruptedWaitException | TimeLimitException e) {
      withdraw(operation);
      throw e;
    } finally {
      gate.exit();
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
    gate.enter();
    try {
      if (persistent) {
        raise(operation.end());
      } else {
        finish(operation);
      }
    } finally {
      gate.exit();
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
    gate.enter();
    try {
      waits.beginWait(Operation.ANY);
    } finally {
      gate.exit();
    }
  }

  /** Ends such a wait. */
  public final void endWait() {
    gate.enter();
    try {
      waits.endWait(gate.waiter());
    } finally {
      gate.exit();
    }
  }

  /** One step of such a wait in which none was complete; whether it is time to {@link #check} them. */
  public final boolean pauseWait() {
    gate.enter();
    try {
      return waits.rest();
    } finally {
      gate.exit();
    }
  }

  /** Fails {@code operation} if those it depends on are gone. */
  public final void check(Operation operation) {
    gate.enter();
    try {
      lookout.check(operation);
    } finally {
      gate.exit();
    }
  }

  /** Takes an operation back if nothing of it has happened; whether it was. A cancelled operation is complete. */
  public final boolean cancel(Operation operation) {
    gate.enter();
    try {
      return withdraw(operation);
    } finally {
      gate.exit();
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
