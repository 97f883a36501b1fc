package io.adrastea.payload;

import java.lang.foreign.MemorySegment;

/**
 * Where the bytes of a message lie, or go to, and how many of them have moved: contiguous memory, or the entries of an
 * I/O vector. Each operation has one. Nobody else asks which of the two it is, except for the cores, which take
 * contiguous memory only.
 */
public final class Cursor implements Payload {
  private MemorySegment memory; // null: an I/O vector, or a message in place that is not there yet
  private long offset;
  private long length;
  private IoEntries entries; // null: contiguous
  private long moved;
  private int entry; // the one to go on with
  private long entryMoved;
  private long entryStart; // in the message, when its bytes are asked for by position
  private boolean awaited;

  /** Contiguous memory; null for a message in place that is not there yet. */
  public void set(MemorySegment memory, long offset, long length) {
    this.entries = null;
    this.memory = memory;
    this.offset = offset;
    this.length = length;
  }

  public void set(IoEntries entries) {
    set(null, 0, entries.bytes());
    this.entries = entries;
  }

  /** Nothing has moved; an I/O vector must not be changed until {@link #end}. */
  public void begin() {
    moved = 0;
    entry = 0;
    entryMoved = 0;
    entryStart = 0;
    if (entries != null) {
      entries.retain();
    }
  }

  public void end() {
    if (entries != null) {
      entries.release();
    }
  }

  /** Drops what the caller owns. */
  public void clear() {
    memory = null;
    entries = null;
    awaited = false;
  }

  /** Whether a core can copy to or from the memory. */
  public boolean isContiguous() {
    return entries == null;
  }

  /** Bytes of the message, or most that can be received. */
  public long length() {
    return length;
  }

  public long moved() {
    return moved;
  }

  public long left() {
    return length - moved;
  }

  /** Somebody else has moved the next bytes. */
  public void advance(long bytes) {
    moved += bytes;
  }

  /** Somebody else has moved so many bytes in all. */
  public void moveTo(long bytes) {
    moved = bytes;
  }

  public void wantNothing() {
    length = 0;
  }

  /**
   * The contiguous memory, or the one that an I/O vector begins in, since vectors of mixed memory go by their first.
   */
  public MemorySegment memory() {
    return entries == null ? memory : entries.memory(0);
  }

  public long offset() {
    return entries == null ? offset : entries.offset(0);
  }

  /** Where in the contiguous memory the next byte lies. */
  public long next() {
    return offset + moved;
  }

  /** Copies the next {@code bytes} bytes of the message from here to {@code to}. */
  public void pack(MemorySegment to, long at, long bytes) {
    move(to, at, bytes, true);
  }

  /** Copies the next {@code bytes} bytes of the message from {@code from} to here. */
  public void unpack(MemorySegment from, long at, long bytes) {
    move(from, at, bytes, false);
  }

  private void move(MemorySegment other, long at, long bytes, boolean pack) {
    if (entries == null) {
      copy(memory, offset + moved, other, at, bytes, pack);
      moved += bytes;
      return;
    }
    for (long done = 0; done < bytes;) {
      long here = Math.min(bytes - done, entries.length(entry) - entryMoved);
      copy(entries.memory(entry), entries.offset(entry) + entryMoved, other, at + done, here, pack);
      done += here;
      advanceInEntry(here);
    }
    moved += bytes;
  }

  private static void copy(MemorySegment own, long ownAt, MemorySegment other, long at, long bytes, boolean pack) {
    if (pack) {
      MemorySegment.copy(own, ownAt, other, at, bytes);
    } else {
      MemorySegment.copy(other, at, own, ownAt, bytes);
    }
  }

  private void advanceInEntry(long bytes) {
    entryMoved += bytes;
    if (entryMoved == entries.length(entry)) {
      entry++;
      entryMoved = 0;
    }
  }

  @Override
  public int entries() {
    return entries == null ? 1 : entries.size();
  }

  @Override
  public void entry(int index, Payload.Entry to) {
    if (entries == null) {
      to.set(memory, offset, length);
    } else {
      to.set(entries.memory(index), entries.offset(index), entries.length(index));
    }
  }

  @Override
  public void at(long position, Payload.Entry to) {
    if (entries == null) {
      to.set(memory, offset + position, length - position);
      return;
    }
    if (position < entryStart) {
      entry = 0;
      entryStart = 0;
    }
    while (position - entryStart >= entries.length(entry)) {
      entryStart += entries.length(entry++);
    }
    long inEntry = position - entryStart;
    to.set(entries.memory(entry), entries.offset(entry) + inEntry, entries.length(entry) - inEntry);
  }

  /** A thread waits for the operation inside a call. */
  public void await() {
    awaited = true;
  }

  @Override
  public boolean isAwaited() {
    return awaited;
  }
}
