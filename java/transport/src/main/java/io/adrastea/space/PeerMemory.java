package io.adrastea.space;

import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;

/** Memory of peers as one space reaches it. */
abstract sealed class PeerMemory permits SharedMemory, XpmemMemory, CmaMemory {
  final Stretch local = new Stretch();

  /**
   * Copies bytes: all of them, or the result is a negative errno value.
   *
   * @param far memory of the peer
   * @param position in it, of the first byte
   * @param near memory of this rank, from the cursor on, which moves along
   * @param in from the peer to this rank
   */
  long move(int peer, Exposure far, long position, Payload near, Cursor cursor, long bytes, boolean in) {
    for (long done = 0; done < bytes;) {
      long moved = moveNext(peer, far, position + done, near, cursor, bytes - done, in);
      if (moved < 0) {
        return moved;
      }
      done += moved;
    }
    return bytes;
  }

  /** Finds out what has to be known of the peer now and then before its memory is used. */
  void look(int peer) {}

  /** Whether elements of a datatype lie at one end or at both. */
  static boolean hasElements(Exposure far, Payload near) {
    return far.isTyped() || near instanceof Typed;
  }

  /** Copies the next bytes, as far as they lie in one stretch at both ends. */
  final long moveNext(int peer, Exposure far, long position, Payload near, Cursor cursor, long most, boolean in) {
    near.stretch(cursor, local);
    long bytes = Math.min(most, Math.min(local.bytes(), far.bytesAt(position)));
    long status = moveStretch(peer, far, far.startAt(position), bytes, in);
    if (status < 0) {
      return status;
    }
    near.seek(cursor, cursor.position() + bytes);
    return bytes;
  }

  /**
   * Copies bytes that lie in one stretch at both ends, at this one in {@code local}: 0 or more, or a negative errno
   * value.
   *
   * @param start address of the first at the peer, as its exposure tells it
   */
  abstract long moveStretch(int peer, Exposure far, long start, long bytes, boolean in);
}
