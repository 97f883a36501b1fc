package io.adrastea.link;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.core.Sleeper;
import java.lang.foreign.MemorySegment;

/**
 * How one rank reaches some ranks of its job: pieces of messages go there and come from there in order, as in
 * {@link Core}, which the link of shared memory stands over. Ranks are those of the job. Used by one thread at a time,
 * inside the engine's gate, except where a method says otherwise.
 *
 * <p>
 * What a link promises:
 * <ul>
 * <li>The pieces from one rank to another come in the order in which they were sent, each once and whole; none is lost
 * as long as both are there. Pieces of one message are sent one behind the other, so they come so.
 * <li>Nothing waits: what cannot be done now is {@link #AGAIN}, and the caller comes back.
 * <li>A link that has no room says so before it has taken anything, and takes a piece whole or not at all.
 * <li>What a rank has sent before it left or failed can still be received; {@link #repair} is {@link #AGAIN} as long as
 * some of it may still be on its way.
 * <li>A rank that has gone does not come back. Nothing says {@link #GONE} of it before {@link #repair} was called
 * since, so that by then {@link #hasFailed} and {@link #reason} tell how it has ended.
 * </ul>
 *
 * <p>
 * Results below zero are negative errno values.
 */
public interface Link extends AutoCloseable {
  /** Nothing there, or no room, now. */
  int AGAIN = Core.AGAIN;

  /** The next message is another one; it is left to {@link #poll}. */
  int NOMSG = Core.NOMSG;

  /** That rank has left or failed. */
  int GONE = Core.GONE;

  /** What has come is what no correct rank sends. */
  int CORRUPT = Core.CORRUPT;

  /** A claim is open for that destination. */
  int BUSY = Core.BUSY;

  /** The link cannot do this. */
  int NOSYS = Core.NOSYS;

  // Sending

  /** Most bytes of a piece, and of a claim. */
  int pieceBytes();

  /**
   * Sends as many of {@code length} bytes at {@code source + offset} as fit one piece. Where Java copies them it is by
   * {@code CopyInterrupt}, here and in {@link #take}: the program may close the memory meanwhile.
   *
   * @param kind {@code CellDescriptor.KIND_…}
   * @param match context in the upper, tag in the lower 32 bits
   * @return bytes taken (0 for an empty message), which are the link's to bring there from now on; {@link #AGAIN}: no
   *   room for that destination now; {@link #BUSY}; {@link #GONE}
   */
  int trySend(int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length);

  /**
   * Takes room for a piece of exactly {@code length} bytes, to be filled in place. Until {@link #commit} or
   * {@link #abort} nothing else goes to that destination, but what is of no communicator (bits 31 to 63 of
   * {@code match} set).
   *
   * @return offset of the room in {@link #room}; {@link #AGAIN}, {@link #BUSY} or {@link #GONE}
   */
  long claim(int destination, int kind, long match, long totalLength, long length);

  /** The memory that the room lies in that is claimed for a destination. */
  MemorySegment room(int destination);

  /** Sends what was claimed: 0, or {@link #GONE}: the room was given back. */
  int commit(int destination);

  /** Gives the room back, nothing is sent: 0. */
  int abort(int destination);

  /** Begins a burst: what goes to {@code destination} may be held back until the burst ends. */
  int beginBurst(int destination);

  /** Ends a burst: what was held back goes out. */
  int endBurst(int destination);

  // Receiving

  /**
   * Finds the next piece and leaves it there: the next poll tells the same until it is taken, released or retained.
   * What the link has to do for itself is done on the way.
   *
   * @param first rank, reached by this link, whose pieces go before those of others; -1: none
   * @return {@link Core#PIECE}: {@code inbound} describes it, with the rank of its source in the job and the memory
   *   that it lies in; {@link #AGAIN}: nothing there; {@link #CORRUPT}
   */
  int poll(int first, Inbound inbound);

  /** Copies the first {@code length} bytes of the piece found by poll to {@code destination + offset}, ends with it. */
  int take(MemorySegment destination, long offset, long length);

  /** Ends with the piece found by poll without a copy. */
  int release();

  /**
   * Keeps the piece found by poll where it lies: later polls go on behind it, and it stays as it is until
   * {@link #releaseRetained}.
   *
   * @return 0; {@link #AGAIN}: it cannot be retained now, and is to be taken or released
   */
  int retain();

  /** Releases a retained piece, in any order; {@code source} and {@code place} are those that poll told. */
  int releaseRetained(int source, long place);

  // Which ranks are there

  /**
   * Whether a rank can still take part, as far as can be told now, at the price of a few system calls. Any thread may
   * ask.
   */
  boolean isPresent(int rank);

  /** Whether a rank that is not present has failed; else it has left in order. Any thread may ask. */
  boolean hasFailed(int rank);

  /** Why a rank has failed, as it said itself or as the link knows; empty: it could not say. Any thread may ask. */
  String reason(int rank);

  /** Tells the log, at level debug, what was found out of the ways to each rank; nothing where there is one way. */
  default void sayWays() {}

  /** Number of the process of a rank, for people. Any thread may ask. */
  long pid(int rank);

  /**
   * Sees to the ranks that have left or failed, a step at a time: puts right what they left behind, and sends them
   * nothing more ({@link #GONE}). What they had sent stays to be received. To be called about every 100 ms of a wait.
   *
   * @return zero or more; {@link #AGAIN}: something of theirs may still be on its way, which polls will find;
   *   {@link #CORRUPT}
   */
  int repair();

  /** How many polls find all that is there at a time, if nothing comes meanwhile. */
  int mostPieces();

  // Sleeping and waking

  /**
   * The rank is about to sleep: from now on, until {@link #endWatch}, the link calls {@link Sleeper#wake} for the rank
   * itself as soon as there is something to poll for, room where there was none, or a rank gone. What is there already
   * counts. A link in shared memory does nothing: there, senders ring. May be called again before the watch has ended.
   *
   * @param sleeper how this rank is woken; any thread may call it until the watch has ended
   * @param self number of this rank in the job
   */
  void watch(Sleeper sleeper, int self);

  /** The rank is awake: the sleeper is not used when this returns. */
  void endWatch();

  /** Ends the link when its rank leaves or fails; what was taken for others goes out. */
  @Override
  void close();
}
