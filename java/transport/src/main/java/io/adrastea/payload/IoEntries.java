package io.adrastea.payload;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * The entries of an I/O vector: pieces of memory that are one message together, in their order (IOV in [MPICH2 2007,
 * 3.1]). How far an operation is in them is told by its {@link Cursor}, so that several may use them at a time; they
 * cannot be changed meanwhile.
 */
public final class IoEntries implements Payload {
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

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
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

  /** Adds so many bytes of others' entries, from their byte {@code first} on, which were checked to be there. */
  public void add(IoEntries others, long first, long length) {
    long start = 0; // of the entry
    for (int i = 0; i < others.size && start < first + length; i++) {
      long from = Math.max(first - start, 0);
      long to = Math.min(first + length - start, others.lengths[i]);
      if (from < to) {
        add(others.memories[i], others.offsets[i] + from, to - from);
      }
      start += others.lengths[i];
    }
  }

  /** Makes entries of so many bytes of these, from the byte {@code first} on, which were checked to be there. */
  public IoEntries part(long first, long length) {
    IoEntries part = new IoEntries(size);
    part.add(this, first, length);
    return part;
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

  /** Whether operations on their way use them. */
  public boolean isUsed() {
    return users != 0;
  }

  private void requireUnused() {
    if (isUsed()) {
      throw new IllegalStateException(
          "the I/O vector is in use by %d operation(s) on their way; change it when those are complete"
              .formatted(users));
    }
  }

  @Override
  public int memories() {
    return size;
  }

  @Override
  public void seek(Cursor cursor, long position) {
    Objects.checkFromToIndex(position, bytes, bytes);
    int entry = cursor.entry();
    long start = cursor.position() - cursor.inEntry();
    while (position < start) {
      start -= lengths[--entry];
    }
    while (entry < size && position - start >= lengths[entry]) {
      start += lengths[entry++];
    }
    cursor.set(position, entry, position - start);
  }

  @Override
  public void stretch(Cursor cursor, Stretch to) {
    seek(cursor, cursor.position()); // behind empty entries
    int entry = Objects.checkIndex(cursor.entry(), size);
    to.set(memories[entry], offsets[entry] + cursor.inEntry(), lengths[entry] - cursor.inEntry());
  }

  @Override
  public void pack(Cursor cursor, MemorySegment to, long at, long length) {
    move(cursor, to, at, length, true);
  }

  @Override
  public void unpack(Cursor cursor, MemorySegment from, long at, long length) {
    move(cursor, from, at, length, false);
  }

  private void move(Cursor cursor, MemorySegment other, long at, long length, boolean pack) {
    Objects.checkFromIndexSize(cursor.position(), length, bytes);
    int entry = cursor.entry();
    long inEntry = cursor.inEntry();
    for (long done = 0; done < length;) {
      long here = Math.min(length - done, lengths[entry] - inEntry);
      copy(memories[entry], offsets[entry] + inEntry, other, at + done, here, pack);
      done += here;
      inEntry += here;
      if (inEntry == lengths[entry]) {
        entry++;
        inEntry = 0;
      }
    }
    cursor.set(cursor.position() + length, entry, inEntry);
  }

  private static void copy(MemorySegment own, long ownAt, MemorySegment other, long at, long bytes, boolean pack) {
    if (pack) {
      MemorySegment.copy(own, ownAt, other, at, bytes);
    } else {
      MemorySegment.copy(other, at, own, ownAt, bytes);
    }
  }

  @Override
  public void retain() {
    users++;
  }

  @Override
  public void release() {
    users--;
  }

  @Override
  public String toString() {
    return "%d entries of %d bytes together".formatted(size, bytes);
  }
}
