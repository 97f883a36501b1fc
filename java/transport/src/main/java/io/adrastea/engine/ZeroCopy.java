package io.adrastea.engine;

import io.adrastea.core.Spaces;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.match.Matching;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.OperationPool;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.engine.receive.MessagePoll;
import io.adrastea.engine.receive.Receiver;
import io.adrastea.engine.send.Sender;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.payload.Payload;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;

/**
 * The engine's calls for messages that are read where they lie, and written where they will be read. A message is an
 * operation that stays its caller's until it is released; a claim is one until it is committed or aborted.
 */
public final class ZeroCopy {
  private final Engine engine;
  private final Gate gate;
  private final Receiver receiver;
  private final Sender sender;
  private final Progress progress;
  private final Completion completion;
  private final Waits waits;
  private final FailureDetector detector;
  private final MessagePoll poll;
  private final OperationPool pool;

  /** The calls of an engine of which all else is made. */
  ZeroCopy(Engine engine) {
    this.engine = engine;
    this.gate = engine.gate;
    this.receiver = engine.receiver;
    this.sender = engine.sender;
    this.progress = engine.progress;
    this.completion = engine.completion;
    this.waits = engine.waits;
    this.detector = engine.detector;
    this.poll = engine.poll;
    this.pool = engine.pool;
  }

  /** Waits for a message and leaves it where it lies. */
  public Receive receive(Context context, int source, int tag) {
    gate.enter();
    try {
      Receive operation = pool.receive(context.members(), source, context.match(tag), Context.mask(tag));
      operation.describeInPlace(0);
      operation.await();
      completion.begin(operation);
      if (source == Operation.NO_RANK) {
        receiver.delivery().deliverNothing(operation);
      } else {
        completion.settle(operation);
      }
      return received(operation);
    } finally {
      gate.exit();
    }
  }

  /** Takes a message that is there, all of it, and leaves it where it lies; null: there is none. */
  public Receive tryReceive(Context context, int source, int tag) {
    gate.enter();
    try {
      Receive operation = pool.receive(context.members(), source, context.match(tag), Context.mask(tag));
      operation.describeInPlace(0);
      operation.activate();
      if (receiver.startWhole(operation) || tryNext(context.matching(), operation)) {
        return received(operation);
      }
      pool.give(operation);
      detector.pollInVain();
      return null;
    } finally {
      gate.exit();
    }
  }

  private boolean tryNext(Matching matching, Receive operation) {
    matching.tryMatch(operation);
    try {
      progress.step(operation);
    } finally {
      matching.tryMatch(null);
    }
    return operation.isComplete() || receiver.startWhole(operation);
  }

  /**
   * Finds the next message that is there, whoever it is from and whatever its tag, and leaves it where it lies, for a
   * handler.
   *
   * @param last the one that the handler had before, which is over; null: there was none, or it was given back
   * @return null: none is there
   */
  public Receive poll(Context context, Receive last) {
    gate.enter();
    try {
      if (last != null) {
        receiver.delivery().takeBack(last);
        pool.give(last);
      }
      return poll(context, last != null);
    } finally {
      gate.exit();
    }
  }

  /**
   * Goes on to the message behind the last one of a poll, which is over, in the same batch. False: nothing has changed.
   */
  public boolean goOn(Context context, Receive last) {
    gate.enter();
    try {
      return poll.goOn(context, last);
    } finally {
      gate.exit();
    }
  }

  private Receive poll(Context context, boolean hasFound) {
    Receive operation =
        pool.receive(context.members(), Operation.ANY, context.match(Operation.ANY), Context.mask(Operation.ANY));
    operation.describeInPlace(0);
    operation.activate();
    boolean found = poll.find(context, operation);
    waits.moved();
    if (found) {
      return received(operation);
    }
    pool.give(operation);
    if (!hasFound) {
      detector.pollInVain();
    }
    return null;
  }

  /** What packs for this rank. */
  public Spaces spaces() {
    return engine.spaces();
  }

  /** Whether the job was not left, and the rank has not failed. */
  public boolean isOpen() {
    return gate.isOpen();
  }

  /**
   * Waits for a message and takes it, without receiving it: no other receive gets it.
   *
   * @param nanos the longest wait; {@link Long#MAX_VALUE}: there is no limit
   */
  public Receive probe(Context context, int source, int tag, long nanos) {
    gate.enter();
    try {
      engine.awaitMessage(context, source, tag, nanos);
      return hold(context, source, tag);
    } finally {
      gate.exit();
    }
  }

  /** Takes a message that is there, without receiving it; null: there is none. */
  public Receive probeNow(Context context, int source, int tag) {
    gate.enter();
    try {
      progress.step();
      Receive operation = hold(context, source, tag);
      if (operation == null) {
        detector.pollInVain();
      }
      return operation;
    } finally {
      gate.exit();
    }
  }

  private Receive hold(Context context, int source, int tag) {
    Receive operation = pool.receive(context.members(), source, context.match(tag), Context.mask(tag));
    operation.describeInPlace(0);
    if (receiver.hold(operation)) {
      return operation;
    }
    pool.give(operation);
    return null;
  }

  /** Receives the message that a receive holds, to where it lies. */
  public void receiveHeld(Receive operation) {
    gate.enter();
    try {
      complete(operation);
      received(operation);
    } finally {
      gate.exit();
    }
  }

  /** Receives the message that a receive holds into memory of the caller; {@code result} tells what. */
  public void receiveHeld(
      Receive operation, MemorySegment memory, long offset, long length, Receive.Result result) {
    gate.enter();
    try {
      operation.describe(memory, offset, length);
      complete(operation);
      operation.tell(result);
      completion.finish(operation);
    } finally {
      gate.exit();
    }
  }

  /** Receives the message that a receive holds into a payload; {@code result} tells what. */
  public void receiveHeld(Receive operation, Payload payload, Receive.Result result) {
    gate.enter();
    try {
      operation.describe(payload);
      complete(operation);
      operation.tell(result);
      completion.finish(operation);
    } finally {
      gate.exit();
    }
  }

  /** Starts to receive the message that a receive holds into a payload that the caller waits for later. */
  public void startHeld(Receive operation, Payload payload) {
    gate.enter();
    try {
      operation.describe(payload);
      operation.activate();
      receiver.startHeld(operation);
      completion.leaveAlone(operation);
    } finally {
      gate.exit();
    }
  }

  private void complete(Receive operation) {
    operation.await();
    operation.activate();
    receiver.startHeld(operation);
    completion.settle(operation);
  }

  private Receive received(Receive operation) {
    if (operation.failure() != null) {
      receiver.delivery().release(operation);
      completion.finish(operation); // throws it
    }
    receiver.delivery().lend(operation);
    return operation;
  }

  public void release(Receive operation) {
    gate.enter();
    try {
      if (!receiver.letGo(operation)) {
        receiver.delivery().takeBack(operation);
      }
      pool.give(operation);
    } finally {
      gate.exit();
    }
  }

  /** Waits for room of {@code bytes} bytes, behind the sends that are pending for {@code destination}. */
  public Send claim(Context context, int destination, int tag, long bytes) {
    gate.enter();
    try {
      requireAllowed(destination, bytes);
      Send operation = pool.send(context.members(), destination, context.match(tag));
      operation.describeInPlace(bytes);
      completion.begin(operation);
      completion.settle(operation);
      return claimed(operation);
    } finally {
      gate.exit();
    }
  }

  /** Takes room that is there now; null: there is none, or other sends go first. */
  public Send tryClaim(Context context, int destination, int tag, long bytes) {
    gate.enter();
    try {
      requireAllowed(destination, bytes);
      Send operation = pool.send(context.members(), destination, context.match(tag));
      operation.describeInPlace(bytes);
      operation.activate();
      if (sender.tryClaim(operation) || (progress.step() && sender.tryClaim(operation))) {
        return claimed(operation);
      }
      pool.give(operation);
      detector.pollInVain();
      return null;
    } finally {
      gate.exit();
    }
  }

  private Send claimed(Send operation) {
    if (operation.failure() != null) {
      completion.finish(operation); // throws it
    }
    return operation;
  }

  private void requireAllowed(int destination, long bytes) {
    int most = engine.pieceBytes(destination);
    if (bytes < 0 || bytes > most) {
      throw new ArgumentException(Reason.COUNT,
          ("a claim of %d bytes; allowed are 0 to %d, what one piece to that rank holds (on its own node the payload "
              + "of a cell, adrastea.cell.bytes); longer messages are sent by send")
              .formatted(bytes, most));
    }
    sender.claims().requireNone(destination);
  }

  public void commit(Send claim) {
    gate.enter();
    try {
      try {
        sender.claims().commit(claim);
        sender.bursts().sent(claim.peer());
        waits.goesOn();
      } finally {
        pool.give(claim);
      }
    } finally {
      gate.exit();
    }
  }

  public void abort(Send claim) {
    gate.enter();
    try {
      sender.claims().abort(claim);
      pool.give(claim);
      waits.goesOn();
    } finally {
      gate.exit();
    }
  }
}
