package io.adrastea.lmt;

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
   * Copies bytes of the message through the transfer's memory; false: it failed. Then nothing more is to be copied at this end: either the
   * transfer has failed, or what is missing, from {@code position} to {@code rest}, is to go another way.
   */
  static boolean copy(Node node, Transfer transfer, long position, long bytes, long rest) {
    long status = move(transfer, position, bytes);
    if (status >= 0) {
      return true;
    }
    if (status == Spaces.PERM || status == Spaces.NOSYS) {
      refuse(node, transfer, (int) status);
      transfer.miss(position, rest);
    } else {
      transfer.fail((int) status, null);
    }
    return false;
  }

  private static long move(Transfer transfer, long position, long bytes) {
    try {
      return transfer.sending
          ? transfer.memory.write(transfer, position, bytes)
          : transfer.memory.read(transfer, position, bytes);
    } catch (IllegalStateException | WrongThreadException e) { // this end's buffer
      transfer.fail(CANCELED, e);
      return CANCELED;
    } catch (OutOfMemoryError e) { // both ends are told, as of any other failure
      transfer.fail(Transfers.NO_MEMORY, null);
      return Transfers.NO_MEMORY;
    } catch (IllegalArgumentException | SegmentException e) { // what the peer says of its shared memory cannot be
      transfer.fail(CORRUPT, e);
      return CORRUPT;
    }
  }

  private static void refuse(Node node, Transfer transfer, int errno) {
    Mechanism mechanism = transfer.sending ? transfer.writing : transfer.reading;
    Pair pair = node.pair(transfer);
    if (!mechanism.isIn(pair.refused)) {
      pair.refused |= mechanism.bit();
      node.wire.refused(transfer.peer, mechanism, errno);
    }
  }
}
