package io.adrastea.transfer;

import io.adrastea.core.CopyInterrupt;
import io.adrastea.core.Spaces;
import io.adrastea.error.SegmentException;

/** One step of a transfer in which one end copies by itself, and what comes of it. */
final class Copying {
  /** Most bytes of a step: about 100 microseconds. */
  static final long STEP = 1 << 20;

  /** A buffer was closed. */
  static final int CANCELED = -125;

  /** The segment holds what no correct rank writes. */
  static final int CORRUPT = -71;

  private Copying() {}

  /** The next step of an end that copies all by itself. */
  static void next(Node node, Transfer transfer) {
    long bytes = Math.min(STEP, transfer.end - transfer.position);
    if (bytes > 0 && !copy(node, transfer, transfer.position, bytes, transfer.end)) {
      transfer.copied = true;
      return;
    }
    transfer.position += bytes;
    transfer.copied = transfer.position == transfer.end;
  }

  /**
   * Copies bytes of the message through the transfer's memory; false: it failed. Then nothing more is to be copied at
   * this end: either the transfer has failed, or what is missing, from {@code position} to {@code rest}, is to go
   * another way.
   */
  static boolean copy(Node node, Transfer transfer, long position, long bytes, long rest) {
    long status = move(transfer, position, bytes);
    if (status >= 0) {
      return true;
    }
    if (goesAnotherWay(node, transfer, (int) status)) {
      transfer.miss(position, rest);
    } else {
      transfer.fail((int) status, null);
    }
    return false;
  }

  /** Whether what could not be copied so is to go another way; then others know of it who must. Else it has failed. */
  private static boolean goesAnotherWay(Node node, Transfer transfer, int status) {
    if (transfer.status != 0) {
      return false; // this end's own
    }
    boolean attached = path(transfer) == Path.XPMEM;
    boolean refused = attached ? status != Spaces.FAULT : status == Spaces.PERM || status == Spaces.NOSYS;
    if (attached && status == Spaces.STALE) {
      node.loseXpmem(); // for all peers
    } else if (attached && status == Spaces.SRCH) {
      // The peer has lost it, and says so itself; or it is dead, which is found while we wait.
      node.pair(transfer).refused |= Path.XPMEM.bit();
    } else if (refused && !(attached && status == Spaces.NOMEM)) { // the next message may have the memory
      refuse(node, transfer, status);
    }
    return refused;
  }

  private static Path path(Transfer transfer) {
    return transfer.sending ? transfer.writing : transfer.reading;
  }

  private static long move(Transfer transfer, long position, long bytes) {
    boolean interrupted = CopyInterrupt.isPending();
    try {
      return transfer.sending
          ? transfer.memory.write(transfer, position, bytes)
          : transfer.memory.read(transfer, position, bytes);
    } catch (IllegalStateException | WrongThreadException e) { // this end's buffer
      CopyInterrupt.forget(interrupted, e);
      transfer.fail(CANCELED, e);
      return CANCELED;
    } catch (InternalError e) { // memory that was mapped is gone, at one end or the other
      return Spaces.FAULT;
    } catch (OutOfMemoryError e) { // both ends are told, as of any other failure
      transfer.fail(Transfers.NO_MEMORY, null);
      return Transfers.NO_MEMORY;
    } catch (IllegalArgumentException | SegmentException e) { // what the peer says of its shared memory cannot be
      transfer.fail(CORRUPT, e);
      return CORRUPT;
    }
  }

  private static void refuse(Node node, Transfer transfer, int errno) {
    Path path = path(transfer);
    Pair pair = node.pair(transfer);
    if (!path.isIn(pair.refused)) {
      pair.refused |= path.bit();
      node.wire.refused(transfer.peer, path, errno);
    }
  }
}
