package io.adrastea.engine;

import io.adrastea.error.TimeLimitException;
import io.adrastea.wait.Waiter;
import java.lang.foreign.MemorySegment;

/**
 * Messages of one rank: starts operations, moves them on, waits for them. Everything that takes time happens inside the
 * calls, unless there is a {@link Helper}. Arguments are checked by the caller.
 *
 * <p>
 * Sources: 000 section 3.1 (pending sends, unexpected messages), section 3.3 (posted-receive bypass).
 */
public final class Engine extends StartedOperations {
  private final ZeroCopy zeroCopy;

  /** The engine of a rank. */
  public Engine(Surroundings around, EngineSettings settings) {
    super(around, settings);
    this.zeroCopy = new ZeroCopy(this, receiver, sender, progress, waits, lookout, pool, cellPayload);
  }

  /** Sends and waits until the buffer can be used again. */
  public void send(int destination, long match, MemorySegment buffer, long offset, long length) {
    gate.enter();
    try {
      if ((length <= quickBytes || isQuick(destination, buffer, offset, length))
          && sender.isClear(destination)
          && (sender.trySend(destination, match, buffer, offset, length)
              || sendSoon(destination, match, buffer, offset, length))) {
        return;
      }
      Operation operation = pool.send(destination, match);
      operation.describe(buffer, offset, length);
      complete(operation);
    } finally {
      gate.exit();
    }
  }

  private boolean isQuick(int destination, MemorySegment buffer, long offset, long length) {
    return length <= cellPayload && !rendezvous.applies(destination, buffer, offset, length);
  }

  /**
   * Tries for a little while: a receiver at work makes room in about the time that a pending send takes to be set up.
   */
  private boolean sendSoon(int destination, long match, MemorySegment buffer, long offset, long length) {
    for (int looks = gate.isExclusive() ? gate.waiter().looks() : 0; looks > 0; looks--) {
      Thread.onSpinWait();
      if (sender.trySend(destination, match, buffer, offset, length)) {
        return true;
      }
    }
    return false;
  }

  /** Sends an I/O vector as one message and waits until its memory can be used again. */
  public void send(int destination, long match, IoEntries entries) {
    gate.enter();
    try {
      Operation operation = pool.send(destination, match);
      operation.describe(entries);
      complete(operation);
    } finally {
      gate.exit();
    }
  }

  private void complete(Operation operation) {
    operation.await();
    begin(operation);
    settle(operation);
    finish(operation);
  }

  /** Receives; {@code result} tells what. */
  public void receive(
      int source, long match, long mask, MemorySegment buffer, long offset, long length, Receive.Result result) {
    gate.enter();
    try {
      Waiter waiter = waits.beginWait(source);
      boolean looks = bypass.mayReceive(source, match, mask);
      boolean large = looks && rendezvous.expects(length);
      boolean found = looks && bypass.receive(waiter, large, source, match, mask, buffer, offset, length, result);
      if (found && !large) {
        return;
      }
      Receive operation = pool.receive(source, match, mask);
      operation.describe(buffer, offset, length);
      operation.await();
      if (found) {
        waiter.found();
        operation.activate();
        bypass.begin(operation);
      } else {
        begin(operation);
      }
      settle(operation, waiter);
      operation.tell(result);
      finish(operation);
    } finally {
      gate.exit();
    }
  }

  /** Receives a message into an I/O vector; {@code result} tells what. */
  public void receive(int source, long match, long mask, IoEntries entries, Receive.Result result) {
    gate.enter();
    try {
      Receive operation = pool.receive(source, match, mask);
      operation.describe(entries);
      operation.await();
      begin(operation);
      settle(operation);
      operation.tell(result);
      finish(operation);
    } finally {
      gate.exit();
    }
  }

  /** Whether a message that fits is there, without receiving it. */
  public boolean probeNow(int source, long match, long mask, Receive.Result result) {
    gate.enter();
    try {
      progress.step();
      boolean found = probes.find(source, match, mask, result);
      if (!found) {
        lookout.lookAroundInPassing();
      }
      return found;
    } finally {
      gate.exit();
    }
  }

  /** Waits for a message that fits, without receiving it. */
  public void probe(int source, long match, long mask, Receive.Result result) {
    gate.enter();
    try {
      probes.await(source, match, mask, result);
    } finally {
      gate.exit();
    }
  }

  /**
   * The same with a limit.
   *
   * @throws TimeLimitException when none has come within so long
   */
  public void probe(int source, long match, long mask, Receive.Result result, long nanos) {
    gate.enter();
    try {
      probes.await(source, match, mask, result, nanos);
    } finally {
      gate.exit();
    }
  }

  /** Waits until all ranks have come here. */
  public void barrier() {
    gate.enter();
    try {
      barrier.run();
    } finally {
      gate.exit();
    }
  }

  /** Begins to hold back what the calling thread sends to {@code destination}. */
  public void beginBurst(int destination) {
    gate.enter();
    try {
      sender.bursts().begin(destination);
    } finally {
      gate.exit();
    }
  }

  /** Shows what was held back, and holds nothing back any more. */
  public void endBurst(int destination) {
    gate.enter();
    try {
      sender.bursts().end(destination);
    } finally {
      gate.exit();
    }
  }

  /** Messages read and written in place. */
  public ZeroCopy zeroCopy() {
    return zeroCopy;
  }
}
