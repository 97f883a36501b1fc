package io.adrastea.space;

import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import java.util.Objects;

/**
 * The place of a thread in memory of a peer. It stays from one copy to the next, which mostly goes on where the one
 * before has ended and so needs no search. The exposure itself stays as it is, so that several threads can use it.
 */
final class ExposureCursor {
  private AddressVector vector;
  private int changes; // of the vector, when the place was found
  private int entry;
  private long entryPosition; // of its first byte
  private Program program; // null: there are no elements
  private long elements;
  private ProgramCursor inProgram; // null: there was no need of one

  /** Goes to the first byte, unless it stands in this memory already. */
  private void enter(Exposure far) {
    Program found = far.isTyped() ? far.program() : null;
    boolean stands = far.vector() == vector && vector.changes() == changes && found == program
        && far.elements() == elements;
    if (!stands) {
      vector = far.vector();
      changes = vector.changes();
      entry = 0;
      entryPosition = 0;
      program = found;
      elements = far.elements();
      if (program != null) {
        inProgram = inProgram == null ? new ProgramCursor() : inProgram;
        inProgram.begin(program, elements);
      }
    }
  }

  /** Goes to the entry of the I/O vector that holds a byte. */
  private void seek(long position) {
    if (position < entryPosition) {
      entry = 0;
      entryPosition = 0;
    }
    while (entry < vector.count() && position - entryPosition >= vector.size(entry)) {
      entryPosition += vector.size(entry++);
    }
    Objects.checkIndex(entry, vector.count());
  }

  private ProgramCursor seekInProgram(long position) {
    long ahead = position - inProgram.position();
    boolean inBlock =
        ahead == 0 || ahead > 0 && inProgram.left(program, elements) > 0 && inProgram.skip(program, ahead);
    return inBlock ? inProgram : inProgram.seek(program, elements, position);
  }

  /** Elements of the peer: the place of a byte in their program; the code that copies moves it along. */
  ProgramCursor inProgram(Exposure far, long position) {
    enter(far);
    return seekInProgram(position);
  }

  /**
   * Tells where the byte at a position lies.
   *
   * @throws IndexOutOfBoundsException when there is no such byte
   */
  long startAt(Exposure far, long position) {
    enter(far);
    if (program != null) {
      return vector.start(0) + seekInProgram(Objects.checkIndex(position, vector.total())).place(program);
    }
    seek(position);
    return vector.start(entry) + (position - entryPosition);
  }

  /** Counts the contiguous bytes from a position on; errors as of {@link #startAt}. */
  long bytesAt(Exposure far, long position) {
    enter(far);
    if (program != null) {
      return seekInProgram(Objects.checkIndex(position, vector.total())).blockBytes(program);
    }
    seek(position);
    return vector.size(entry) - (position - entryPosition);
  }
}
