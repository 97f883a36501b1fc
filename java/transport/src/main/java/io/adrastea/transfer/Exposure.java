package io.adrastea.transfer;

import io.adrastea.payload.Payload;
import io.adrastea.core.LastingMemory;
import io.adrastea.shared.SharedHeap;

/** How another process can reach a buffer, and whether the buffer stays. Mutable and reused. */
final class Exposure {
  /** It lies in shared allocations of its rank: the I/O vector holds offsets in the segment's file. */
  static final int SHARED = 1;

  /** It is native memory: the I/O vector holds addresses of its process. */
  static final int ADDRESS = 2;

  /**
   * Nobody can free it before the transfer is over. Without it the owner checks at the end whether it is still there.
   */
  static final int LASTING = 4;

  final AddressVector vector = new AddressVector();
  int flags; // of a sender, as a receiver knows them, with more above them: PathSelector
  long segment; // XPMEM segment id of its process; 0: none
  private final Payload.Entry entry = new Payload.Entry();

  /** Makes it one that cannot be reached. */
  void clear() {
    flags = 0;
    segment = 0;
    vector.clear();
  }

  boolean isShared() {
    return (flags & SHARED) != 0;
  }

  boolean isAddress() {
    return (flags & ADDRESS) != 0;
  }

  boolean isLasting() {
    return (flags & LASTING) != 0;
  }

  /** Describes the first bytes of a payload; one of more than {@code most} entries cannot be reached. */
  void describe(Payload payload, long bytes, SharedHeap heap, int most) {
    clear();
    int count = payload.entries();
    if (count > most || bytes == 0) {
      return;
    }
    if (describeShared(payload, bytes, count, heap)) {
      flags = SHARED | LASTING;
    } else if (describeAddresses(payload, bytes, count)) {
      flags |= ADDRESS;
    } else {
      clear();
    }
  }

  private boolean describeShared(Payload payload, long bytes, int count, SharedHeap heap) {
    long left = bytes;
    for (int i = 0; i < count && left > 0; i++) {
      payload.entry(i, entry);
      long size = Math.min(left, entry.bytes);
      long offset = size == 0 ? 0 : heap.locate(entry.memory, entry.offset, size);
      if (offset < 0) {
        vector.clear();
        return false;
      }
      add(offset, size);
      left -= size;
    }
    return true;
  }

  private boolean describeAddresses(Payload payload, long bytes, int count) {
    flags = LASTING;
    long left = bytes;
    for (int i = 0; i < count && left > 0; i++) {
      payload.entry(i, entry);
      if (!entry.memory.isNative()) {
        return false;
      }
      flags &= LastingMemory.outlasts(entry.memory, payload.isAwaited()) ? LASTING : 0;
      long size = Math.min(left, entry.bytes);
      add(entry.memory.address() + entry.offset, size);
      left -= size;
    }
    return true;
  }

  private void add(long start, long size) {
    if (size > 0) {
      vector.add(start, size);
    }
  }
}
