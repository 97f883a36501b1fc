package io.adrastea.payload;

import io.adrastea.datatype.ProgramCursor;

/**
 * How far an operation is in a {@link Payload}. The position in bytes is the same for all kinds of payload. What stands
 * beside it saves a search at each piece, and is in the payload's own terms: for an I/O vector the entry, and the
 * position in that; for elements of a datatype the place in its program. An operation keeps its cursor for all the
 * payloads that it ever has.
 */
public final class Cursor {
  private long length;
  private long position;
  private int entry;
  private long inEntry;
  private ProgramCursor program; // null: it was in no elements of a datatype yet
  private Cursor inner; // in the part that it stands in; null: it was in no payload of several yet

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

  /** The place in the program of a datatype. */
  ProgramCursor program() {
    ProgramCursor found = program;
    if (found == null) {
      found = new ProgramCursor();
      program = found;
    }
    return found;
  }

  /** The place in the part of a payload of several. */
  Cursor inner() {
    Cursor found = inner;
    if (found == null) {
      found = new Cursor();
      inner = found;
    }
    return found;
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
