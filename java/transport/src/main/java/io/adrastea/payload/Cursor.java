package io.adrastea.payload;

/**
 * How far an operation is in a {@link Payload}. The position in bytes is the same for all kinds of payload. What stands
 * beside it saves a search at each piece, and is in the payload's own terms: for an I/O vector the entry, and the
 * position in that. An operation keeps its cursor for all the payloads that it ever has.
 */
public final class Cursor {
  private long length;
  private long position;
  private int entry;
  private long inEntry;

  /**
   * Goes to the first byte.
   *
   * @param length bytes of the message, or most that can be received
   */
  public void begin(long length) {
    this.length = length;
    set(0, 0, 0);
  }

  /** Counts the bytes of the message, or the most that can be received. */
  public long length() {
    return length;
  }

  /** Counts the bytes before the cursor. */
  public long position() {
    return position;
  }

  /** Counts the bytes from the cursor on. */
  public long left() {
    return length - position;
  }

  /** The entry of an I/O vector that it stands in. */
  int entry() {
    return entry;
  }

  /** Counts the bytes of that entry that are before it. */
  long inEntry() {
    return inEntry;
  }

  void set(long position, int entry, long inEntry) {
    this.position = position;
    this.entry = entry;
    this.inEntry = inEntry;
  }

  /** Stands at a byte of contiguous memory, where there is nothing to be searched for. */
  void set(long position) {
    this.position = position;
  }
}
