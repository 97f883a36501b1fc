package io.adrastea.core;

import java.lang.foreign.MemorySegment;

/**
 * The piece of a message that {@link Core#poll} found. Mutable and reused: one per rank. Twin of {@code struct
 * adr_inbound}: eight words in its order.
 */
public final class Inbound {
  /** Positions of the words. */
  public static final int SOURCE = 0;

  public static final int KIND = 1;
  public static final int MATCH = 2;
  public static final int LENGTH = 3;
  public static final int TOTAL_LENGTH = 4;
  public static final int PAYLOAD = 5;
  public static final int SEQUENCE = 6;
  public static final int PLACE = 7;

  /** How many there are. */
  public static final int WORDS = 8;

  private final long[] words = new long[WORDS];
  private MemorySegment memory;

  /** The words, which a core fills. */
  public long[] words() {
    return words;
  }

  /** Sets the source, for code that hands the piece on under another number. */
  public void source(int rank) {
    words[SOURCE] = rank;
  }

  /** The piece came from that rank, and lies in that memory. */
  public void cameBy(int rank, MemorySegment memory) {
    words[SOURCE] = rank;
    this.memory = memory;
  }

  /** Rank that sent the piece. */
  public int source() {
    return (int) words[SOURCE];
  }

  /** {@code CellDescriptor.KIND_…}. */
  public int kind() {
    return (int) words[KIND];
  }

  /** Context in the upper, tag in the lower 32 bits. */
  public long match() {
    return words[MATCH];
  }

  /** Bytes of payload in this piece. */
  public int length() {
    return (int) words[LENGTH];
  }

  /** Bytes of the whole message. */
  public long totalLength() {
    return words[TOTAL_LENGTH];
  }

  /** What the payload lies in; null: a core has found it, whose memory is the segment. */
  public MemorySegment memory() {
    return memory;
  }

  /** Offset of the payload in its memory. */
  public long payload() {
    return words[PAYLOAD];
  }

  /**
   * Where the piece lies, for {@link Core#releaseRetained}: the offset of its cell or, negative, its place in a
   * fastbox.
   */
  public long place() {
    return words[PLACE];
  }
}
