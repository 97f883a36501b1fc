package io.adrastea.engine;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.SegmentException;
import io.adrastea.error.TruncationException;
import io.adrastea.lmt.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Matches what comes in with what is asked for: (context, source, tag) with wildcards, in MPI's order. A message without
 * a posted receive is copied out of its cells at once (000 section 3.1), since cells are few.
 *
 * <p>Pieces of one source never interleave, so one message per source is under way at most: {@link Inflow}.
 */
final class Receiver {
  private final Core core;
  private final Boxes boxes;
  private final Inbound inbound = new Inbound();
  private final OperationList posted = new OperationList();
  private final UnexpectedList unexpected = new UnexpectedList();
  private final HeldMessages held;
  private final Delivery delivery;
  private final Rendezvous rendezvous;
  private final LargeReceives large;
  private final Inflow[] inflows;
  private Operation looking; // takes a message only if all of it is there; null: none does

  /** Where the pieces of the message under way from one source go: to an operation, to an unexpected message, or nowhere. */
  private static final class Inflow {
    Operation operation;
    UnexpectedMessage message;
    long remaining; // bytes still to come; 0: nothing under way
  }

  /**
   * The receiving side of a rank.
   *
   * @param segment all of the segment's memory
   */
  Receiver(Core core, Boxes boxes, int ranks, MemorySegment segment, Rendezvous rendezvous) {
    this.core = core;
    this.boxes = boxes;
    ChunkPool chunks = new ChunkPool();
    this.held = new HeldMessages(core, segment, chunks, rendezvous);
    this.delivery = new Delivery(core, segment, chunks, held);
    this.rendezvous = rendezvous;
    this.large = new LargeReceives(rendezvous, delivery, held);
    rendezvous.serve(large);
    this.inflows = new Inflow[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      inflows[rank] = new Inflow();
    }
  }

  /**
   * Whether a receive may look for its message itself, without being posted (000 section 3.3): no receive posted earlier could
   * match the same message, and none that has come already fits.
   */
  boolean mayBypass(int source, long match, long mask) {
    return (posted.isEmpty() || !posted.overlaps(source, match, mask))
        && (unexpected.isEmpty() || unexpected.find(source, match, mask) == null);
  }

  /** Whether a posted receive is the first in turn for whatever comes. */
  boolean isFirst(Operation operation) {
    return posted.first() == operation;
  }

  /** Begins with a posted receive whose message is large. */
  void beginPosted(Operation operation, Transfer transfer) {
    posted.remove(operation);
    large.receive(operation, transfer);
  }

  /** Completes a posted receive whose message the core has delivered. */
  void complete(Operation operation, int source, long match, long messageLength) {
    posted.remove(operation);
    rendezvous.heard(source);
    operation.begun = true;
    operation.received(source, match, messageLength);
    operation.moved = messageLength;
    operation.complete();
  }

  /** Adds a description of each receive that is posted, or whose message is partly there, to {@code words}. */
  void describeOutstanding(List<String> words) {
    posted.describe(words);
    for (Inflow inflow : inflows) {
      if (inflow.operation != null) {
        words.add(inflow.operation.toString());
      }
    }
  }

  /** Starts a receive: from what is there already, or by posting it. */
  void start(Operation operation) {
    UnexpectedMessage message = unexpected.find(operation.peer, operation.match, operation.mask);
    if (message == null) {
      posted.add(operation);
    } else {
      hand(message, operation);
    }
  }

  /** Messages received in place. */
  HeldMessages held() {
    return held;
  }

  /** Starts a receive if all of its message is there already; whether it is. */
  boolean startWhole(Operation operation) {
    UnexpectedMessage message = unexpected.find(operation.peer, operation.match, operation.mask);
    boolean whole = message != null && (message.isWhole() || large.isThere(message, operation));
    if (whole) {
      hand(message, operation);
    }
    return whole;
  }

  /**
   * Lets a receive have the next message that fits, if it comes in one piece and no posted receive takes it.
   *
   * @param operation not posted; null: the look is over
   */
  void look(Operation operation) {
    boolean overtakes = operation != null && unexpected.find(operation.peer, operation.match, operation.mask) != null;
    looking = overtakes ? null : operation;
  }

  /** The first unexpected message that fits; null if there is none. */
  UnexpectedMessage probe(int source, long match, long mask) {
    return unexpected.find(source, match, mask);
  }

  /** Takes one piece in, from {@code first} rather than from others; false: there is none. */
  boolean progress(int first) {
    int status = core.poll(first, inbound);
    if (status == Core.AGAIN) {
      return false;
    }
    if (status < 0) {
      throw corrupt("core error " + -status);
    }
    if (status == Core.WANTED) {
      boxes.serve(inbound.source());
    } else {
      accept();
    }
    return true;
  }

  /** Memory first, then the piece: when there is none, nothing has changed, and the next look finds the piece again. */
  private void accept() {
    unexpected.reserve();
    if (Rendezvous.isMessage(inbound.match())) {
      offered(rendezvous.accept(inbound));
      return;
    }
    Inflow inflow = inflows[inbound.source()];
    boolean first = inbound.kind() == KIND_FIRST;
    if (first != (inflow.remaining == 0) || (!first && inbound.length() > inflow.remaining)) {
      throw corrupt("rank %d sent a piece of kind %d out of turn".formatted(inbound.source(), inbound.kind()));
    }
    if (inbound.kind() == KIND_ABORT) {
      core.release();
      abort(inflow);
      return;
    }
    Operation operation = first ? match() : inflow.operation;
    boolean aside = operation == null && (first || inflow.message != null);
    Chunk room = aside ? delivery.room(inbound) : null;
    if (first) {
      begin(inflow, operation);
    }
    inflow.remaining -= inbound.length();
    if (inflow.operation != null) {
      delivery.deliver(inflow.operation, inbound);
    } else if (inflow.message != null) {
      delivery.store(inflow.message, inbound, room);
    } else {
      core.release();
    }
    if (inflow.remaining == 0) {
      end(inflow);
    }
  }

  /** A large message waits at its sender; null: it was another message of a transfer. */
  private void offered(Transfer transfer) {
    if (transfer == null) {
      return;
    }
    Operation operation = posted.takeMatching(transfer.peer(), transfer.match());
    if (operation == null && looking != null && looking.fits(transfer.peer(), transfer.match())) {
      operation = rendezvous.lies(looking, transfer) ? looking : null;
      looking = null; // a message behind this one must not overtake it
    }
    if (operation == null) {
      unexpected.add(transfer.peer(), transfer.match(), transfer.length()).transfer = transfer;
    } else {
      large.receive(operation, transfer);
    }
  }

  /** The message of a transfer was received for {@code operation}, which is not posted. */
  void begin(Operation operation, Transfer transfer) {
    large.receive(operation, transfer);
  }

  /** The receive that the message at hand is for; null: nobody has asked for it. */
  private Operation match() {
    Operation operation = posted.takeMatching(inbound.source(), inbound.match());
    if (operation == null && looking != null && looking.fits(inbound.source(), inbound.match())) {
      operation = inbound.length() == inbound.totalLength() ? looking : null;
      looking = null; // a message behind this one must not overtake it
    }
    return operation;
  }

  private void begin(Inflow inflow, Operation operation) {
    rendezvous.surprised();
    rendezvous.heard(inbound.source());
    inflow.remaining = inbound.totalLength();
    inflow.operation = operation;
    if (operation == null) {
      inflow.message = unexpected.add(inbound.source(), inbound.match(), inbound.totalLength());
    } else {
      operation.begun = true;
      operation.received(inbound.source(), inbound.match(), inbound.totalLength());
    }
  }

  private static void end(Inflow inflow) {
    Operation operation = inflow.operation;
    inflow.operation = null;
    inflow.message = null;
    if (operation != null) {
      finish(operation);
    }
  }

  private static void abort(Inflow inflow) {
    inflow.remaining = 0;
    if (inflow.message != null) {
      inflow.message.aborted = true;
    }
    if (inflow.operation != null) {
      inflow.operation.fail(calledOff(inflow.operation));
    }
    inflow.operation = null;
    inflow.message = null;
  }

  private static AdrasteaException calledOff(Operation operation) {
    return new AdrasteaException(
        "rank %d gave up its message of %d bytes with tag %d: its buffer was closed before all was sent"
            .formatted(operation.source, operation.messageLength, operation.tag));
  }

  static void finish(Operation operation) {
    if (operation.failure != null) {
      operation.complete();
    } else if (operation.messageLength > operation.length) {
      operation.fail(
          new TruncationException(operation.source, operation.tag, operation.messageLength, operation.length));
    } else {
      operation.complete();
    }
  }

  /** Hands an unexpected message, or what is there of it, to a receive. */
  private void hand(UnexpectedMessage message, Operation operation) {
    if (message.transfer != null || message.fetch != null) {
      unexpected.remove(message);
      large.hand(message, operation);
      return;
    }
    operation.begun = true;
    operation.received(message.source, message.match, message.messageLength);
    delivery.deliver(operation, message);
    boolean whole = message.isWhole();
    boolean aborted = message.aborted;
    Inflow inflow = inflows[message.source];
    if (inflow.message == message) {
      inflow.message = null;
      inflow.operation = operation;
    }
    unexpected.remove(message);
    if (aborted) {
      operation.fail(calledOff(operation));
    } else if (whole) {
      finish(operation);
    }
  }

  /** Takes a receive back that no message has matched; false: it is too late. */
  boolean withdraw(Operation operation) {
    if (operation.begun) {
      return false;
    }
    posted.remove(operation);
    return true;
  }

  /** Gives up a receive whose source is gone; pieces of its message that still come are dropped. */
  void giveUp(Operation operation, RuntimeException cause) {
    if (!large.giveUp(operation) && !withdraw(operation)) {
      Inflow inflow = inflows[operation.source];
      inflow.operation = inflow.operation == operation ? null : inflow.operation;
    }
    operation.fail(cause);
  }

  static SegmentException corrupt(String what) {
    return new SegmentException(
        "the segment holds what no correct rank writes (%s); a rank of this job is broken or of another version".formatted(what));
  }
}
