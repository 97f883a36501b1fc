package io.adrastea.payload;

import io.adrastea.core.Spaces;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import io.adrastea.datatype.Signature;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Elements of a datatype in one piece of memory: their bytes in the order of the type map. Immutable, so that any
 * number of operations may use one at a time. The place of an operation in the program of the datatype stands in its
 * {@link Cursor}, is found once, and moves along with what is packed: no piece searches again [SCI-MPICH 2002, 3.3.2].
 */
public final class Typed implements Packed {
  /** The entry of a cursor whose program cursor stands at its position; a cursor that begins has 0. */
  private static final int PLACED = 1;

  private final Spaces spaces;
  private final Signature signature;
  private final Program program;
  private final MemorySegment memory;
  private final long offset;
  private final long count;
  private final long bytes;

  /**
   * Elements that the caller has checked to lie in their memory.
   *
   * @param spaces what packs; null: nothing yet, see {@link #by}
   * @param signature basic types of one element
   * @param offset the origin of the first element
   */
  public Typed(
      Spaces spaces, Signature signature, Program program, MemorySegment memory, long offset, long count) {
    this.spaces = spaces;
    this.signature = signature;
    this.program = program;
    this.memory = memory;
    this.offset = offset;
    this.count = count;
    this.bytes = count * program.size();
  }

  @Override
  public Typed by(Spaces spaces) {
    return new Typed(spaces, signature, program, memory, offset, count);
  }

  @Override
  public boolean isBy(Spaces spaces) {
    return this.spaces == spaces;
  }

  /** Elements from a number on. */
  public Typed part(long first, long count) {
    return new Typed(spaces, signature, program, memory, offset + first * program.extent(), count);
  }

  /** How they lie in memory. */
  public Program program() {
    return program;
  }

  /** Where the origin of the first element lies in the memory. */
  public long offset() {
    return offset;
  }

  /** Counts the elements. */
  public long count() {
    return count;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public long copies() {
    return count;
  }

  @Override
  public int memories() {
    return 1;
  }

  @Override
  public MemorySegment memory(int index) {
    Objects.checkIndex(index, 1);
    return memory;
  }

  @Override
  public void seek(Cursor cursor, long position) {
    Objects.checkFromToIndex(position, bytes, bytes);
    long ahead = position - cursor.position();
    if (cursor.entry() == PLACED && ahead == 0) {
      return;
    }
    ProgramCursor place = cursor.program();
    if (cursor.entry() != PLACED || ahead < 0 || cursor.left() == 0 || !place.skip(program, ahead)) {
      place.seek(program, count, position);
    }
    cursor.set(position, PLACED, 0);
  }

  /** The place of a cursor in the program, for callers that copy themselves; then they call {@link #passed}. */
  public ProgramCursor place(Cursor cursor) {
    seek(cursor, cursor.position());
    return cursor.program();
  }

  /** Takes in that the place of a cursor in the program was moved on by so many bytes. */
  public void passed(Cursor cursor, long length) {
    cursor.set(cursor.position() + length, PLACED, 0);
  }

  @Override
  public void stretch(Cursor cursor, Stretch to) {
    Objects.checkIndex(cursor.position(), bytes);
    seek(cursor, cursor.position());
    to.set(memory, offset + cursor.program().place(program), cursor.program().blockBytes(program));
  }

  @Override
  public void pack(Cursor cursor, MemorySegment to, long at, long length) {
    begin(cursor, length);
    spaces.pack(program, cursor.program(), memory, offset, to, at, length);
    cursor.set(cursor.position() + length, PLACED, 0);
  }

  @Override
  public void unpack(Cursor cursor, MemorySegment from, long at, long length) {
    begin(cursor, length);
    spaces.unpack(program, cursor.program(), memory, offset, from, at, length);
    cursor.set(cursor.position() + length, PLACED, 0);
  }

  private void begin(Cursor cursor, long length) {
    Objects.checkFromIndexSize(cursor.position(), length, bytes);
    seek(cursor, cursor.position());
  }

  @Override
  public void retain() {} // it does not change

  @Override
  public void release() {}
}
