package io.adrastea.engine;

import io.adrastea.transfer.Payload;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * Stretches of memory that are one message together, in their order: IOV in and IOV out of 000 section 3.1. How far an
 * operation is in them stands in the operation, so that several may use one list at a time; it cannot be changed
 * meanwhile.
 */
public final class Parts {
  private MemorySegment[] memories;
  private long[] offsets;
  private long[] lengths;
  private int size;
  private long bytes;
  private int users; // operations on their way with these parts

  /** None, with place for some. */
  public Parts(int places) {
    memories = new MemorySegment[places];
    offsets = new long[places];
    lengths = new long[places];
  }

  public int size() {
    return size;
  }

  /** Bytes of all parts. */
  public long bytes() {
    return bytes;
  }

  public MemorySegment memory(int index) {
    return memories[Objects.checkIndex(index, size)];
  }

  public long offset(int index) {
    return offsets[Objects.checkIndex(index, size)];
  }

  public long length(int index) {
    return lengths[Objects.checkIndex(index, size)];
  }

  /** Adds a part that was checked to lie inside its memory. */
  public void add(MemorySegment memory, long offset, long length) {
    requireUnused();
    long total = Math.addExact(bytes, length);
    if (size == memories.length) {
      grow(Math.max(8, 2 * size));
    }
    put(size++, memory, offset, length);
    bytes = total;
  }

  /** Puts another part in the place of one. */
  public void set(int index, MemorySegment memory, long offset, long length) {
    requireUnused();
    Objects.checkIndex(index, size);
    bytes = Math.addExact(bytes - lengths[index], length);
    put(index, memory, offset, length);
  }

  private void put(int index, MemorySegment memory, long offset, long length) {
    memories[index] = memory;
    offsets[index] = offset;
    lengths[index] = length;
  }

  private void grow(int places) {
    memories = Arrays.copyOf(memories, places);
    offsets = Arrays.copyOf(offsets, places);
    lengths = Arrays.copyOf(lengths, places);
  }

  /** Takes all parts out. */
  public void clear() {
    requireUnused();
    Arrays.fill(memories, 0, size, null);
    size = 0;
    bytes = 0;
  }

  private void requireUnused() {
    if (users != 0) {
      throw new IllegalStateException(
          "the parts are in use by %d operation(s) on their way; change them when those are complete".formatted(users));
    }
  }

  /** An operation begins to use the parts. */
  void use() {
    users++;
  }

  /** An operation is over. */
  void disuse() {
    users--;
  }

  /** Copies the next {@code length} bytes of the message from the parts to memory. */
  void gather(Operation progress, MemorySegment to, long at, long length) {
    for (long done = 0; done < length;) {
      long here = Math.min(length - done, lengths[progress.part] - progress.partMoved);
      MemorySegment.copy(memories[progress.part], offsets[progress.part] + progress.partMoved, to, at + done, here);
      done += here;
      advance(progress, here);
    }
  }

  /** Copies the next {@code length} bytes of the message from memory to the parts. */
  void scatter(Operation progress, MemorySegment from, long at, long length) {
    for (long done = 0; done < length;) {
      long here = Math.min(length - done, lengths[progress.part] - progress.partMoved);
      MemorySegment.copy(from, at + done, memories[progress.part], offsets[progress.part] + progress.partMoved, here);
      done += here;
      advance(progress, here);
    }
  }

  /** The memory of the byte at {@code position} of the message, and what follows it in its part. */
  void at(Operation progress, long position, Payload.Entry entry) {
    if (position < progress.partStart) {
      progress.part = 0;
      progress.partStart = 0;
    }
    while (position - progress.partStart >= lengths[progress.part]) {
      progress.partStart += lengths[progress.part++];
    }
    long inPart = position - progress.partStart;
    entry.set(memories[progress.part], offsets[progress.part] + inPart, lengths[progress.part] - inPart);
  }

  private void advance(Operation progress, long moved) {
    progress.partMoved += moved;
    if (progress.partMoved == lengths[progress.part]) {
      progress.part++;
      progress.partMoved = 0;
    }
  }
}
