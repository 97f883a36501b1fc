package io.adrastea.space;

import io.adrastea.core.Spaces;
import io.adrastea.datatype.Packing;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCopy;
import io.adrastea.datatype.ProgramCursor;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * One copy between memory of this rank and memory of a peer that is mapped here, where elements of a datatype lie at
 * one end or at both: from block to block, by a core or in Java.
 */
final class ElementCopy {
  private final Spaces spaces; // null: in Java

  ElementCopy(Spaces spaces) {
    this.spaces = spaces;
  }

  /**
   * Copies between a payload, from the cursor on, which moves along, and the peer's elements. Cores check nothing, so
   * there have to be that many bytes at both ends.
   *
   * @param hand of the calling thread
   * @param position of the first byte in the peer's elements
   * @param there memory in which all of them lie
   * @param origin that of the first of them in it
   * @param in from the peer to this rank
   */
  void move(Hand hand, Exposure far, long position, MemorySegment there, long origin, Payload near, Cursor cursor,
      long bytes, boolean in) {
    Objects.checkFromIndexSize(position, bytes, far.vector().total());
    Objects.checkFromIndexSize(cursor.position(), bytes, near.bytes());
    Program program = far.program();
    ProgramCursor place = hand.there.inProgram(far, position);
    if (near instanceof Typed typed) {
      copy(program, place, there, origin, typed, cursor, bytes, in);
      return;
    }
    Stretch local = hand.local;
    for (long done = 0; done < bytes;) {
      near.stretch(cursor, local);
      long some = Math.min(local.bytes(), bytes - done);
      pack(program, place, there, origin, local.memory(), local.offset(), some, in);
      near.seek(cursor, cursor.position() + some);
      done += some;
    }
  }

  private void copy(Program program, ProgramCursor place, MemorySegment there, long origin, Typed near, Cursor cursor,
      long bytes, boolean in) {
    ProgramCursor own = near.place(cursor);
    MemorySegment memory = near.memory(0);
    if (in) {
      copy(near.program(), own, memory, near.offset(), program, place, there, origin, bytes);
    } else {
      copy(program, place, there, origin, near.program(), own, memory, near.offset(), bytes);
    }
    near.passed(cursor, bytes);
  }

  private void copy(Program to, ProgramCursor toCursor, MemorySegment destination, long toOffset, Program from,
      ProgramCursor fromCursor, MemorySegment source, long fromOffset, long bytes) {
    if (spaces == null) {
      ProgramCopy.copy(to, toCursor, destination, toOffset, from, fromCursor, source, fromOffset, bytes);
    } else {
      spaces.copy(to, toCursor, destination, toOffset, from, fromCursor, source, fromOffset, bytes);
    }
  }

  /** Copies between elements of this rank, from the cursor on, which moves along, and contiguous memory of a peer. */
  void move(MemorySegment there, long at, Typed near, Cursor cursor, long bytes, boolean in) {
    Objects.checkFromIndexSize(cursor.position(), bytes, near.bytes());
    pack(near.program(), near.place(cursor), near.memory(0), near.offset(), there, at, bytes, !in);
    near.passed(cursor, bytes);
  }

  private void pack(Program program, ProgramCursor place, MemorySegment memory, long origin, MemorySegment packed,
      long at, long bytes, boolean pack) {
    if (spaces == null) {
      if (pack) {
        Packing.pack(program, place, memory, origin, packed, at, bytes);
      } else {
        Packing.unpack(program, place, memory, origin, packed, at, bytes);
      }
    } else if (pack) {
      spaces.pack(program, place, memory, origin, packed, at, bytes);
    } else {
      spaces.unpack(program, place, memory, origin, packed, at, bytes);
    }
  }
}
