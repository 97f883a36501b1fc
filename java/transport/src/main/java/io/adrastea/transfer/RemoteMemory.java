package io.adrastea.transfer;

/** The memory of a peer's end of a transfer, reached through one space. Copies between it and this end's payload. */
abstract sealed class RemoteMemory permits SharedMemory, XpmemMemory, CmaMemory {
  final Payload.Entry local = new Payload.Entry();

  /** Copies bytes of the message from the peer's memory to this end's: all of them, or a negative errno value. */
  final long read(Transfer transfer, long position, long bytes) {
    return move(transfer, position, bytes, true);
  }

  /** Copies bytes of the message from this end's memory to the peer's: all of them, or a negative errno value. */
  final long write(Transfer transfer, long position, long bytes) {
    return move(transfer, position, bytes, false);
  }

  /** Entry by entry. */
  long move(Transfer transfer, long position, long bytes, boolean in) {
    for (long done = 0; done < bytes;) {
      long at = position + done;
      transfer.payload.at(at, local);
      long now = Math.min(bytes - done, Math.min(local.bytes, transfer.remote.bytesAt(at)));
      long status = moveEntry(transfer, transfer.remote.startAt(at), now, in);
      if (status < 0) {
        return status;
      }
      done += now;
    }
    return bytes;
  }

  /**
   * Copies bytes that lie in one stretch at both ends, at this one in {@code local}: 0 or more, or a negative errno
   * value.
   *
   * @param far where they lie at the peer, as its stretches say it
   */
  abstract long moveEntry(Transfer transfer, long far, long bytes, boolean in);
}
