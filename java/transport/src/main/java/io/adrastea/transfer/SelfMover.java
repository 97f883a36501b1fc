package io.adrastea.transfer;

import io.adrastea.link.CopyInterrupt;
import io.adrastea.core.Spaces;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.IoEntries;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;
import java.lang.foreign.MemorySegment;

/**
 * One copy, from buffer to buffer, of a message that a rank sends to itself. Both ends are in the table of the rank, so
 * the receiver's end finds the sender's buffer there, whatever kind of memory it is, and copies all. There is nothing
 * to agree on: no CTS is sent, and no way is chosen, timed or refused.
 */
final class SelfMover implements Mover {
  private static final long STEP = 1 << 20; // most bytes of a step, as of a copy between processes

  private final Spaces spaces;
  private final TransferTable table;
  private final Stretch from = new Stretch();
  private final Stretch to = new Stretch();

  SelfMover(Transfers.Resources resources, TransferTable table) {
    this.spaces = resources.spaces();
    this.table = table;
  }

  /** Finds the sender's end of a message that a rank has sent to itself; null: it is over. */
  static Transfer sender(TransferTable table, Transfer received) {
    Transfer sender = table.find(received.peer, received.peerId);
    return sender != null && sender.sending && sender.length == received.length ? sender : null;
  }

  @Override
  public boolean preRecv(Transfer transfer, long first, long end, Cookie cts) {
    Transfer sender = sender(table, transfer);
    if (sender == null) {
      lose(transfer);
    } else {
      sender.ends.told(); // it copies nothing, and this end finds out itself whether its memory is there
    }
    return false;
  }

  /** There is no sender of this message, whose number its offer told. */
  private static void lose(Transfer transfer) {
    transfer.failure.set(Transfers.CORRUPT, null);
    transfer.ends.copied();
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    throw new IllegalArgumentException("rank %d asked itself for a share in a copy".formatted(transfer.peer));
  }

  @Override
  public boolean progress(Transfer transfer) {
    if (transfer.sending || !transfer.ends.isMoving()) {
      return false;
    }
    Transfer sender = sender(table, transfer);
    if (sender == null) {
      lose(transfer);
      return true;
    }
    if (sender.failure.status != 0) {
      transfer.failure.set(sender.failure.status, null);
    }
    if (transfer.failure.status == 0) {
      copy(sender, transfer);
    }
    if (transfer.failure.status != 0 || transfer.cursor.position() == transfer.chosen.wanted) {
      transfer.ends.copied();
    }
    return true;
  }

  @Override
  public void end(Transfer transfer) {}

  /** Copies the next step. */
  private void copy(Transfer sender, Transfer receiver) {
    long position = receiver.cursor.position();
    long end = Math.min(receiver.chosen.wanted, position + STEP);
    boolean interrupted = CopyInterrupt.isPending();
    try {
      while (position < end) {
        sender.payload.seek(sender.cursor, position);
        receiver.payload.seek(receiver.cursor, position);
        position += copy(sender, receiver, end - position);
      }
      receiver.payload.seek(receiver.cursor, position);
    } catch (IllegalStateException | WrongThreadException e) { // a buffer, of one end or of both
      CopyInterrupt.forget(interrupted, e);
      boolean isSenders = isLost(sender);
      if (isSenders) {
        sender.failure.set(Transfers.CANCELED, e);
      }
      receiver.failure.set(Transfers.CANCELED, isSenders && !isLost(receiver) ? null : e);
    } catch (OutOfMemoryError e) {
      receiver.failure.set(Transfers.NO_MEMORY, null);
    } finally {
      from.clear();
      to.clear();
    }
  }

  /** Copies at most so many bytes from cursor to cursor; how many. */
  private long copy(Transfer sender, Transfer receiver, long most) {
    if (sender.payload instanceof Typed source && receiver.payload instanceof Typed destination) {
      spaces.copy(destination.program(), destination.place(receiver.cursor), destination.memory(0),
          destination.offset(), source.program(), source.place(sender.cursor), source.memory(0), source.offset(), most);
      source.passed(sender.cursor, most);
      destination.passed(receiver.cursor, most);
      return most;
    }
    if (!isPlain(receiver.payload)) {
      sender.payload.stretch(sender.cursor, from);
      long bytes = Math.min(most, from.bytes());
      receiver.payload.unpack(receiver.cursor, from.memory(), from.offset(), bytes);
      return bytes;
    }
    receiver.payload.stretch(receiver.cursor, to);
    long bytes = Math.min(most, to.bytes());
    if (!isPlain(sender.payload)) {
      sender.payload.pack(sender.cursor, to.memory(), to.offset(), bytes);
      return bytes;
    }
    sender.payload.stretch(sender.cursor, from);
    bytes = Math.min(bytes, from.bytes());
    spaces.copy(from.memory(), from.offset(), to.memory(), to.offset(), bytes);
    return bytes;
  }

  /** Whether a payload lies in few long stretches, rather than in the blocks of elements. */
  private static boolean isPlain(Payload payload) {
    return payload instanceof Contiguous || payload instanceof IoEntries;
  }

  /** Whether memory of an end was closed, or belongs to another thread. */
  private static boolean isLost(Transfer end) {
    for (int i = 0; i < end.payload.memories(); i++) {
      MemorySegment memory = end.payload.memory(i);
      if (!memory.scope().isAlive() || !memory.isAccessibleBy(Thread.currentThread())) {
        return true;
      }
    }
    return false;
  }
}
