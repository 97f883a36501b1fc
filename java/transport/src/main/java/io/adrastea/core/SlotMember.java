package io.adrastea.core;

import java.lang.foreign.MemorySegment;

/**
 * One member's part of a communicator's slot: its side of each collective, which it takes a step at a time. Nothing
 * here waits: {@link #begin} and {@link #step} look at what they wait for a bounded number of times, and say what the
 * caller is to do next. Used by one thread at a time, one collective at a time. The C side is {@code adrastea/coll.h},
 * the same functions in the same order.
 *
 * <p>
 * Values are combined in the order of the members, from the left: v0 op v1 op … op v(n-1), whichever way they travel.
 *
 * <p>
 * A collective of a barrier that was interrupted is gone on with by the next {@code begin} of a barrier. Any other that
 * is left in the middle is to be broken off ({@link #breakOff}): the communicator is of no use any more.
 */
public interface SlotMember extends AutoCloseable {
  /** Kinds of collectives. */
  int BARRIER = 1;

  int BCAST = 2;
  int ALLREDUCE = 3;
  int ALLGATHER = 4;

  /** Number of an operation that the caller carries out ({@link #COMBINE}). */
  int USER_OPERATION = 255;

  /**
   * Beside 0 (the collective has ended) and {@link Core#AGAIN} (member {@link #other} is waited for) a step returns one
   * of these. Member {@code other()} called another collective, or this one with another root, size, element or
   * operation: {@link #words} has its {@code head} and {@code what}.
   */
  int MISMATCH = -74;

  /** Member {@code other()} cannot go on: it has broken off. */
  int BROKEN = -125;

  /** Member {@code other()} has closed the communicator. */
  int CLOSED = -108;

  /** The communicator is revoked. */
  int REVOKED = -43;

  /**
   * Memory for longer data is asked for: step again after {@link #cells}. Member 0 allocates {@link #cellsBytes} of
   * shared memory and publishes them; to the others this is only said once they are published.
   */
  int NEEDS_CELLS = 1;

  /** The caller puts {@code BYTES} of its input from {@code POSITION} on to {@code TARGET}, then steps. */
  int FILL = 2;

  /** The caller takes {@code BYTES} at {@code SOURCE} to {@code POSITION} of its output, then steps. */
  int DRAIN = 3;

  /** The caller makes {@code TARGET[i] = TARGET[i] op SOURCE[i]}, for {@code BYTES}, then steps. */
  int COMBINE = 4;

  /** Bytes were moved, and perhaps as many as a call may move: step again before anybody is waited for. */
  int MOVED = 5;

  /** What {@link #words} tells, of FILL, DRAIN and COMBINE. */
  int SOURCE = 0;

  int TARGET = 1;
  int POSITION = 2;
  int BYTES = 3;

  /** Where SOURCE and TARGET lie: {@link #IN_SLOT} or {@link #IN_CELLS}; both are offsets in that. */
  int PLACE = 4;

  int IN_SLOT = 0;
  int IN_CELLS = 1;

  /** What {@link #words} tells of a MISMATCH. */
  int HEAD = 0;

  int WHAT = 1;

  /** Words that {@link #words} tells. */
  int WORDS = 5;

  /**
   * Begins a collective and looks for its end at most {@code spins} times.
   *
   * @param kind {@link #BARRIER} …
   * @param root number of a member; 0 where there is none; of an allreduce by a user's operation the bytes of one
   * element, at most 8 KiB
   * @param bytes of each member's part: of the whole of a bcast or an allreduce, of one member's of an allgather
   * @param element number of the kind of element, 0: none
   * @param operation number of the operation, 0: none
   * @param in what this member gives, contiguous, native or heap memory; null: it is asked to {@link #FILL}. A bcast
   * reads it at the root and writes {@code out} at the others
   * @param out where the result goes, which may be {@code in}; null: it is asked to {@link #DRAIN}
   * @param spins looks for each thing that is waited for, one at least
   * @return 0, a status of this interface, {@link Core#AGAIN}, {@link Core#CORRUPT}, {@link Core#INVAL}: an argument is
   *   out of range; {@link Core#BUSY}: another collective was not gone through with
   */
  int begin(
      int kind, int root, long bytes, int element, int operation, MemorySegment in, long inOffset, MemorySegment out,
      long outOffset, int spins);

  /** Goes on. The buffers are those of {@code begin}, though heap memory may have been moved; at most 64 KiB are. */
  int step(MemorySegment in, long inOffset, MemorySegment out, long outOffset, int spins);

  /** The member that the last status is about, or that is waited for; -1: none. */
  int other();

  /** What the last status tells; the array is always the same. */
  long[] words();

  /** Bytes of all members' cells. */
  long cellsBytes();

  /** Offset in the file of the cells that member 0 has published, 0: not there yet. */
  long cellsOffset();

  /** Member 0 publishes the cells; their memory is zeros. */
  int publishCells(long offsetInFile);

  /** Gives the cells as they are mapped here. */
  int cells(MemorySegment all);

  /** Tells the others that this member cannot go on. */
  int breakOff();

  /** Says that this member has closed the communicator. Returns 1 when all have, else 0. */
  int closeState();

  /** The communicator is revoked: every wait in it ends. */
  int revoke();

  /** A member's state: 0 open, 1 closed, 2 broken. */
  int state(int member);

  /** Gives private memory back; the slot stays as it is. */
  @Override
  void close();
}
