package io.adrastea.transfer;

import io.adrastea.payload.Payload;

/** The memory of other ranks as one path reaches it. Copies between a buffer there and one of this rank. */
abstract sealed class RemoteMemory permits SharedMemory, XpmemMemory, CmaMemory {
  final Payload.Entry local = new Payload.Entry();

  /**
   * Copies bytes of a message: all of them, or the result is a negative errno value.
   *
   * @param far the buffer there
   * @param near this rank's buffer, as it would be told to the peer
   * @param payload this rank's buffer
   * @param position of the first byte in the message
   * @param in from the peer to this rank
   */
  long move(int peer, Exposure far, Exposure near, Payload payload, long position, long bytes, boolean in) {
    for (long done = 0; done < bytes;) {
      long at = position + done;
      payload.at(at, local);
      long now = Math.min(bytes - done, Math.min(local.bytes, far.vector.bytesAt(at)));
      long status = moveEntry(peer, far, far.vector.startAt(at), now, in);
      if (status < 0) {
        return status;
      }
      done += now;
    }
    return bytes;
  }

  /**
   * Copies bytes that lie in one entry of the I/O vector at both ends, at this one in {@code local}: 0 or more, or a
   * negative errno value.
   *
   * @param start where they lie at the peer, as its I/O vector says it
   */
  abstract long moveEntry(int peer, Exposure far, long start, long bytes, boolean in);
}
