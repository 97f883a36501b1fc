package io.adrastea.engine.active;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.adrastea.link.CopyInterrupt;
import io.adrastea.link.Inbound;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.AdrasteaException;
import io.adrastea.peers.Peers;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.wait.Movement;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The active messages that come to a rank: the pieces of each go straight to the memory that its handler has named.
 * Pieces of one source come in order, and those of two active messages never mix, so one is under way per source at
 * most; pieces of the program's messages may come in between. Called inside the gate.
 */
public final class ActiveReceiver {
  private final Peers peers;
  private final Liveness liveness;
  private final Movement movement;
  private final ControlMessages control;
  private final Members members; // all ranks of the job
  private final ActiveHandler[] handlers = new ActiveHandler[ActiveWord.MOST_TYPE + 1];
  private final Inflow[] inflows; // per source; null: none has come yet

  /** The message of one source that is under way. */
  private static final class Inflow {
    final long[] header = new long[ActiveWord.MOST_WORDS];
    final Cursor cursor = new Cursor();
    int type;
    ActiveHandler handler; // null: what comes is dropped
    Payload memory;
    long remaining; // bytes still to come; 0: nothing is under way
    RuntimeException failure; // of the memory, after which the rest is dropped; null: there was none
  }

  public ActiveReceiver(Resources resources, ControlMessages control, Members members) {
    this.peers = resources.peers();
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.control = control;
    this.members = members;
    this.inflows = new Inflow[resources.ranks()];
  }

  void register(int type, ActiveHandler handler) {
    if (type < 1 || type > ActiveWord.MOST_TYPE) {
      throw new IllegalArgumentException(
          "active messages of type %d; allowed are types from 1 to %d".formatted(type, ActiveWord.MOST_TYPE));
    }
    if (handlers[type] != null) {
      throw new IllegalArgumentException(
          "active messages of type %d have a handler; a type has one, take another type".formatted(type));
    }
    handlers[type] = handler;
  }

  /** Takes in the piece that poll has found: memory first. */
  public void accept(Inbound piece) {
    Inflow inflow = inflow(piece.source());
    boolean first = piece.kind() == KIND_FIRST;
    if (first != (inflow.remaining == 0) || !first && piece.length() > inflow.remaining) {
      throw CoreStatus.corrupt(
          "rank %d sent a piece of an active message, of kind %d, out of turn".formatted(piece.source(), piece.kind()));
    }
    if (piece.kind() == KIND_ABORT) {
      abort(inflow, piece.source());
    } else if (first) {
      acceptFirst(inflow, piece);
    } else {
      reserve(inflow.handler, piece.length() == inflow.remaining);
      movement.message(piece.source());
      put(inflow, piece, 0);
    }
  }

  private Inflow inflow(int source) {
    Inflow found = inflows[source];
    if (found == null) {
      found = new Inflow();
      inflows[source] = found;
    }
    return found;
  }

  private boolean isUnderWay(int source) {
    return inflows[source] != null && inflows[source].remaining != 0;
  }

  private static void reserve(ActiveHandler handler, boolean last) {
    if (last && handler != null) {
      handler.reserve();
    }
  }

  private void acceptFirst(Inflow inflow, Inbound piece) {
    int words = ActiveWord.words(piece.match());
    int bytes = words * Long.BYTES;
    if (words > ActiveWord.MOST_WORDS || bytes > piece.length()) {
      throw CoreStatus.corrupt(
          "rank %d sent an active message with a header of %d words in a piece of %d bytes"
              .formatted(piece.source(), words, piece.length()));
    }
    MemorySegment.copy(piece.memory(), JAVA_LONG_UNALIGNED, piece.payload(), inflow.header, 0, words);
    Arrays.fill(inflow.header, words, ActiveWord.MOST_WORDS, 0);
    int type = ActiveWord.type(piece.match());
    ActiveHandler handler = handlers[type];
    if (handler == null) {
      control.noteUnknown(piece.source(), "an active message", type, other -> handlers[other] != null);
    }
    reserve(handler, piece.length() == piece.totalLength());
    long length = piece.totalLength() - bytes;
    Payload memory = handler == null ? null : handler.begin(piece.source(), inflow.header, length);
    if (memory != null && memory.bytes() < length) {
      throw new IllegalStateException(
          "the handler of active messages of type %d names memory of %d bytes for %d; give it as many at least"
              .formatted(type, memory.bytes(), length));
    }
    begin(inflow, type, memory == null ? null : handler, memory, piece.totalLength());
    put(inflow, piece, bytes);
  }

  private static void begin(Inflow inflow, int type, ActiveHandler handler, Payload memory, long total) {
    inflow.type = type;
    inflow.handler = handler;
    inflow.memory = memory;
    inflow.remaining = total;
    inflow.failure = null;
    if (memory != null) {
      memory.retain();
      inflow.cursor.begin(memory.bytes());
    }
  }

  /** Copies the piece at hand, behind the header, to its place. Ends with it, and with the message, if that is all. */
  private void put(Inflow inflow, Inbound piece, int header) {
    int source = piece.source();
    int length = piece.length();
    if (inflow.handler != null && inflow.failure == null && length > header) {
      copy(inflow, piece, header);
    }
    CoreStatus.checked(peers.release());
    inflow.remaining -= length;
    if (inflow.remaining == 0) {
      end(inflow, source, inflow.failure);
    }
  }

  private static void copy(Inflow inflow, Inbound piece, int header) {
    boolean interrupted = CopyInterrupt.isPending();
    try {
      inflow.memory.unpack(inflow.cursor, piece.memory(), piece.payload() + header, piece.length() - header);
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      inflow.failure = new AdrasteaException(
          "the memory for an active message of type %d cannot be used any more: %s"
              .formatted(inflow.type, e.getMessage()),
          e);
    }
  }

  private void abort(Inflow inflow, int source) {
    reserve(inflow.handler, true);
    CoreStatus.checked(peers.release());
    end(inflow, source, new AdrasteaException(
        "rank %d has given up an active message of type %d: its memory was closed".formatted(source, inflow.type)));
  }

  /** Ends the message under way. What the handler does with it comes last, since it may send. */
  private static void end(Inflow inflow, int source, RuntimeException failure) {
    ActiveHandler handler = inflow.handler;
    Payload memory = inflow.memory;
    inflow.remaining = 0;
    inflow.handler = null;
    inflow.memory = null;
    inflow.failure = null;
    if (handler == null) {
      return;
    }
    memory.release();
    if (failure == null) {
      handler.finished(source, inflow.header, memory);
    } else {
      handler.failed(source, inflow.header, memory, failure);
    }
  }

  // The senders of messages that are not all there may be gone

  /** A rank that is gone, of which a message is not all there; {@link Liveness#NONE}: there is no such rank. */
  public int cutShort() {
    for (int source = 0; source < inflows.length; source++) {
      if (isUnderWay(source) && liveness.isGone(source)) {
        return source;
      }
    }
    return Liveness.NONE;
  }

  /** All that this rank had sent is in: its message fails. */
  public void endCutShort(int gone) {
    if (isUnderWay(gone)) {
      Inflow inflow = inflows[gone];
      reserve(inflow.handler, true);
      end(inflow, gone, liveness.failure(members, gone, "receive of its active message of type " + inflow.type));
    }
  }

  /** The rank leaves: messages that are not all there fail, each one. What a handler throws first is thrown then. */
  void close() {
    Throwable first = null;
    for (int source = 0; source < inflows.length; source++) {
      try {
        close(source);
      } catch (RuntimeException | Error e) {
        if (first == null) {
          first = e;
        } else if (first != e) {
          first.addSuppressed(e);
        }
      }
    }
    switch (first) {
      case null -> {}
      case Error e -> throw e;
      default -> throw (RuntimeException) first;
    }
  }

  private void close(int source) {
    if (isUnderWay(source)) {
      Inflow inflow = inflows[source];
      end(inflow, source, new AdrasteaException(
          "this rank leaves the job before all of an active message of type %d from rank %d has come"
              .formatted(inflow.type, source)));
    }
  }
}
