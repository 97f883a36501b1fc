package io.adrastea.space;

import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Typed;

/** Memory of peers as one space reaches it. */
abstract sealed class PeerMemory permits SharedMemory, XpmemMemory, CmaMemory {
  /**
   * Copies bytes: all of them, or the result is a negative errno value.
   *
   * @param hand of the calling thread
   * @param far memory of the peer
   * @param position in it, of the first byte
   * @param near memory of this rank, from the cursor on, which moves along
   * @param in from the peer to this rank
   */
  long move(Hand hand, int peer, Exposure far, long position, Payload near, Cursor cursor, long bytes, boolean in) {
    for (long done = 0; done < bytes;) {
      long moved = moveNext(hand, peer, far, position + done, near, cursor, bytes - done, in);
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
  final long moveNext(Hand hand, int peer, Exposure far, long position, Payload near, Cursor cursor, long most,
      boolean in) {
    near.stretch(cursor, hand.local);
    long bytes = Math.min(most, Math.min(hand.local.bytes(), hand.there.bytesAt(far, position)));
    long status = moveStretch(hand, peer, far, hand.there.startAt(far, position), bytes, in);
    if (status < 0) {
      return status;
    }
    near.seek(cursor, cursor.position() + bytes);
    return bytes;
  }

  /**
   * Copies bytes that lie in one stretch at both ends, at this one in {@code hand.local}: 0 or more, or a negative
   * errno value.
   *
   * @param start address of the first at the peer, as its exposure tells it
   */
  abstract long moveStretch(Hand hand, int peer, Exposure far, long start, long bytes, boolean in);
}
