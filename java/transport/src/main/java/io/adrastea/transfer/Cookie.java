package io.adrastea.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What rides on the messages of a transfer, of variable length (000 section 3.2): words, then a list of stretches.
 * Mutable and reused. What comes from a peer is checked by those who read it; a word that is not there is 0.
 */
public final class Cookie {
  /** The most words of one. */
  static final int MOST_WORDS = 512;

  private final long[] words = new long[MOST_WORDS];
  private final MemorySegment memory = MemorySegment.ofArray(words);
  private int count;

  /** Its bytes, to be sent or filled; {@link #bytes} of them count. */
  public MemorySegment memory() {
    return memory;
  }

  /** Bytes of it. */
  public int bytes() {
    return count * Long.BYTES;
  }

  /** It was filled with so many bytes; false: that cannot be a cookie. */
  public boolean filled(long bytes) {
    count = (int) Math.min(bytes / Long.BYTES, MOST_WORDS);
    return bytes == (long) count * Long.BYTES && count > 0;
  }

  void clear() {
    count = 0;
  }

  void add(long word) {
    words[count++] = word;
  }

  void set(int index, long word) {
    words[index] = word;
  }

  long word(int index) {
    return index < count ? words[index] : 0;
  }

  int low(int index) {
    return (int) word(index);
  }

  int high(int index) {
    return (int) (word(index) >>> Integer.SIZE);
  }

  static long pack(int low, int high) {
    return (long) high << Integer.SIZE | low & 0xFFFF_FFFFL;
  }

  void add(AddressVector list) {
    for (int i = 0; i < list.count(); i++) {
      add(list.start(i));
      add(list.size(i));
    }
  }

  /** Reads the stretches from word {@code first} to the end. */
  void read(int first, AddressVector list) {
    list.clear();
    for (int i = first; i + 1 < count; i += 2) {
      list.add(words[i], words[i + 1]);
    }
  }

  /** Makes it the same as another. */
  public void copy(Cookie other) {
    MemorySegment.copy(other.memory, ValueLayout.JAVA_LONG, 0, words, 0, other.count);
    count = other.count;
  }
}
