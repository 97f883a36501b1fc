package io.adrastea.space;

import io.adrastea.datatype.Program;
import io.adrastea.error.SegmentException;
import io.adrastea.shared.SharedHeap;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Programs of this rank's datatypes in its shared memory, where peers read them. A program is written once, however
 * many messages have it. It stays as long as an exposure tells of it, and after that until others take its room: up to
 * {@link #MOST_KEPT} are kept for the next message. All end with the segment, as any memory of the rank does.
 *
 * <p>
 * A peer may come late, when what it was told of is over and the room has other words: it knows the program by its
 * checksum, and finds that this is another one.
 */
final class SharedPrograms {
  private static final int MOST_KEPT = 64;
  private static final long MOST_BYTES = 4 << 20; // of those that are kept
  private static final long ALIGNMENT = 64;

  /** One that stands in shared memory. */
  static final class Entry {
    private final Program program;
    private final MemorySegment memory;
    private final long place;
    private int users;
    private long used; // when it was used last, in uses of all

    private Entry(Program program, MemorySegment memory, long place) {
      this.program = program;
      this.memory = memory;
      this.place = place;
    }

    /** Where its words lie in the segment's file. */
    long place() {
      return place;
    }

    long words() {
      return memory.byteSize() / Long.BYTES;
    }
  }

  private final SharedHeap heap;
  private final Map<Program, Entry> entries = new IdentityHashMap<>();
  private long bytes; // of all entries
  private long uses;

  SharedPrograms(SharedHeap heap) {
    this.heap = heap;
  }

  /** Begins a use of a program; null: there is no room for it. */
  Entry hold(Program program) {
    Entry entry = entries.get(program);
    if (entry == null) {
      entry = write(program);
    }
    if (entry != null) {
      entry.users++;
      entry.used = ++uses;
    }
    return entry;
  }

  void release(Entry entry) {
    entry.users--;
  }

  private Entry write(Program program) {
    MemorySegment words = program.segment();
    while (entries.size() >= MOST_KEPT || bytes + words.byteSize() > MOST_BYTES) {
      if (!dropOldest()) {
        break; // all are in use
      }
    }
    try {
      MemorySegment memory = heap.allocate(words.byteSize(), ALIGNMENT);
      memory.copyFrom(words);
      Entry entry = new Entry(program, memory, heap.offset(memory));
      entries.put(program, entry);
      bytes += words.byteSize();
      return entry;
    } catch (SegmentException | OutOfMemoryError e) { // packed messages need no program
      return null;
    }
  }

  /** Frees the program whose last use is longest ago; false: all are in use. */
  private boolean dropOldest() {
    Entry oldest = null;
    for (Entry entry : entries.values()) {
      if (entry.users == 0 && (oldest == null || entry.used < oldest.used)) {
        oldest = entry;
      }
    }
    if (oldest == null) {
      return false;
    }
    entries.remove(oldest.program);
    bytes -= oldest.memory.byteSize();
    heap.free(oldest.memory);
    return true;
  }
}
