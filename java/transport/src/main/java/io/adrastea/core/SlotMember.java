package io.adrastea.core;

import java.lang.foreign.MemorySegment;

/**
 * One member's part of a communicator's slot: its side of each collective, which it takes a step at a time. Nothing
 * here waits: {@link #begin} and {@link #step} look at what they wait for a bounded number of times, and say what the
 * caller is to do next. Used by one thread at a time. The C side is {@code adrastea/coll.h}, the same functions in the
 * same order.
 *
 * <p>
 * Up to {@link #UNDER_WAY} collectives are under way at once: they begin in the same order at all members, and may end
 * in any. The calls that go on with one say which, 0 to 3.
 *
 * <p>
 * Values are combined in the order of the members, from the left: v0 op v1 op … op v(n-1), whichever way they travel.
 *
 * <p>
 * A collective that was begun is to be stepped to its end. One that is left in the middle is to be broken off
 * ({@link #breakOff}): the communicator is of no use any more.
 */
public interface SlotMember extends AutoCloseable {
  /** Kinds of collectives. */
  int BARRIER = 1;

  int BCAST = 2;
  int ALLREDUCE = 3;
  int ALLGATHER = 4;
  int REDUCE = 5;
  int SCAN = 6;
  int EXSCAN = 7;
  int REDUCE_SCATTER = 8;

  /** Exchanges: each member gives a block to the root, the root to each, each to each. */
  int GATHER = 9;

  int SCATTER = 10;
  int ALLTOALL = 11;

  /** An allgather of members that give different numbers of bytes. */
  int ALLGATHERV = 12;

  /** Collectives that a member has under way at most. */
  int UNDER_WAY = 4;

  /** What a bcast and an allgather are a part of, where others have the kind of element. */
  int FOR_DUP = 1;

  int FOR_SPLIT = 2;
  int FOR_INTERCOMMUNICATOR = 3;

  /**
   * What an alltoall by parts is called as in a topology, likewise: most blocks are empty, and nobody looks at members
   * that give nothing.
   */
  int FOR_NEIGHBOR_ALLTOALL = 3;

  int FOR_NEIGHBOR_ALLGATHER = 4;

  /**
   * Likewise, with the kind added to it: it brings what one group of an intercommunicator gives to the other. In place
   * of the root such an alltoall has a number, up to {@link #MOST_AGREED}, that all members are to name alike, and such
   * an allgather by parts, in which each gives its block to all of the other group, how many members the first group
   * has.
   */
  int FOR_GROUPS = 16;

  int MOST_AGREED = 65_535;

  /** In an exchange, in place of an operator: this member's own block is where it is to be, and is not moved. */
  int STAYS = 1;

  /**
   * In an exchange, likewise: {@link #parts} tells how long each block is, and where it lies; of a gather what the root
   * takes, of a scatter what it gives.
   */
  int BY_PARTS = 2;

  /** Rows of {@link #parts}, of one word for each member: bytes that this one gives it, and where in the input. */
  int GIVE_BYTES = 0;

  int GIVE_AT = 1;

  /** Bytes that this member takes from it, and where in the output. */
  int TAKE_BYTES = 2;

  int TAKE_AT = 3;
  int PART_ROWS = 4;

  /** Most bytes of a member's part: their rounds can be counted in 31 bits. */
  long MOST_BYTES = 1L << 40;

  /** Most bytes of an element that the caller combines. */
  int MOST_ELEMENT_BYTES = 8192;

  /** Number of an operator that the caller carries out ({@link #COMBINE}). */
  int USER_OPERATOR = 255;

  /**
   * Beside 0 (the collective has ended) and {@link Core#AGAIN} (member {@link #other} is waited for) a step returns one
   * of these. Member {@code other()} called another collective, or this one with another root, size, element or
   * operator: {@link #words} has its {@code head} and {@code what}.
   */
  int MISMATCH = -74;

  /** Member {@code other()} cannot go on: it has broken off. */
  int BROKEN = -125;

  /** Member {@code other()} has closed the communicator. */
  int CLOSED = -108;

  /** The communicator is revoked. */
  int REVOKED = -43;

  /**
   * Memory for longer data is asked for: step again after {@link #stages}. Member 0 allocates {@link #stagesBytes} of
   * shared memory and publishes them; to the others this is only said once they are published.
   */
  int NEEDS_STAGES = 1;

  /** The caller puts {@code BYTES} of its input from {@code POSITION} on to {@code TARGET}, then steps. */
  int FILL = 2;

  /** The caller takes {@code BYTES} at {@code SOURCE} to {@code POSITION} of its output, then steps. */
  int DRAIN = 3;

  /** The caller makes {@code TARGET[i] = TARGET[i] op SOURCE[i]}, for {@code BYTES}, then steps. */
  int COMBINE = 4;

  /** Bytes were moved, and perhaps as many as a call may move: step again before anybody is waited for. */
  int MOVED = 5;

  /** The caller tells by {@link #expose} how others can reach its buffers, then steps. */
  int EXPOSE = 6;

  /**
   * The caller gives by {@link #reach} {@code BYTES} of the shared memory of member {@link #other}, from the offset
   * {@code SOURCE} in the file on, then steps.
   */
  int REACH = 7;

  /**
   * The caller brings {@code BYTES} at {@code SOURCE} of the memory of member {@link #other} to {@code TARGET} in the
   * stages or, as {@code PLACE} tells, to {@code POSITION} of its output, then steps.
   */
  int READ = 8;

  /**
   * The caller copies {@code BYTES} of its input from {@code SOURCE} on to {@code POSITION} of its output, then steps.
   */
  int KEEP = 9;

  /**
   * The caller brings {@code BYTES} of its input or, as {@code PLACE} tells, of its output from {@code POSITION} on to
   * {@code TARGET} of the memory of member {@link #other}, between {@link #beginWrite} and {@link #endWrite}, then
   * steps.
   */
  int WRITE = 10;

  /** What {@link #words} tells, of FILL, DRAIN and COMBINE. */
  int SOURCE = 0;

  int TARGET = 1;
  int POSITION = 2;
  int BYTES = 3;

  /**
   * Where SOURCE and TARGET lie: {@link #IN_SLOT} or {@link #IN_STAGES}; both are offsets in that. Of READ and WRITE
   * also {@link #IN_OUTPUT} and {@link #IN_INPUT}, at POSITION.
   */
  int PLACE = 4;

  int IN_SLOT = 0;
  int IN_STAGES = 1;
  int IN_OUTPUT = 2;
  int IN_INPUT = 3;

  /** How memory that a member has told of can be reached: beside SOURCE for REACH and READ, beside TARGET for WRITE. */
  int BY = 5;

  /** XPMEM segment id of that member's process, 0: none. */
  int SEGMENT = 6;

  /** What {@link #words} tells of a MISMATCH. */
  int HEAD = 0;

  int WHAT = 1;

  /**
   * Bytes that the other gives this member in an exchange, and that this one expects; both 0: not that is wrong. What
   * is expected is below zero where this member gives the bytes, and the other has expected none.
   */
  int GIVEN = 2;

  int EXPECTED = 3;

  /** Words that {@link #words} tells. */
  int WORDS = 7;

  /** Memory of a member lies in its shared allocations, at an offset in the file. */
  int BY_OFFSET = 1;

  /** Memory of a member lies at an address of its process, and stays until the collective is over. */
  int BY_ADDRESS = 2;

  /** Memory of READ and WRITE is no member's, but lies in the stages, at SOURCE or TARGET. */
  int BY_STAGES = 4;

  /** Spaces through which a member can reach all others. */
  int SHARED = 1;

  int XPMEM = 2;
  int CMA = 4;

  /**
   * Begins a collective and looks for its end at most {@code spins} times.
   *
   * @param kind {@link #BARRIER} …
   * @param root number of a member; 0 where there is none; of an allreduce by a user's operator the bytes of one
   * element, at most 8 KiB; of a reduce_scatter 1: {@link #parts} tells how long each part is
   * @param bytes of each member's part: of the whole of a bcast or an allreduce, of one member's of an allgather; of a
   * reduce_scatter of all parts, which lie one behind the other and, with root 0, are as long
   * @param element number of the kind of element, 0: none; of a bcast {@link #FOR_DUP}, of an allgather
   * {@link #FOR_SPLIT}, of both {@link #FOR_INTERCOMMUNICATOR} when it makes a communicator; of a reduce, scan, exscan
   * and reduce_scatter by a user's operator also, in the bits from 8 on, the bytes of one element
   * @param op number of the operator, 0: none
   * @param in what this member gives, contiguous, native or heap memory; null: it is asked to {@link #FILL}. A bcast
   * reads it at the root and writes {@code out} at the others; a reduce writes {@code out} at the root, an exscan at
   * all but member 0, a reduce_scatter the member's own part
   * @param out where the result goes, which may be {@code in}; null: it is asked to {@link #DRAIN}
   * @param spins looks for each thing that is waited for; 0: one, and nobody is asked whether it can still come, for a
   * caller that has others to look at: of those steps alone one that waits would never find that a member cannot go on
   * @return 0, a status of this interface, {@link Core#AGAIN}, {@link Core#CORRUPT}, {@link Core#INVAL}: an argument is
   *   out of range; {@link Core#BUSY}: the collective of four before has not ended
   */
  int begin(
      int kind, int root, long bytes, int element, int op, MemorySegment in, long inOffset, MemorySegment out,
      long outOffset, int spins);

  /**
   * Where the parts of an exchange are told that begins next: {@link #PART_ROWS} rows of words, always in the same
   * memory. A member that gives one block for all tells of it in its own column. Of a reduce_scatter all members tell
   * the same in the row {@link #GIVE_BYTES}.
   */
  MemorySegment parts();

  /** Which collective the last {@link #begin} was about, by which it is gone on with. */
  int begun();

  /** Goes on. The buffers are those of {@code begin}, though heap memory may have been moved; at most 64 KiB are. */
  int step(int which, MemorySegment in, long inOffset, MemorySegment out, long outOffset, int spins);

  /**
   * Tells how the others can reach this member's buffers in the collective that has asked for it. Large data goes in
   * one copy where all can reach what they need, else through stages.
   *
   * @param inBy {@link #BY_OFFSET} or {@link #BY_ADDRESS}; 0: it cannot be reached
   * @param in offset or address
   * @param spaces set of those through which this member can reach the memory of all the others
   * @param segment XPMEM segment id of this process, 0: none
   * @return 0 or {@link Core#INVAL}
   */
  int expose(int which, int inBy, long in, int outBy, long out, int spaces, long segment);

  /**
   * Gives memory of a member that {@link #REACH} has asked for, as it is mapped here: from {@code offset} in the file
   * on; it holds what was asked for, and stays mapped.
   *
   * @return 0, {@link Core#INVAL}: it does not hold it, or another negative errno value
   */
  int reach(int which, long offset, MemorySegment memory);

  /**
   * The caller cannot do what {@link #READ} or {@link #WRITE} asks for, against what the lines tell: it has lost XPMEM
   * since, say. That member copies instead, through the stages; of these the caller is asked to READ and WRITE
   * ({@link #BY_STAGES}). To be stepped on then.
   *
   * @return 0; {@link Spaces#PERM}: there are no stages, the collective cannot go on; or {@link Core#INVAL}: it was not
   *   asked
   */
  int relay(int which);

  /** The member that the last status of a collective is about, or that is waited for; -1: none. */
  int other(int which);

  /** What its last status tells; the array is always the same. */
  long[] words(int which);

  /** Bytes of all members' stages. */
  long stagesBytes();

  /** Offset in the file of the stages that member 0 has published, 0: not there yet. */
  long stagesOffset();

  /** Member 0 publishes the stages; their memory is zeros. */
  int publishStages(long offsetInFile);

  /** Gives the stages as they are mapped here. */
  int stages(MemorySegment all);

  /**
   * Tells the others that this member cannot go on. Its program may have its buffers again when {@link #isWrittenBy} is
   * 0 for each member that is still alive.
   */
  int breakOff();

  /**
   * Before this member does what {@link #WRITE} asks for.
   *
   * @return 0: the memory stays until {@link #endWrite}, which is to be soon; {@link #BROKEN}: that member has broken
   *   off, nothing may be written; or {@link Core#INVAL}
   */
  int beginWrite(int which);

  /** Afterwards, whether all was written or not. */
  int endWrite();

  /** After this member has broken off: 1, another one may still be writing its memory; 0: it is not. */
  int isWrittenBy(int member);

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
