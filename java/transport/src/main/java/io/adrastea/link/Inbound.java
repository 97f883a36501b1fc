package io.adrastea.link;

import java.lang.foreign.MemorySegment;

/**
 * The piece of a message that {@link Link#poll} has found: what it is, and where it lies. The engine hands one and the
 * same to each poll, and the link fills it in with {@link #found}; it is valid until the next poll. Used by one thread
 * at a time.
 */
public final class Inbound {
  /** Position of the source in {@link #words}. */
  public static final int SOURCE = 0;

  /** Position of the kind in {@link #words}. */
  public static final int KIND = 1;

  /** Position of the match word in {@link #words}. */
  public static final int MATCH = 2;

  /** Position of the length of the piece in {@link #words}. */
  public static final int LENGTH = 3;

  /** Position of the length of the whole message in {@link #words}. */
  public static final int TOTAL_LENGTH = 4;

  /** Position of the offset of the payload in {@link #words}. */
  public static final int PAYLOAD = 5;

  /** Position of the sequence number in {@link #words}, which shared memory alone has. */
  public static final int SEQUENCE = 6;

  /** Position of the place in {@link #words}. */
  public static final int PLACE = 7;

  /** How many {@link #words} there are. */
  public static final int WORDS = 8;

  private final long[] words = new long[WORDS];
  private MemorySegment memory;

  /** Makes one that tells of no piece. */
  public Inbound() {}

  /**
   * Tells all of the piece that was found.
   *
   * @param source rank of the job that sent it
   * @param kind as it was given to {@link Link#trySend} or {@link Link#claim}
   * @param match likewise
   * @param totalLength likewise
   * @param memory what the payload lies in
   * @param payload offset of the payload in that memory
   * @param length bytes of payload in this piece
   * @param place what {@link Link#releaseRetained} is to be told of this piece, as the link likes
   */
  public void found(
      int source, int kind, long match, long totalLength, MemorySegment memory, long payload, long length,
      long place) {
    words[KIND] = kind;
    words[MATCH] = match;
    words[LENGTH] = length;
    words[TOTAL_LENGTH] = totalLength;
    words[PAYLOAD] = payload;
    words[PLACE] = place;
    cameBy(source, memory);
  }

  /**
   * All that there is to tell but the memory, in eight words: for cores, which fill them in at once. Twin of
   * {@code struct adr_inbound}, in its order.
   *
   * @return the words themselves, at the positions above
   */
  public long[] words() {
    return words;
  }

  /**
   * Changes the source, for code that hands the piece on under another number.
   *
   * @param rank of the job
   */
  public void source(int rank) {
    words[SOURCE] = rank;
  }

  /**
   * Adds to what the words tell where the piece came from and what it lies in.
   *
   * @param rank of the job that sent it
   * @param memory what the payload lies in
   */
  public void cameBy(int rank, MemorySegment memory) {
    words[SOURCE] = rank;
    this.memory = memory;
  }

  /**
   * Rank that sent the piece.
   *
   * @return its number in the job
   */
  public int source() {
    return (int) words[SOURCE];
  }

  /**
   * What the piece is in its message.
   *
   * @return 1 to {@link Link#MOST_KIND}
   */
  public int kind() {
    return (int) words[KIND];
  }

  /**
   * The match word of its message.
   *
   * @return context in the upper, tag in the lower 32 bits
   */
  public long match() {
    return words[MATCH];
  }

  /**
   * Bytes of payload in this piece.
   *
   * @return 0 or more
   */
  public int length() {
    return (int) words[LENGTH];
  }

  /**
   * Bytes of the whole message.
   *
   * @return 0 or more
   */
  public long totalLength() {
    return words[TOTAL_LENGTH];
  }

  /**
   * What the payload lies in.
   *
   * @return the memory; null: a core has found it, whose memory is the segment
   */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * Where the payload begins.
   *
   * @return offset in its memory
   */
  public long payload() {
    return words[PAYLOAD];
  }

  /**
   * Where the piece lies, for {@link Link#releaseRetained}.
   *
   * @return as the link has told; in shared memory the offset of its cell or, negative, its place in a fastbox
   */
  public long place() {
    return words[PLACE];
  }
}
