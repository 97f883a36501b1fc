package io.adrastea.engine.symmetric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What each PE tells all others when it allocates or frees in a symmetric heap: the same bytes in C,
 * {@code struct adr_symmetric_line}. The lines of all PEs lie one behind the other, as an allgather brings them.
 */
final class SymmetricLine {
  /** Bytes of a line. */
  static final int BYTES = 40;

  /** What the PE calls. */
  static final long ALLOCATE = 1;

  static final long REALLOCATE = 2;
  static final long FREE = 3;

  /** The call can be done here. */
  static final long ABLE = 0;

  /** The heap has no place for the object. */
  static final long NO_PLACE = 1;

  /** The file system has no room for its pages. */
  static final long NO_PAGES = 2;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int HASH = 0; // of all calls before
  private static final int CALL = 1;
  private static final int BYTES_ASKED = 2;
  private static final int ARGUMENT = 3; // the alignment of what is allocated, the offset of what there is
  private static final int STATUS = 4;

  private final MemorySegment lines;
  private final long at;

  private SymmetricLine(MemorySegment lines, long at) {
    this.lines = lines;
    this.at = at;
  }

  /** The line of a PE among those of all. */
  static SymmetricLine of(MemorySegment lines, int pe) {
    return new SymmetricLine(lines, (long) pe * BYTES);
  }

  private long word(int index) {
    return lines.get(LONG, at + (long) index * Long.BYTES);
  }

  void write(long hash, long call, long bytes, long argument, long status) {
    lines.set(LONG, at, hash);
    lines.set(LONG, at + CALL * Long.BYTES, call);
    lines.set(LONG, at + BYTES_ASKED * Long.BYTES, bytes);
    lines.set(LONG, at + ARGUMENT * Long.BYTES, argument);
    lines.set(LONG, at + STATUS * Long.BYTES, status);
  }

  /** Whether another PE makes the same call, and has made the same ones before. */
  boolean isLike(SymmetricLine other) {
    return word(HASH) == other.word(HASH) && word(CALL) == other.word(CALL)
        && word(BYTES_ASKED) == other.word(BYTES_ASKED) && word(ARGUMENT) == other.word(ARGUMENT);
  }

  long status() {
    return word(STATUS);
  }

  /** "frees the object at offset 64". */
  @Override
  public String toString() {
    return switch ((int) word(CALL)) {
      case (int) ALLOCATE ->
        "allocates %d bytes at a multiple of %d".formatted(word(BYTES_ASKED), word(ARGUMENT));
      case (int) REALLOCATE ->
        "gives the object at offset %d %d bytes".formatted(word(ARGUMENT), word(BYTES_ASKED));
      case (int) FREE -> "frees the object at offset %d".formatted(word(ARGUMENT));
      default -> "makes a call that this version does not know";
    };
  }
}
