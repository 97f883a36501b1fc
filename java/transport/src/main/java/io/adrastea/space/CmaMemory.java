package io.adrastea.space;

import io.adrastea.core.LastingMemory;
import io.adrastea.core.Spaces;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import java.lang.foreign.Arena;
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
  private static final int IOVEC_BYTES = 2 * Long.BYTES; // of a struct iovec
  private static final int MOST_ENTRIES = 1024; // of a list for one call: IOV_MAX

  private final Spaces spaces;
  private final IntPredicate isThere;
  private final int[] pids;
  private final boolean[] seen; // the process of the rank was there ...
  private final long[] seenAt; // ... at this time, in nanoseconds
  private MemorySegment farList; // of struct iovec; null: there was no need of one
  private MemorySegment nearList;

  CmaMemory(Spaces spaces, IntPredicate isThere, int[] pids) {
    this.spaces = spaces;
    this.isThere = isThere;
    this.pids = pids;
    this.seen = new boolean[pids.length];
    this.seenAt = new long[pids.length];
  }

  @Override
  long move(int peer, Exposure far, long position, Payload near, Cursor cursor, long bytes, boolean in) {
    if (!isThere(peer)) {
      return Spaces.SRCH;
    }
    for (long done = 0; done < bytes;) {
      long left = bytes - done;
      long moved =
          isInLists(far, position + done, near, cursor, left)
              ? moveLists(peer, far, position + done, near, cursor, left, in)
              : moveNext(peer, far, position + done, near, cursor, left, in);
      if (moved < 0) {
        return moved;
      }
      done += moved;
    }
    return bytes;
  }

  @Override
  long moveStretch(int peer, Exposure far, long address, long bytes, boolean in) {
    return in
        ? spaces.read(pids[peer], address, local.memory(), local.offset(), bytes)
        : spaces.write(pids[peer], address, local.memory(), local.offset(), bytes);
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
  private boolean isInLists(Exposure far, long position, Payload near, Cursor cursor, long bytes) {
    near.stretch(cursor, local);
    return Math.min(local.bytes(), far.bytesAt(position)) < bytes
        && LastingMemory.outlasts(local.memory(), true);
  }

  /** Copies many stretches in one call, as many as the lists hold. */
  private long moveLists(int peer, Exposure far, long position, Payload near, Cursor cursor, long most, boolean in) {
    if (farList == null) {
      farList = Arena.ofAuto().allocate((long) MOST_ENTRIES * IOVEC_BYTES, Long.BYTES);
      nearList = Arena.ofAuto().allocate((long) MOST_ENTRIES * IOVEC_BYTES, Long.BYTES);
    }
    long start = cursor.position();
    int nears = listNear(near, cursor, most);
    long offered = cursor.position() - start;
    int fars = listFar(far, position, offered);
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
  private int listNear(Payload near, Cursor cursor, long most) {
    long left = most;
    int entries = 0;
    while (left > 0 && entries < MOST_ENTRIES) {
      near.stretch(cursor, local);
      if (!LastingMemory.outlasts(local.memory(), true)) {
        return entries;
      }
      long now = Math.min(left, local.bytes());
      set(nearList, entries++, local.memory().address() + local.offset(), now);
      near.seek(cursor, cursor.position() + now);
      left -= now;
    }
    return entries;
  }

  /** Lists stretches of the peer's memory; returns their number, at least 1. */
  private int listFar(Exposure far, long position, long most) {
    int entries = 0;
    for (long done = 0; done < most && entries < MOST_ENTRIES; entries++) {
      long now = Math.min(most - done, far.bytesAt(position + done));
      set(farList, entries, far.startAt(position + done), now);
      done += now;
    }
    return entries;
  }

  private static void set(MemorySegment list, int entry, long address, long bytes) {
    list.set(ValueLayout.JAVA_LONG, (long) entry * IOVEC_BYTES, address);
    list.set(ValueLayout.JAVA_LONG, (long) entry * IOVEC_BYTES + Long.BYTES, bytes);
  }

  private static long bytes(MemorySegment list, int entry) {
    return list.get(ValueLayout.JAVA_LONG, (long) entry * IOVEC_BYTES + Long.BYTES);
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
        list.set(ValueLayout.JAVA_LONG, (left - 1L) * IOVEC_BYTES + Long.BYTES, last - surplus);
        return left;
      }
      surplus -= last;
      left--;
    }
    return left;
  }
}
