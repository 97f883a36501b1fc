package io.adrastea.transfer;

import io.adrastea.payload.Payload;
import io.adrastea.core.Spaces;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The memory of other ranks' processes, reached by CMA (cross memory attach). I/O vectors hold addresses there.
 *
 * <p>
 * CMA names a process by its number, which may be another process's when the peer has died: a message can lie here for
 * minutes before it is matched. So before each step the peer's process must have been seen at most {@link #SIGHT_NANOS}
 * ago. In that time no number comes round again, since the system gives them in turn.
 */
final class CmaMemory extends RemoteMemory {
  private static final long SIGHT_NANOS = 100_000_000;
  private static final int IOVEC_BYTES = 2 * Long.BYTES; // of a struct iovec

  private final Spaces spaces;
  private final Wire wire;
  private final int[] pids;
  private final boolean[] seen; // the process of the rank was there ...
  private final long[] seenAt; // ... at this time, in nanoseconds
  private MemorySegment farList = MemorySegment.NULL; // of struct iovec
  private MemorySegment nearList = MemorySegment.NULL;

  CmaMemory(Spaces spaces, Wire wire, int[] pids) {
    this.spaces = spaces;
    this.wire = wire;
    this.pids = pids;
    this.seen = new boolean[pids.length];
    this.seenAt = new long[pids.length];
  }

  @Override
  long move(int peer, Exposure far, Exposure near, Payload payload, long position, long bytes, boolean in) {
    if (!isThere(peer)) {
      return Spaces.SRCH;
    }
    boolean many = far.vector.count() > 1 || payload.entries() > 1;
    return many && near.isAddress() && near.isLasting()
        ? moveVector(peer, far.vector, near.vector, position, bytes, in)
        : super.move(peer, far, near, payload, position, bytes, in);
  }

  @Override
  long moveEntry(int peer, Exposure far, long address, long bytes, boolean in) {
    return in
        ? spaces.read(pids[peer], address, local.memory, local.offset, bytes)
        : spaces.write(pids[peer], address, local.memory, local.offset, bytes);
  }

  /** Does not ask for each message, since asking makes garbage. */
  private boolean isThere(int peer) {
    long now = System.nanoTime();
    if (!seen[peer] || now - seenAt[peer] > SIGHT_NANOS) {
      seen[peer] = wire.isThere(peer);
      seenAt[peer] = now;
    }
    return seen[peer];
  }

  /** Saves system calls; but only memory that cannot be freed meanwhile is told by its bare address. */
  private long moveVector(int peer, AddressVector far, AddressVector near, long position, long bytes, boolean in) {
    farList = withRoom(farList, far.count());
    nearList = withRoom(nearList, near.count());
    int farCount = fill(farList, far, position, bytes);
    int nearCount = fill(nearList, near, position, bytes);
    return in
        ? spaces.readVector(pids[peer], farList, farCount, nearList, nearCount)
        : spaces.writeVector(pids[peer], nearList, nearCount, farList, farCount);
  }

  private static MemorySegment withRoom(MemorySegment list, int entries) {
    long bytes = (long) entries * IOVEC_BYTES;
    return list.byteSize() >= bytes ? list : Arena.ofAuto().allocate(2 * bytes, Long.BYTES);
  }

  /** Lists where these bytes of the message lie; returns the number of entries. */
  private static int fill(MemorySegment list, AddressVector vector, long position, long bytes) {
    int entries = 0;
    for (long done = 0; done < bytes; entries++) {
      long now = Math.min(bytes - done, vector.bytesAt(position + done));
      list.set(ValueLayout.JAVA_LONG, (long) entries * IOVEC_BYTES, vector.startAt(position + done));
      list.set(ValueLayout.JAVA_LONG, (long) entries * IOVEC_BYTES + Long.BYTES, now);
      done += now;
    }
    return entries;
  }
}
