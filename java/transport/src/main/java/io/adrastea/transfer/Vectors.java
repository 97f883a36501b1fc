package io.adrastea.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Lists of {@code struct iovec} for a part of a message, of this end's memory and of the peer's. */
final class Vectors {
  private static final int ENTRY_BYTES = 2 * Long.BYTES;

  private MemorySegment remote = MemorySegment.NULL;
  private MemorySegment local = MemorySegment.NULL;
  private int remotes;
  private int locals;

  void fill(Transfer transfer, long position, long bytes) {
    remote = room(remote, transfer.remote.count());
    local = room(local, transfer.own.vector.count());
    remotes = fill(remote, transfer.remote, position, bytes);
    locals = fill(local, transfer.own.vector, position, bytes);
  }

  private static MemorySegment room(MemorySegment list, int entries) {
    long bytes = (long) entries * ENTRY_BYTES;
    return list.byteSize() >= bytes ? list : Arena.ofAuto().allocate(2 * bytes, Long.BYTES);
  }

  private static int fill(MemorySegment list, AddressVector vector, long position, long bytes) {
    int entries = 0;
    for (long done = 0; done < bytes; entries++) {
      long now = Math.min(bytes - done, vector.bytesAt(position + done));
      list.set(ValueLayout.JAVA_LONG, (long) entries * ENTRY_BYTES, vector.startAt(position + done));
      list.set(ValueLayout.JAVA_LONG, (long) entries * ENTRY_BYTES + Long.BYTES, now);
      done += now;
    }
    return entries;
  }

  MemorySegment remote() {
    return remote;
  }

  int remotes() {
    return remotes;
  }

  MemorySegment local() {
    return local;
  }

  int locals() {
    return locals;
  }
}
