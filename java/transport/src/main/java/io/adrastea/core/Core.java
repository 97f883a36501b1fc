package io.adrastea.core;

import io.adrastea.datatype.Program;
import io.adrastea.error.SegmentException;
import io.adrastea.link.Inbound;
import io.adrastea.link.Link;
import java.lang.foreign.MemorySegment;

/**
 * The primitives on shared memory, for one rank, used by one thread at a time. One crossing per message or piece,
 * nothing per field. The C side is {@code adrastea/channel.h}, the same functions in the same order.
 *
 * <p>
 * A message of one piece goes by the fastbox to its destination when there is one and it fits, by cells otherwise;
 * sequence numbers keep the order of all pieces between two ranks, whichever way they take.
 *
 * <p>
 * Contract of the fast path: no system call, no allocation, no log, no division, no waiting beyond the spins asked for.
 * Buffers may be native or heap memory. The caller vouches for their bounds and that those received into can be
 * written: a core in C cannot tell. Results below zero are negative errno values.
 *
 * <p>
 * Sources: [Nemesis 2006, 2.1] (cells and queues), [Nemesis 2006, 3.2] and [MVAPICH 2006, 3.2] (fastbox), [MVAPICH
 * 2006, 3.4.1] (finding the active ones), [MPICH2 2007, 3.1] (messages of several cells), [MPICH2 2007, 3.3] (receive
 * without posting), [MPICH2 2007, Fig. 2] (barrier).
 */
public interface Core extends AutoCloseable {
  /** Nothing there, or no room, now. */
  int AGAIN = Link.AGAIN;

  /** The next message is another one; it is left to {@link #poll}. */
  int NOMSG = Link.NOMSG;

  /** That rank has left or failed. */
  int GONE = Link.GONE;

  /** The segment holds what no correct rank writes. */
  int CORRUPT = Link.CORRUPT;

  /** The function is not there on this core. */
  int NOSYS = Link.NOSYS;

  /** A sleep ended with its time. */
  int TIMEDOUT = -110;

  /** An argument is out of range. */
  int INVAL = -22;

  /** A claim is open for that destination. */
  int BUSY = Link.BUSY;

  /** A claim is larger than a cell. */
  int MSGSIZE = -90;

  /** What {@link #poll} found: a piece. */
  int PIECE = Link.PIECE;

  /** What {@link #poll} found: rank {@code source} wants a fastbox to this rank, to be opened or refused. */
  int WANTED = 2;

  /**
   * Sends as many of {@code length} bytes at {@code source + offset} as fit one piece.
   *
   * @param kind {@code CellDescriptor.KIND_…}
   * @param match context in the upper, tag in the lower 32 bits
   * @return bytes taken (0 for an empty message); {@link #AGAIN}: no room for that destination now; {@link #BUSY};
   *   {@link #GONE}
   */
  int trySend(int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length);

  /**
   * Sends a whole message of one piece, elements of a datatype, which are packed into the room where it is sent: claim,
   * pack and commit in one crossing. The caller vouches for it that the elements lie in their memory.
   *
   * @param offset the origin of the first element
   * @param length bytes of all elements
   * @return {@code length}, or as of {@link #claim}; {@link #NOSYS}: not from that memory, which the caller is to pack
   */
  int trySendElements(
      int destination, long match, Program program, MemorySegment memory, long offset, long count, long length);

  /**
   * Takes room for a piece of exactly {@code length} bytes, to be filled in place. Until {@link #commit} or
   * {@link #abort} nothing else goes to that destination, but what is of no communicator (bits 31 to 63 of
   * {@code match} set).
   *
   * @return offset of the room in the segment; {@link #AGAIN}, {@link #MSGSIZE}, {@link #BUSY} or {@link #GONE}
   */
  long claim(int destination, int kind, long match, long totalLength, long length);

  /** Sends what was claimed: 0; {@link #GONE}: the room was given back; {@link #INVAL}: nothing is claimed there. */
  int commit(int destination);

  /** Gives the room back, nothing is sent: 0, or {@link #INVAL}: nothing is claimed there. */
  int abort(int destination);

  /**
   * Begins a burst: what goes to {@code destination} by fastbox is held back until the burst ends, and shows there with
   * one store. A burst that meets a full fastbox, or a piece that goes by cell, shows what it has first.
   */
  int beginBurst(int destination);

  /** Ends a burst: what was held back shows. */
  int endBurst(int destination);

  /**
   * Finds the next piece and leaves it there: the next poll tells the same until it is taken, released or retained.
   *
   * @param first rank whose fastbox is polled before others; -1: none
   * @return {@link #PIECE}: {@code inbound} describes it; {@link #WANTED}; {@link #AGAIN}: nothing there
   */
  int poll(int first, Inbound inbound);

  /**
   * Polls as {@link #poll} does, and tells in the same crossing of the whole messages that lie behind the piece in the
   * fastbox that this lies in, in their order. They can be read where they lie until something else is received.
   * Position and sequence numbers stay those of the piece, which is at hand as after poll: the core alone has them, and
   * a caller that lets go of a batch has lost nothing.
   *
   * @return how many pieces there are, 1 or more; 0: the source of the first wants a fastbox; {@link #AGAIN}: nothing
   *   there, and neither some 55 ns later where the last batch had found something
   */
  int pollBatch(int first, Batch batch);

  /** A way of messages: the fastbox of the pair, or cells in the queue. */
  int WAY_BOX = 0;

  int WAY_CELLS = 1;

  /**
   * The way of messages of so many bytes to that rank which are likely to be waited for, as far as it was found out.
   *
   * @return {@link #WAY_BOX}, {@link #WAY_CELLS} or {@link #INVAL}
   */
  int way(int destination, long length);

  /**
   * Copies the first {@code length} bytes of the piece found by poll to {@code destination + offset} and ends with it:
   * its room goes back at the next poll, receive or close.
   */
  int take(MemorySegment destination, long offset, long length);

  /** Ends with the piece found by poll without a copy. */
  int release();

  /**
   * Ends with the first pieces of those that {@link #pollBatch} found, without a copy.
   *
   * @param count 1 or more
   * @param more it found more: the next one is what the next poll tells, or {@link #retain} keeps
   * @return 0; {@link #INVAL}: no batch is at hand
   */
  int releaseBatch(int count, boolean more);

  /**
   * Keeps the piece found by poll where it lies: later polls go on behind it, and it stays as it is until
   * {@link #releaseRetained}.
   *
   * @return 0; {@link #AGAIN}: it cannot be retained now, since its successor is just being linked
   */
  int retain();

  /** Releases a retained piece, in any order; {@code source} and {@code place} are those that poll told. */
  int releaseRetained(int source, long place);

  /**
   * Waits for a whole small message for at most {@code spins} polls, and receives it when it is from {@code source}
   * (-1: any), its match equals {@code match} in the bits of {@code mask}, it came in one piece and fits.
   *
   * @return its length, with {@code inbound} telling source and match; {@link #AGAIN}: nothing came; {@link #NOMSG}:
   *   something else is next and is left to poll
   */
  int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int spins,
      Inbound inbound);

  /**
   * Receives as {@link #receive} does, into elements of a datatype: unpacked from where the message lies, in the same
   * crossing. The caller vouches for it that the elements lie in their memory.
   *
   * @param offset the origin of the first element
   * @param capacity bytes of all elements
   * @return as of {@link #receive}; {@link #NOSYS}: not into that memory, which the caller is to unpack into
   */
  int receiveElements(
      long match, long mask, int source, Program program, MemorySegment memory, long offset, long count,
      long capacity, int spins, Inbound inbound);

  /** Opens the fastbox from rank {@code source} to this rank; its ring was reserved and is all zeros. */
  int openBox(int source);

  /** Refuses a fastbox that rank {@code source} wants: its messages go on by cells. */
  int refuseBox(int source);

  /**
   * Sees to the ranks that have left or failed, as the rank table tells, a step at a time: makes queues whole that they
   * left broken, takes back the cells that lie with them, and gives the memory of their fastboxes back once those are
   * read empty. After the first such call nothing is sent to them any more ({@link #GONE}). What they had sent stays to
   * be received. To be called about every 100 ms of a wait.
   *
   * @return fastboxes given back; {@link #AGAIN}: a link of the receive queue is missing, behind which there may be
   *   messages; or {@link #CORRUPT}
   */
  int reclaim();

  /** Arrives at the barrier of all ranks [MPICH2 2007, Fig. 2]. */
  int barrierArrive();

  /** Whether all ranks have arrived, asked at most {@code spins} times: 0, or {@link #AGAIN}. */
  int barrierWait(int spins);

  /**
   * This rank's part of a communicator's slot.
   *
   * @param slot its memory as it is mapped here
   * @param self number of this rank in it
   * @throws SegmentException when the slot's header tells what cannot be
   */
  SlotMember slotMember(MemorySegment slot, int self);

  /** How this rank sleeps and wakes others. */
  Sleeper sleeper();

  /** Gives the core's own memory back; the segment stays as it is. */
  @Override
  void close();
}
