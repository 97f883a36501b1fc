package io.adrastea.datatype;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * How far an operation is in elements of a datatype: the place at each level of a {@link Program}, as 64-bit words, the
 * same in C ({@code struct adr_program_cursor}) and Java. It is found once ({@link #begin}, {@link #seek}) and then
 * moved on by the code that packs and unpacks, so that no piece searches again. It fits every program, and can be used
 * again.
 */
public final class ProgramCursor {
  /** Words of a cursor that fits every program. */
  public static final int WORDS = 4 + 4 * Program.MOST_LEVELS;

  static final int POSITION = 0;
  static final int COUNT = 1;
  static final int TOP = 2;
  static final int WITHIN = 3;
  static final int LEVELS = 4;

  static final int LEVEL_WORDS = 4;
  static final int NODE = 0;
  static final int AT = 1;
  static final int BASE = 2;
  static final int COPY = 3;

  final long[] words = new long[WORDS];
  long left; // bytes that the call of Packing has still to move
  private final MemorySegment segment = MemorySegment.ofArray(words);

  /** Stands at the first byte of {@code count} elements. */
  public ProgramCursor begin(Program program, long count) {
    Packing.seek(program, this, count, 0);
    return this;
  }

  /**
   * Stands at a byte of the packed form, or behind the last one.
   *
   * @throws IndexOutOfBoundsException when it is neither
   */
  public ProgramCursor seek(Program program, long count, long position) {
    long total = Exact.multiply(count, program.size());
    Objects.checkFromToIndex(position, total, total);
    Packing.seek(program, this, count, position);
    return this;
  }

  /** Where its byte lies, from the origin of the first element on. It does not stand behind the last one. */
  public long place(Program program) {
    return Packing.placeOf(program, this);
  }

  /** Counts the bytes of its block that it has not passed. It does not stand behind the last byte. */
  public long blockBytes(Program program) {
    return Packing.blockBytes(program, this);
  }

  /**
   * Passes some of the bytes of its block, or all; false: they are more, so that {@link #seek} has to find the place.
   */
  public boolean skip(Program program, long bytes) {
    return Packing.skip(program, this, bytes);
  }

  /** Counts the packed bytes before it. */
  public long position() {
    return words[POSITION];
  }

  /** Counts the packed bytes from it to the end of {@code count} elements. */
  public long left(Program program, long count) {
    return count * program.size() - words[POSITION];
  }

  /** Its words, for C in a call that takes arrays. */
  public MemorySegment segment() {
    return segment;
  }

  /** Counts the words of it that a program uses. */
  public static int words(Program program) {
    return LEVELS + LEVEL_WORDS * program.levels();
  }
}
