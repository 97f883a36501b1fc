package io.adrastea.window;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;

/**
 * The table of a member of a dynamic window: which stretches of memory it has attached, in shared memory that it alone
 * writes. The others read it without asking the member, also when it is dead. Nothing waits here.
 *
 * <pre>
 * head   version, -, then of list 0 and of list 1: place, room, count, -     at a multiple of 128, zeros at the start
 * list   of each stretch: start, bytes, place, segment, number
 * </pre>
 *
 * <p>
 * All words have 64 bits. The version says how often the member has changed its stretches. List v modulo 2 has those of
 * version v; the member fills the other one, and then raises the version. So a list that is read is whole at any time,
 * wherever the member dies, and one that was being filled anew is told by a version that is another one afterwards. A
 * list that is too short is followed by a longer one at another place; the memory of the short one stays, since others
 * may be reading it.
 */
public final class WindowTable {
  /** Bytes of the head. */
  public static final int HEAD_BYTES = 128;

  /** Words of a stretch. */
  public static final int WORDS = 5;

  /** The word of a stretch that says where it begins: its address in the member's process. */
  public static final int START = 0;

  /** The word that says how many bytes it has. */
  public static final int BYTES = 1;

  /** Where it begins in the segment's file; below zero: it is memory of the process alone. */
  public static final int PLACE = 2;

  /** The XPMEM segment of the process; 0: there is none. */
  public static final int SEGMENT = 3;

  /** The version that has brought it, by which a stretch is told from a later one at the same address. */
  public static final int NUMBER = 4;

  private static final int LIST_OFFSET = 16;
  private static final int LIST_BYTES = 32;
  private static final int ROOM = 8;
  private static final int COUNT = 16;

  private WindowTable() {}

  /** Bytes of a list with room for so many stretches. */
  public static long listBytes(long room) {
    return room * WORDS * Long.BYTES;
  }

  private static long list(long version) {
    return LIST_OFFSET + (version & 1) * LIST_BYTES;
  }

  /** How often the member has changed its stretches. */
  public static long version(MemorySegment head) {
    // SYNC window-version: acquire, pairs with publish; orders what is read of the list after it, and of the memory.
    return Words.loadAcquireLong(head, 0);
  }

  /** Where the list of a version begins in the segment's file. */
  public static long place(MemorySegment head, long version) {
    return load(head, list(version));
  }

  /** For how many stretches the list of a version has room. */
  public static long room(MemorySegment head, long version) {
    return load(head, list(version) + ROOM);
  }

  /** How many stretches the list of a version has. */
  public static long count(MemorySegment head, long version) {
    return load(head, list(version) + COUNT);
  }

  /** Some stretches, from the first of a list on, {@link #WORDS} each. */
  public static void read(MemorySegment list, long... words) {
    for (int word = 0; word < words.length; word++) {
      words[word] = load(list, (long) word * Long.BYTES);
    }
  }

  private static long load(MemorySegment memory, long offset) {
    // SYNC window-stretch: acquire, pairs with store; orders the next look at the version after it.
    return Words.loadAcquireLong(memory, offset);
  }

  private static void store(MemorySegment memory, long offset, long value) {
    // SYNC window-stretch: release, pairs with load; orders the version that stands there before it.
    Words.storeReleaseLong(memory, offset, value);
  }

  /**
   * Names all stretches of the member anew, in a list that the version before does not use.
   *
   * @param list with room for them, where it is mapped
   * @param place where that begins in the segment's file
   * @param room of the list, in stretches
   * @param words of all stretches in ascending order, {@link #WORDS} each
   */
  public static void publish(MemorySegment head, MemorySegment list, long place, long room, long... words) {
    long version = Words.loadRelaxedLong(head, 0) + 1; // this member's own
    store(head, list(version), place);
    store(head, list(version) + ROOM, room);
    store(head, list(version) + COUNT, words.length / WORDS);
    for (int word = 0; word < words.length; word++) {
      store(list, (long) word * Long.BYTES, words[word]);
    }
    // SYNC window-version: release, pairs with version; orders the list before it, and what the memory holds.
    Words.storeReleaseLong(head, 0, version);
  }
}
