package io.adrastea.link;

import java.lang.foreign.MemorySegment;

/**
 * How one rank reaches some ranks of its job: pieces of messages go there and come from there in order. What brings
 * links of a kind is a {@link LinkProvider}. Ranks are those of the job. A link is used by one thread at a time, except
 * where a method says otherwise.
 *
 * <p>
 * A link promises:
 * <ul>
 * <li>The pieces from one rank to another come in the order in which they were sent, each once and whole; none is lost
 * as long as both are there. Pieces of one message are sent one behind the other, so they come so.
 * <li>Nothing waits: what cannot be done now is {@link #AGAIN}, and the caller comes back.
 * <li>A link that has no room says so before it has taken anything, and takes a piece whole or not at all.
 * <li>What a rank has sent before it left or failed can still be received; {@link #repair} is {@link #AGAIN} as long as
 * some of it may still be on its way.
 * <li>A rank that has gone does not come back. Nothing says {@link #GONE} of it before {@link #repair} was called
 * since, so that by then {@link #hasFailed} and {@link #reason} tell how it has ended.
 * <li>What a peer sends that no correct rank sends is the end of that peer alone: the link cuts it off, and says that
 * it has failed.
 * </ul>
 *
 * <p>
 * Results below zero are one of the numbers below, which are negative errno values of Linux. All lengths and offsets
 * are in bytes. An exception that a link throws is a failure of its own rank, except one that a copy throws since the
 * program has closed the memory ({@link CopyInterrupt}): then nothing was sent, or the piece is still at hand.
 *
 * <p>
 * Sources: [Nemesis 2006, 2.2] (network modules, and several of them), [Nemesis 2006, 3.4] (sends that pass all
 * queues), [Nemesis 2006, 3.5] (pieces are read where they lie).
 */
public interface Link extends AutoCloseable {
  /** Nothing there, or no room, now. */
  int AGAIN = -11;

  /** The next message is another one; it is left to {@link #poll}. */
  int NOMSG = -42;

  /** That rank has left or failed. */
  int GONE = -3;

  /** What has come is what no correct rank sends, and the whole link is of no use: this rank fails. */
  int CORRUPT = -71;

  /** A claim is open for that destination. */
  int BUSY = -16;

  /** The link cannot do this. */
  int NOSYS = -38;

  /** What {@link #poll} has found: a piece. */
  int PIECE = 1;

  /** The greatest kind of a piece; 1 is the least. */
  int MOST_KIND = 3;

  /**
   * Whether a match word is that of a message of no communicator, by which engines tell each other something: bits 31
   * to 63 are set. Such a message passes an open claim by {@link #trySend}.
   *
   * @param match what {@link #trySend} or {@link #claim} was given
   * @return whether {@link #trySend} passes an open claim
   */
  static boolean isControl(long match) {
    return match >>> 31 == 0x1_FFFF_FFFFL;
  }

  // Sending

  /**
   * Most bytes of a piece, and of a claim; always the same.
   *
   * @return 64 or more; 8,192 for messages of some KiB to go in one piece
   */
  int pieceBytes();

  /**
   * Sends as many of {@code length} bytes at {@code source + offset} as fit one piece. The memory may be native or on
   * the heap, and the program may close it meanwhile: it is to be copied by {@link CopyInterrupt#copy}, here and in
   * {@link #take}. After the call it is the program's again.
   *
   * @param destination rank that the link reaches
   * @param kind 1 to {@link #MOST_KIND}: what the piece is in its message, to be told at the other end as it is
   * @param match context in the upper, tag in the lower 32 bits, to be told likewise
   * @param totalLength bytes of the whole message, to be told likewise
   * @param source what the bytes lie in
   * @param offset of the first byte
   * @param length bytes that are left of the message
   * @return bytes taken (0 for an empty message), which are the link's to bring there from now on; {@link #AGAIN}: no
   *   room for that destination now; {@link #BUSY}; {@link #GONE}
   */
  int trySend(int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length);

  /**
   * Takes room for a piece of exactly {@code length} bytes, to be filled in place. Until {@link #commit} or
   * {@link #abort} nothing else goes to that destination, but what {@link #isControl} says, and that by
   * {@link #trySend}: another claim there is {@link #BUSY}, whatever it is for.
   *
   * @param destination rank that the link reaches
   * @param kind as of {@link #trySend}
   * @param match likewise
   * @param totalLength likewise
   * @param length bytes of the piece, at most {@link #pieceBytes}
   * @return offset of the room in {@link #room}; {@link #AGAIN}, {@link #BUSY} or {@link #GONE}
   */
  long claim(int destination, int kind, long match, long totalLength, long length);

  /**
   * The memory that the room lies in that is claimed for a destination.
   *
   * @param destination of an open claim
   * @return memory that any thread can write to until the claim ends
   */
  MemorySegment room(int destination);

  /**
   * Sends what was claimed. There is room for it: the claim has set that aside.
   *
   * @param destination of an open claim, which ends
   * @return 0, or {@link #GONE}: the room was given back
   */
  int commit(int destination);

  /**
   * Gives the room back; nothing is sent.
   *
   * @param destination of an open claim, which ends
   * @return 0
   */
  int abort(int destination);

  /**
   * Begins a burst: what goes to {@code destination} may be held back until the burst ends, or until there is no room.
   * A link that holds nothing back does nothing.
   *
   * @param destination rank that the link reaches, to which no burst is open
   * @return 0
   */
  default int beginBurst(int destination) {
    return 0;
  }

  /**
   * Ends a burst: what was held back goes out.
   *
   * @param destination of the burst
   * @return 0
   */
  default int endBurst(int destination) {
    return 0;
  }

  // Receiving

  /**
   * Finds the next piece and leaves it there: the next poll tells the same until it is taken, released or retained.
   * What the link has to do for itself is done on the way, without waiting.
   *
   * @param first rank, reached by this link, whose pieces go before those of others, though not for ever; -1: none
   * @param inbound is filled in when a piece was found, see {@link Inbound#found}
   * @return {@link #PIECE}; {@link #AGAIN}: nothing there; {@link #CORRUPT}
   */
  int poll(int first, Inbound inbound);

  /**
   * Copies the first bytes of the piece found by poll, and ends with it. When the copy throws, the piece is still
   * there.
   *
   * @param destination memory of the program
   * @param offset where in it
   * @param length at most what the piece has; the rest is dropped
   * @return 0 or more
   */
  int take(MemorySegment destination, long offset, long length);

  /**
   * Ends with the piece found by poll without a copy.
   *
   * @return 0
   */
  int release();

  /**
   * Keeps the piece found by poll where it lies: later polls go on behind it, and it stays as it is until
   * {@link #releaseRetained}, whatever comes, and whoever goes, meanwhile.
   *
   * @return 0; {@link #AGAIN}: it cannot be retained now, and is to be taken or released
   */
  int retain();

  /**
   * Releases a retained piece, in any order.
   *
   * @param source rank that poll told
   * @param place what poll told
   * @return 0
   */
  int releaseRetained(int source, long place);

  // Which ranks are there

  /**
   * Whether a rank can still take part, as far as can be told now, at the price of a few system calls. Any thread may
   * ask.
   *
   * @param rank that the link reaches
   * @return false: it has left or failed, and does not come back
   */
  boolean isPresent(int rank);

  /**
   * Lists the ranks that have gone, one at a time, in the order in which the link has seen them go. So a wait looks at
   * what has changed, about every 100 ms, and asks no rank on its own. A link that keeps no such list answers
   * {@link #NOSYS} always, and {@link #isPresent} is asked of each rank then. One that does lists a rank from when
   * {@link #isPresent} says that it has gone.
   *
   * @param index how many have gone before that one
   * @return a rank that the link reaches; {@link #AGAIN}: no more have gone; {@link #NOSYS}
   */
  default int departed(int index) {
    return NOSYS;
  }

  /**
   * Whether a rank that is not present has failed. Any thread may ask.
   *
   * @param rank that the link reaches
   * @return false: it has left in order, or is present
   */
  boolean hasFailed(int rank);

  /**
   * Why a rank has failed, as it said itself or as the link knows. Any thread may ask.
   *
   * @param rank that has failed
   * @return a line for people, without a full stop; empty: it could not say
   */
  String reason(int rank);

  /**
   * Number of the process of a rank, for people. Any thread may ask.
   *
   * @param rank that the link reaches
   * @return the number on its node; 0: the link does not know it
   */
  long pid(int rank);

  /**
   * Name of the host of a rank, for people: errors and reports of long waits name it beside the rank. Any thread may
   * ask.
   *
   * @param rank that the link reaches
   * @return the name; empty: it is the host of this rank, or is not known
   */
  default String host(int rank) {
    return "";
  }

  /**
   * What the link is, for people, as in {@code tcp from 10.0.0.1}: reports of long waits name it. Any thread may ask.
   *
   * @return a few words in one line, without a full stop
   */
  default String describe() {
    return getClass().getSimpleName();
  }

  /**
   * Sees to the ranks that have left or failed, a step at a time: puts right what they left behind, and sends them
   * nothing more ({@link #GONE}). What they had sent stays to be received. Called about every 100 ms of a wait.
   *
   * @return zero or more; {@link #AGAIN}: something of theirs may still be on its way, which polls will find;
   *   {@link #CORRUPT}
   */
  int repair();

  /**
   * How many polls find all that is there at a time, if nothing comes meanwhile. After so many, an operation that waits
   * for a rank that has gone fails.
   *
   * @return 1 or more; too many cost time after a failure alone
   */
  int mostPieces();

  /** Tells the log, at level debug, what was found out of the ways to each rank; nothing where there is one way. */
  default void sayWays() {}

  // Sleeping

  /**
   * The rank is about to sleep: from now on, until {@link #endWatch}, the link wakes it as soon as there is something
   * to poll for, room where {@link #AGAIN} was answered for want of it, or a rank gone. What is there already counts.
   * May be called again before the watch has ended.
   *
   * @param wake wakes the rank; may be run by any thread, and more often than is needed
   */
  void watch(Runnable wake);

  /** The rank is awake: {@code wake} is not run any more once this has returned. */
  void endWatch();

  /**
   * The rank of this link is about to fail: {@link #close}, which comes next or when a call of another thread has
   * ended, is to tell the others that it has failed, and why, or the end of its process does. May be called again, also
   * after {@code close}; a reason stands once it is given. Any thread may call. A link whose peers learn this by
   * another way does nothing.
   *
   * @param reason a line of at most 255 bytes of UTF-8; empty: none is given
   */
  default void failing(String reason) {}

  /**
   * Ends the link when its rank leaves or fails ({@link #failing}); what was taken for others still goes out. A link
   * that waits for that has a bound for it. Of a rank that has not taken all by then it tells the log, with the name of
   * its host, at level warning; that is no exception, since this rank leaves all the same. What the link throws, the
   * end of the rank throws once all links are closed. Called once, and nothing is called afterwards but
   * {@link #isPresent}, {@link #hasFailed}, {@link #reason} and {@link #pid}.
   */
  @Override
  void close();
}
