package io.adrastea.core;

import io.adrastea.link.Inbound;
import java.lang.foreign.MemorySegment;

/**
 * The messages that {@link Core#pollBatch} found in one crossing: the piece at hand, and those that lie behind it in
 * its fastbox, each to be read where it lies. Mutable and reused. Twin of an array of {@code struct adr_inbound}.
 *
 * <p>
 * They are gone through in their order. A batch is open until all are over, or until something else is received, which
 * begins where the batch has come to: the core alone knows positions and sequence numbers, and nothing of a batch is
 * lost that nobody goes on with.
 */
public final class Batch {
  /** The most pieces of one: enough that what a crossing costs does not matter, few beside what a fastbox holds. */
  public static final int MOST = 32;

  private final long[] words = new long[MOST * Inbound.WORDS];
  private final MemorySegment memoryOfWords = MemorySegment.ofArray(words);
  private MemorySegment memory;
  private int source;
  private int count;
  private int at; // the one that is at its turn; those before it are over
  private boolean lent; // the program reads that one
  private boolean open;
  private long number; // of the batch, to tell it from others

  /** The words of all, which a core fills. */
  public long[] words() {
    return words;
  }

  /** The words of all, as memory. */
  public MemorySegment memoryOfWords() {
    return memoryOfWords;
  }

  /** The core has found so many, which came from that rank and lie in that memory. */
  public void begin(int count, int source, MemorySegment memory) {
    this.count = count;
    this.source = source;
    this.memory = memory;
    at = 0;
    lent = false;
    open = true;
    number++;
  }

  /** Whether there are pieces that are not over, and nothing else was received since they were found. */
  public boolean isOpen() {
    return open;
  }

  /** Whether the batch is open that had this number. */
  public boolean isOpen(long thatNumber) {
    return open && number == thatNumber;
  }

  /** The number of this batch. */
  public long number() {
    return number;
  }

  /** The program reads the one that is at its turn, until {@link #pass}. */
  public void lend() {
    lent = true;
  }

  /** Whether the program reads the one that is at its turn. */
  public boolean isLent() {
    return lent;
  }

  /** The program reads the next one now, and the one before it is over. */
  public void goOn() {
    at++;
  }

  /** The one that is at its turn is over. False: it was the last. */
  public boolean pass() {
    lent = false;
    return ++at < count;
  }

  /** How many are over. */
  public int passed() {
    return at;
  }

  /** Whether some are not over. */
  public boolean hasMore() {
    return at < count;
  }

  /** Nobody goes on with it. */
  public void close() {
    open = false;
  }

  /** Whether another one is behind the one that is at its turn: a whole message in the fastbox. */
  public boolean isNextWhole() {
    return at + 1 < count;
  }

  /** The match word of that one. */
  public long nextMatch() {
    return words[(at + 1) * Inbound.WORDS + Inbound.MATCH];
  }

  private long word(int word) {
    return words[at * Inbound.WORDS + word];
  }

  /** Rank that sent all of them. */
  public int source() {
    return source;
  }

  /** What they lie in. */
  public MemorySegment memory() {
    return memory;
  }

  /** Whether the one that is at its turn is a whole message, in a fastbox. */
  public boolean isWholeInBox() {
    return word(Inbound.PLACE) < 0; // a fastbox has whole messages alone
  }

  /** Context in the upper, tag in the lower 32 bits. */
  public long match() {
    return word(Inbound.MATCH);
  }

  /** Its bytes. */
  public long length() {
    return word(Inbound.LENGTH);
  }

  /** Offset of its first byte in the memory. */
  public long payload() {
    return word(Inbound.PAYLOAD);
  }

  /** Where it lies, for {@link Core#releaseRetained}. */
  public long place() {
    return word(Inbound.PLACE);
  }
}
