package io.adrastea.payload;

import java.lang.foreign.MemorySegment;

/** The memory of one end of a large message: an I/O vector of one entry or several, in the order of the message. */
public interface Payload {
  /** An entry: memory of this process. Mutable and reused. */
  final class Entry {
    public MemorySegment memory;
    public long offset;
    public long bytes;

    /** Makes it {@code bytes} bytes of {@code memory} from {@code offset} on. */
    public void set(MemorySegment memory, long offset, long bytes) {
      this.memory = memory;
      this.offset = offset;
      this.bytes = bytes;
    }
  }

  /** How many entries there are. */
  int entries();

  /** Describes one entry, from its first byte. */
  void entry(int index, Entry entry);

  /** Describes what is left of the entry that holds the byte at {@code position} of the message, from that byte on. */
  void at(long position, Entry entry);

  /**
   * Whether a thread of this rank waits inside the library until the transfer is over, so that none of its own arenas
   * is closed meanwhile.
   */
  boolean isAwaited();
}
