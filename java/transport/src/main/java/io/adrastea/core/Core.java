package io.adrastea.core;

import java.lang.foreign.MemorySegment;

/**
 * The primitives on shared memory, for one rank, used by one thread at a time. One crossing per message or piece, nothing
 * per field. The C side is {@code adrastea/channel.h}, the same functions in the same order.
 *
 * <p>Contract of the fast path: no system call, no allocation, no log, no division, no waiting beyond the spins asked
 * for. Buffers may be native or heap memory. The caller vouches for their bounds and that those received into
 * can be written: a core in C cannot tell. Results below zero are negative errno values.
 *
 * <p>Sources: 001 section 2.1 (cells and queues), 000 section 3.1 (messages of several cells), 000 section 3.3 (receive without
 * posting).
 */
public interface Core extends AutoCloseable {
  /** Nothing there, or no room, now. */
  int AGAIN = -11;

  /** The next message is another one; it is left to {@link #poll}. */
  int NOMSG = -42;

  /** The segment holds what no correct rank writes. */
  int CORRUPT = -71;

  /** The function is not there on this core. */
  int NOSYS = -38;

  /**
   * Sends as many of {@code length} bytes at {@code source + offset} as fit one cell.
   *
   * @param kind {@code CellDescriptor.KIND_…}
   * @param match context in the upper, tag in the lower 32 bits
   * @return bytes taken (0 for an empty message); {@link #AGAIN}: no cell is free for that destination now
   */
  int trySend(int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length);

  /**
   * Finds the next piece, in order, and leaves it there: the next poll tells the same until it is taken or released.
   *
   * @return 1: {@code inbound} describes it; {@link #AGAIN}: none
   */
  int poll(Inbound inbound);

  /**
   * Copies the first {@code length} bytes of the piece found by poll to {@code destination + offset} and ends with it: its
   * cell goes back at the next poll, receive or close.
   */
  int take(MemorySegment destination, long offset, long length);

  /** Ends with the piece found by poll without a copy. */
  int release();

  /**
   * Waits for a whole small message at most {@code spins} looks long, and receives it when it is from {@code source} (-1:
   * any), its match equals {@code match} in the bits of {@code mask}, it came in one piece and fits.
   *
   * @return its length, with {@code inbound} telling source and match; {@link #AGAIN}: nothing came; {@link #NOMSG}:
   *     something else is next and is left to poll
   */
  int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int spins, Inbound inbound);

  /** Gives the core's own memory back; the segment stays as it is. */
  @Override
  void close();
}
