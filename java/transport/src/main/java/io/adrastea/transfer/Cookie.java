package io.adrastea.transfer;

import io.adrastea.space.AddressVector;
import io.adrastea.space.Exposure;
import java.lang.foreign.MemorySegment;

/**
 * What rides on the messages of a transfer, of variable length [MPICH2 2007, 3.2]: words, then an I/O vector. Mutable
 * and reused. What comes from a peer is checked by the code that reads it; a word that is not there is 0.
 *
 * <p>
 * The constants say what stands where.
 */
public final class Cookie {
  /** The fewest bytes of payload that a cell must have to carry cookies. */
  public static final int LEAST_BYTES = 128;

  // RTS: what the sender offers
  static final int LENGTH = 0;
  static final int SENDER = 1; // its number of the transfer | Exposure flags 8, paths 8
  static final int SEGMENT = 2;
  static final int OFFERED = 3; // Exposure from here on

  // all others
  static final int TARGET = 0; // the number that the receiver of this gave the transfer | the number of its sender

  // CTS and COOKIE
  static final int WAY = 1; // Driver 8 | path of the sender 8
  static final int FROM = 2;
  static final int TO = 3;
  static final int PLACE = 4; // offset in the file: of the split word, or of the ring
  static final int RING_BYTES = 5;
  static final int RING_CHUNK = 6; // bytes | 1: of the ring's front
  static final int RING_COUNT = 7;
  static final int RECEIVER_FLAGS = 7; // Exposure.TYPED
  static final int RECEIVER_SEGMENT = 5;
  static final int SPLIT_TAG = 6;
  static final int WANTED = 8; // Exposure from here on
  static final int GRANTED = 4; // by the link: bytes from the first on that may be sent

  // DONE
  static final int STATUS = 1;
  static final int MISSING_FROM = 2;
  static final int MISSING_TO = 3;

  static final int GET = 1;
  static final int PUT = 2;
  static final int RING = 3;
  static final int LINK = 4;

  /** The most words of a cookie. */
  static final int MOST_WORDS = 512;

  private final long[] words = new long[MOST_WORDS];
  private final MemorySegment memory = MemorySegment.ofArray(words);
  private int count;

  /** The memory of its bytes, to be sent or filled; {@link #bytes} of them count. */
  public MemorySegment memory() {
    return memory;
  }

  public int bytes() {
    return count * Long.BYTES;
  }

  /** Notes that it was filled with so many bytes; false: that cannot be a cookie. */
  public boolean filled(long bytes) {
    count = (int) Math.min(bytes / Long.BYTES, MOST_WORDS);
    return bytes == (long) count * Long.BYTES && count > 0;
  }

  /** Fills it with what came; false: that cannot be a cookie. */
  public boolean fill(MemorySegment from, int bytes) {
    MemorySegment.copy(from, 0, memory, 0, Math.min(bytes, memory.byteSize()));
    return filled(bytes);
  }

  void clear() {
    count = 0;
  }

  void add(long word) {
    words[count++] = word;
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

  /** Adds where memory lies: an I/O vector; of elements of a datatype a single entry, and what tells their places. */
  void add(Exposure exposure) {
    AddressVector list = exposure.vector();
    for (int i = 0; i < list.count(); i++) {
      add(list.start(i));
      add(list.size(i));
    }
    if (exposure.isTyped()) {
      add(exposure.elements());
      add(exposure.checksum());
      add(exposure.place());
      add(exposure.words());
    }
  }

  /** Reads where memory lies, from word {@code first} to the end. The exposure knows whether it has elements. */
  void read(int first, Exposure exposure) {
    AddressVector list = exposure.vector();
    list.clear();
    if (exposure.isTyped()) {
      list.add(word(first), word(first + 1));
      exposure.elements(word(first + 2), word(first + 3), word(first + 4), word(first + 5));
      return;
    }
    for (int i = first; i + 1 < count; i += 2) {
      list.add(words[i], words[i + 1]);
    }
  }

  /** The most entries of an I/O vector that an RTS of so many bytes, or of as many as a cookie can have, carries. */
  static int offeredEntries(int bytes) {
    return Math.max(0, (Math.min(bytes / Long.BYTES, MOST_WORDS) - OFFERED) / 2);
  }

  /** The most entries of an I/O vector that fit into any cookie in cells of so many bytes. */
  static int mostEntries(int cellPayload) {
    return (Math.min(cellPayload / Long.BYTES, MOST_WORDS) - WANTED) / 2;
  }
}
