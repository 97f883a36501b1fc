package io.adrastea.engine.collective;

import static io.adrastea.core.SlotMember.GIVE_AT;
import static io.adrastea.core.SlotMember.GIVE_BYTES;
import static io.adrastea.core.SlotMember.PART_ROWS;
import static io.adrastea.core.SlotMember.TAKE_AT;
import static io.adrastea.core.SlotMember.TAKE_BYTES;

import io.adrastea.coll.Choice;
import io.adrastea.coll.FoldRoom;
import io.adrastea.core.SlotMember;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The blocks of a call by parts as the core is told of them, in rows of a word for each member. Mutable and reused; a
 * persistent call keeps them.
 */
final class PartRows {
  private final int rank; // in the communicator
  private final int size;
  private final long[] words;
  private long[][] rows; // each in an array of its own; null: nobody has asked for one
  private long given; // bytes of all blocks that this rank gives
  private long inputEnd; // behind the last byte of them
  private long longest; // bytes of the longest block that is given or taken

  PartRows(int rank, int size) {
    this.rank = rank;
    this.size = size;
    this.words = new long[PART_ROWS * size];
  }

  /**
   * Sets all of them, of an exchange.
   *
   * @param bytes of each block on the side that has no parts
   * @param gives what this rank gives; null: equal blocks, or one for all
   * @param takes what it takes; null: likewise
   * @param stays its own block lies where it is to be, on the side that has parts
   */
  void set(int kind, long bytes, Blocks gives, Blocks takes, boolean stays) {
    Arrays.fill(words, 0);
    given = 0;
    inputEnd = 0;
    longest = 0;
    boolean several = Choice.hasSeveralBlocks(kind);
    for (int member = 0; member < size; member++) {
      if (several) {
        give(member, gives, bytes, member * bytes);
      }
      if (kind != SlotMember.SCATTER) {
        take(member, takes, bytes, member * bytes);
      }
    }
    if (!several) {
      give(rank, stays ? takes : null, bytes, 0);
    }
    if (kind == SlotMember.SCATTER) {
      take(rank, stays ? gives : null, bytes, 0);
    }
  }

  /** Sets those of a reduce_scatter: the parts of what this rank gives, of which each member takes one. */
  void set(Blocks parts) {
    Arrays.fill(words, 0);
    given = 0;
    inputEnd = 0;
    longest = 0;
    for (int member = 0; member < size; member++) {
      give(member, parts, 0, 0);
    }
  }

  private void give(int member, Blocks blocks, long bytes, long at) {
    long length = blocks == null ? bytes : blocks.bytes(member);
    long from = blocks == null ? at : blocks.at(member);
    words[GIVE_BYTES * size + member] = length;
    words[GIVE_AT * size + member] = from;
    given += length;
    longest = Math.max(longest, length);
    inputEnd = Math.max(inputEnd, length == 0 ? 0 : from + length);
  }

  private void take(int member, Blocks blocks, long bytes, long at) {
    long length = blocks == null ? bytes : blocks.bytes(member);
    longest = Math.max(longest, length);
    words[TAKE_BYTES * size + member] = length;
    words[TAKE_AT * size + member] = blocks == null ? at : blocks.at(member);
  }

  long given() {
    return given;
  }

  long inputEnd() {
    return inputEnd;
  }

  long longest() {
    return longest;
  }

  /** A number that is equal where the blocks that are given are as long. */
  long givenHash() {
    long hash = 0;
    for (int member = 0; member < size; member++) {
      hash = 31 * hash + words[GIVE_BYTES * size + member];
    }
    return hash;
  }

  /** Where the block of a member begins on the side that gives. */
  long givenAt(int member) {
    return words[GIVE_AT * size + member];
  }

  /** Bytes of the block that comes from a member. */
  long takenBytes(int member) {
    return words[TAKE_BYTES * size + member];
  }

  /** Where it begins. */
  long takenAt(int member) {
    return words[TAKE_AT * size + member];
  }

  /** A row, with a word for each member; it is kept, and written over by the next call. */
  long[] row(int which) {
    if (rows == null) {
      rows = new long[PART_ROWS][size];
    }
    System.arraycopy(words, which * size, rows[which], 0, size);
    return rows[which];
  }

  /** This rank's one block goes to members from {@code first} to before {@code end}. */
  void giveToAll(int first, int end) {
    long bytes = words[GIVE_BYTES * size + rank];
    long at = words[GIVE_AT * size + rank];
    words[GIVE_BYTES * size + rank] = 0;
    Arrays.fill(words, GIVE_BYTES * size + first, GIVE_BYTES * size + end, bytes);
    Arrays.fill(words, GIVE_AT * size + first, GIVE_AT * size + end, at);
  }

  /** Counts the rounds of a reduce_scatter of elements that have {@code unit} bytes: their row is the first. */
  long rounds(int unit) {
    return FoldRoom.rounds(size, unit, words);
  }

  /** Tells the core, for the collective that begins next. */
  void tell(SlotMember member) {
    MemorySegment.copy(words, 0, member.parts(), ValueLayout.JAVA_LONG, 0, words.length);
  }
}
