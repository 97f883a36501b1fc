package io.adrastea.payload;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * The entries of an I/O vector: pieces of memory that are one message together, in their order (IOV in [MPICH2 2007,
 * 3.1]). How far an operation is in them is told by its {@link Cursor}, so that several may use them at a time; they
 * cannot be changed meanwhile.
 */
public final class IoEntries {
  private MemorySegment[] memories;
  private long[] offsets;
  private long[] lengths;
  private int size;
  private long bytes;
  private int users; // operations on their way with these entries

  public IoEntries(int places) {
    memories = new MemorySegment[places];
    offsets = new long[places];
    lengths = new long[places];
  }

  public int size() {
    return size;
  }

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

  /** Adds an entry that was checked to lie inside its memory. */
  public void add(MemorySegment memory, long offset, long length) {
    requireUnused();
    long total = Math.addExact(bytes, length);
    if (size == memories.length) {
      grow(Math.max(8, 2 * size));
    }
    put(size++, memory, offset, length);
    bytes = total;
  }

  /** Puts another entry in the place of one. */
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

  public void clear() {
    requireUnused();
    Arrays.fill(memories, 0, size, null);
    size = 0;
    bytes = 0;
  }

  private void requireUnused() {
    if (users != 0) {
      throw new IllegalStateException(
          "the I/O vector is in use by %d operation(s) on their way; change it when those are complete"
              .formatted(users));
    }
  }

  /** An operation begins to use the entries. */
  void retain() {
    users++;
  }

  /** An operation is over. */
  void release() {
    users--;
  }
}
