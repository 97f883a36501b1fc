package io.adrastea.coll;

import io.adrastea.core.SlotMember;

/**
 * How blocks of an exchange share a giver's quarter of a stage: a ring of buffers, one for each round, in each of which
 * is the same stretch of every block. Behind a header that tells of the blocks where each reader gets another one. Twin
 * of {@code coll/adr_exchange_room.h}.
 */
public final class ExchangeRoom {
  /** Buffers of a quarter. */
  static final int BUFFERS = 4;

  /** Words of the header for each reader. */
  private static final int WORDS = 2;

  /** Shorter stretches share a cache line. */
  private static final int CACHE_LINE = 64;

  private ExchangeRoom() {}

  /** Bytes before the buffers. */
  static int header(int kind, int ranks) {
    return Choice.hasSeveralBlocks(kind) ? WORDS * ranks * Long.BYTES + CACHE_LINE - 1 & -CACHE_LINE : 0;
  }

  /** Bytes of a round's buffer. */
  static int bufferBytes(int kind, int ranks) {
    return (StageMoves.QUARTER - header(kind, ranks)) / BUFFERS & -CACHE_LINE;
  }

  /** Bytes of each block that go in a round. */
  static int stretch(int kind, int ranks) {
    int buffer = bufferBytes(kind, ranks);
    int most = Choice.hasSeveralBlocks(kind) && ranks > 2 ? buffer / (ranks - 1) : buffer;
    return most >= CACHE_LINE ? most & -CACHE_LINE : most & -Long.BYTES;
  }

  /**
   * Most bytes of a block: a member's progress counts its rounds in 31 bits, of which the highest numbers say that it
   * is two rounds further, and that it is through.
   */
  public static long mostOfBlock(int kind, int ranks) {
    return Math.min(SlotMember.MOST_BYTES, (Integer.MAX_VALUE - 2L) * stretch(kind, ranks));
  }

  /** Whether a block may have so many bytes. */
  public static boolean takes(int kind, int ranks, long bytes) {
    return bytes <= Integer.MAX_VALUE || bytes <= mostOfBlock(kind, ranks);
  }
}
