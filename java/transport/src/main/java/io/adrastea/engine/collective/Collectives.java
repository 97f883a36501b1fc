package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.operation.Pending;
import io.adrastea.payload.Payload;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The collectives of one communicator, as one rank calls them: through a slot where all members share memory, else by
 * messages.
 *
 * <p>
 * Any number of them is outstanding; a blocking one behind started ones begins after them. One thread at a time is in a
 * blocking one, or starts one.
 *
 * <p>
 * One that was left in the middle, by an interrupt or because a rank failed, is the last, and ends all that are
 * outstanding: this rank tells the others that it cannot go on, and each further call says why ({@link Ending}). A
 * barrier alone can be called again after an interrupt, and goes on where it was.
 *
 * <p>
 * Each side is a payload, null where this rank has none. None is changed until the collective is complete.
 */
public interface Collectives {
  /** Whether there are no more of them at this rank, for whatever reason. Called inside the gate. */
  boolean haveEnded();

  /**
   * A member has told by a message that it has closed the communicator, or never comes to it. Called inside the gate.
   *
   * @param member its number
   */
  void isOut(int member);

  /** What the members that live agree on; null: they do not all share memory. */
  Agreement agreement();

  /** Returns when all members have arrived, or throws when one cannot any more. */
  void barrier();

  /** Runs a barrier in another form. Like all collectives it returns the call to be waited for; null: it has ended. */
  Call barrier(Form form);

  /**
   * Brings bytes of the root's memory to that of all other members.
   *
   * @param purpose 0, or {@link SlotMember#FOR_DUP}
   */
  Call bcast(Form form, Payload data, int root, int purpose);

  /**
   * Combines the members' bytes, in the order of their numbers. Both sides may be the same memory.
   *
   * @param kind {@link SlotMember#ALLREDUCE}, or another one that combines
   * @param root of a reduce; 0
   */
  Call fold(
      Form form, int kind, int root, Payload in, Payload out, Combination combination);

  /** Combines one element of eight bytes, which comes and goes as a word; a member that gets no result gets it back. */
  long fold(int kind, int root, long word, Combination combination);

  /** Brings a word of the root to all. */
  long bcast(long word, int root);

  /**
   * Brings bytes of each member to all of them, one behind the other in the order of their numbers. The input may be
   * this member's part of the output: then both are the same payload.
   *
   * @param bytes of one member
   * @param purpose 0, {@link SlotMember#FOR_SPLIT}, or without a slot {@link SlotMember#FOR_DUP}
   */
  Call allgather(Form form, Payload in, Payload out, long bytes, int purpose);

  /**
   * Exchanges blocks: each member gives one to the root ({@link SlotMember#GATHER}), the root one to each
   * ({@link SlotMember#SCATTER}), each another one to each ({@link SlotMember#ALLTOALL}), or each one to all
   * ({@link SlotMember#ALLGATHERV}). Equal blocks of a side lie one behind the other. A member that only gives has no
   * output, one that only takes no input.
   *
   * @param bytes of each block on a side that has no parts; both are as long where neither has
   * @param gives the blocks that this member gives by parts, as the root of a scatter and in an alltoall; null: equal
   * ones, or one for all
   * @param takes the blocks that it takes by parts, as the root of a gather, in an alltoall and in any allgather by
   * parts; null: equal ones, or one
   * @param purpose 0, or that of an alltoall of which most blocks are empty ({@link SlotMember#FOR_NEIGHBOR_ALLTOALL}
   * …), or that of an exchange between groups ({@link SlotMember#FOR_GROUPS}): in an allgather by parts the root is
   * then how many members the first group has
   * @param stays this member's own block lies in the output already; of the root of a scatter it stays in the input,
   * and there is no output. Else input and output are apart, but for an alltoall in which this is told: then they are
   * the same memory, of the same blocks.
   */
  Call exchange(
      Form form, int kind, int root, long bytes, Blocks gives, Blocks takes, int purpose, boolean stays, Payload in,
      Payload out);

  /**
   * Combines what the ranks of one group of an intercommunicator give, in the order of their numbers, and brings the
   * result to the other group; in an allreduce and a reduce_scatter both do both. The input and the output are apart.
   *
   * @param kind {@link SlotMember#REDUCE}, {@link SlotMember#ALLREDUCE} or {@link SlotMember#REDUCE_SCATTER}
   * @param root of a reduce: the rank that gets the result, by its number in the other group, or {@link Groups#ROOT},
   * or {@link Groups#NOBODY}; else 0
   * @param bytes of the elements that a rank gives; in an allreduce and a reduce_scatter both groups give as many
   * @param blocks of a reduce_scatter: what each rank of this group gets, by its number there, one behind the other;
   * null: equal parts of whole elements
   */
  Call reduceAcross(
      Form form, Groups groups, int kind, int root, long bytes, Combination combination, Blocks blocks, Payload in,
      Payload out);

  /**
   * Combines the members' bytes, as {@link #fold}, and gives each member its part of the result.
   *
   * @param parts of the input, one behind the other, at all members as long
   */
  Call reduceScatter(Form form, Blocks parts, Payload in, Payload out, Combination combination);

  /** Refuses to end them while a thread waits here, or one that was started is outstanding. */
  void requireIdle();

  /** Whether no thread waits here, and none that was started is outstanding. */
  boolean isIdle();

  /** A started one that waits for a member that is gone; null: none does. Called inside the gate. */
  Pending firstStranded();

  /** Takes no more calls; what is under way goes on. Called inside the gate. */
  void refuseMore();

  /** Adds words for each that was started and is outstanding. */
  void describe(List<String> words);

  /**
   * Ends them: there are no more, and what this rank has for them beside shared memory is given back. Called inside the
   * gate, while no thread waits here.
   */
  void end();

  /** Shared memory of this rank that lasts as long as the slot; null: there is none. */
  MemorySegment ownedStages();
}
