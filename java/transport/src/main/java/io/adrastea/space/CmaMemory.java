package io.adrastea.space;

import io.adrastea.core.LastingMemory;
import io.adrastea.core.Spaces;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.function.IntPredicate;

/**
 * The memory of other ranks' processes, reached by CMA (cross memory attach).
 *
 * <p>
 * CMA names a process by its number, which may be another process's when the peer has died: a message can lie here for
 * minutes before it is matched. So before each step the peer's process must have been seen at most {@link #SIGHT_NANOS}
 * ago. In that time no number comes round again, since the system gives them in turn.
 */
final class CmaMemory extends PeerMemory {
  private static final long SIGHT_NANOS = 100_000_000;

  private final Spaces spaces;
  private final IntPredicate isThere;
  private final int[] pids;
  private final boolean[] seen; // the process of the rank was there ...
  private final long[] seenAt; // ... at this time, in nanoseconds

  CmaMemory(Spaces spaces, IntPredicate isThere, int[] pids) {
    this.spaces = spaces;
    this.isThere = isThere;
    this.pids = pids;
    this.seen = new boolean[pids.length];
    this.seenAt = new long[pids.length];
  }

  @Override
  long move(Hand hand, int peer, Exposure far, long position, Payload near, Cursor cursor, long bytes, boolean in) {
    if (!isThere(peer)) {
      return Spaces.SRCH;
    }
    for (long done = 0; done < bytes;) {
      long left = bytes - done;
      long moved =
          isInLists(hand, far, position + done, near, cursor, left)
              ? moveLists(hand, peer, far, position + done, near, cursor, left, in)
              : moveNext(hand, peer, far, position + done, near, cursor, left, in);
      if (moved < 0) {
        return moved;
      }
      done += moved;
    }
    return bytes;
  }

  @Override
  long moveStretch(Hand hand, int peer, Exposure far, long address, long bytes, boolean in) {
    return in
        ? spaces.read(pids[peer], address, hand.local.memory(), hand.local.offset(), bytes)
        : spaces.write(pids[peer], address, hand.local.memory(), hand.local.offset(), bytes);
  }

  @Override
  void look(int peer) {
    isThere(peer);
  }

  /** Does not ask for each message, since asking makes garbage. */
  private boolean isThere(int peer) {
    long now = System.nanoTime();
    if (!seen[peer] || now - seenAt[peer] > SIGHT_NANOS) {
      seen[peer] = isThere.test(peer);
      seenAt[peer] = now;
    }
    return seen[peer];
  }

  /**
   * Whether the bytes lie in several stretches, of which the first here may be told by its bare address: nobody can
   * free it during the call.
   */
  private boolean isInLists(Hand hand, Exposure far, long position, Payload near, Cursor cursor, long bytes) {
    near.stretch(cursor, hand.local);
    return Math.min(hand.local.bytes(), hand.there.bytesAt(far, position)) < bytes
        && LastingMemory.outlasts(hand.local.memory(), true);
  }

  /** Copies many stretches in one call, as many as the lists hold. */
  private long moveLists(Hand hand, int peer, Exposure far, long position, Payload near, Cursor cursor, long most,
      boolean in) {
    MemorySegment farList = hand.farList();
    MemorySegment nearList = hand.nearList();
    long start = cursor.position();
    int nears = listNear(hand, near, cursor, most);
    long offered = cursor.position() - start;
    int fars = listFar(hand, far, position, offered);
    long bytes = total(farList, fars);
    nears = shorten(nearList, nears, offered - bytes);
    long status =
        in
            ? spaces.readVector(pids[peer], farList, fars, nearList, nears)
            : spaces.writeVector(pids[peer], nearList, nears, farList, fars);
    Reference.reachabilityFence(near);
    near.seek(cursor, start + (status < 0 ? 0 : bytes));
    return status < 0 ? status : bytes;
  }

  /** Lists stretches of this rank's memory, and moves the cursor behind them; returns their number, at least 1. */
  private int listNear(Hand hand, Payload near, Cursor cursor, long most) {
    long left = most;
    int entries = 0;
    while (left > 0 && entries < Hand.MOST_ENTRIES) {
      near.stretch(cursor, hand.local);
      if (!LastingMemory.outlasts(hand.local.memory(), true)) {
        return entries;
      }
      long now = Math.min(left, hand.local.bytes());
      set(hand.nearList(), entries++, hand.local.memory().address() + hand.local.offset(), now);
      near.seek(cursor, cursor.position() + now);
      left -= now;
    }
    return entries;
  }

  /** Lists stretches of the peer's memory; returns their number, at least 1. */
  private int listFar(Hand hand, Exposure far, long position, long most) {
    int entries = 0;
    for (long done = 0; done < most && entries < Hand.MOST_ENTRIES; entries++) {
      long now = Math.min(most - done, hand.there.bytesAt(far, position + done));
      set(hand.farList(), entries, hand.there.startAt(far, position + done), now);
      done += now;
    }
    return entries;
  }

  private static void set(MemorySegment list, int entry, long address, long bytes) {
    list.set(ValueLayout.JAVA_LONG, (long) entry * Hand.IOVEC_BYTES, address);
    list.set(ValueLayout.JAVA_LONG, (long) entry * Hand.IOVEC_BYTES + Long.BYTES, bytes);
  }

  private static long bytes(MemorySegment list, int entry) {
    return list.get(ValueLayout.JAVA_LONG, (long) entry * Hand.IOVEC_BYTES + Long.BYTES);
  }

  private static long total(MemorySegment list, int entries) {
    long total = 0;
    for (int i = 0; i < entries; i++) {
      total += bytes(list, i);
    }
    return total;
  }

  /** Takes bytes off the end of a list; returns how many entries are left. */
  private static int shorten(MemorySegment list, int entries, long bytes) {
    int left = entries;
    long surplus = bytes;
    while (surplus > 0) {
      long last = bytes(list, left - 1);
      if (last > surplus) {
        list.set(ValueLayout.JAVA_LONG, (left - 1L) * Hand.IOVEC_BYTES + Long.BYTES, last - surplus);
        return left;
      }
      surplus -= last;
      left--;
    }
    return left;
  }
}
