package io.adrastea.core.pure;

import java.util.function.LongSupplier;

/**
 * What messages of one size class cost by fastbox and by cells, and so which way they go: for one destination; private
 * to the sender. Twin of {@code channel/adr_box_costs.h}, which gives the reasons.
 */
final class BoxCosts {
  /** Messages before the first trial, and behind one that changed the way. */
  static final int FIRST = 256;

  /** At most so many messages between two trials. */
  static final int MOST = 16_384;

  /** Messages of a block. */
  static final int BLOCK = 16;

  /** The first ones of it, which do not count. */
  static final int SKIPPED = 8;

  /** Blocks of a trial. */
  static final int BLOCKS = 8;

  /** Blocks that a trial may begin anew, since something else was sent. */
  static final int REPEATED = 16;

  /** Messages above {@code BoxSettings.STREAM_BYTES}, and twice, four and eight times as many. */
  static final int CLASSES = 4;

  private final LongSupplier clock; // nanoseconds
  private final int order; // 1: the rank goes through the ways in the second order
  private int left = FIRST; // messages until the next trial; 0: one is under way
  private int wait = FIRST; // messages between the last trial and the next one
  private int step; // messages of the trial so far
  private int repeated; // blocks that it began anew
  private boolean byCells; // the way in use
  private long next; // sequence number of the next message, when nothing else is sent before it
  private long begin; // nanoseconds, when the block began to count
  private long bytes; // of the messages of the block that count
  private long leastByBox; // nanoseconds per KiB of the best block; 0: none yet
  private long leastByCells;

  /**
   * @param clock tells nanoseconds
   * @param doubled whether the rank goes through the ways in the second order
   */
  BoxCosts(LongSupplier clock, boolean doubled) {
    this.clock = clock;
    this.order = doubled ? 1 : 0;
  }

  /** The class of messages of {@code length} bytes, which are more than {@code stream}. */
  static int classOf(int length, int stream) {
    int found = Integer.SIZE - 1 - Integer.numberOfLeadingZeros((length - 1) / stream);
    return Math.min(found, CLASSES - 1);
  }

  /** The next trial is far off when this one has told nothing new. */
  private void waitFor(int messages) {
    wait = Math.min(messages, MOST);
    left = wait;
    step = 0;
    repeated = 0;
    leastByBox = 0;
    leastByCells = 0;
  }

  /** Ends a trial: another way has to be better by a sixteenth to be taken. */
  private void decide() {
    long used = byCells ? leastByCells : leastByBox;
    long other = byCells ? leastByBox : leastByCells;
    boolean better = other * 16 < used * 15;
    byCells ^= better;
    waitFor(better ? FIRST : 2 * wait);
  }

  /** Whether the block, a number of it, goes by cells. */
  private boolean ofBlock(int block) {
    return (block >> order & 1) != 0;
  }

  /** Enters what a block has cost. */
  private void note(boolean cells, long cost) {
    if (cells) {
      leastByCells = leastByCells == 0 ? cost : Math.min(leastByCells, cost);
    } else {
      leastByBox = leastByBox == 0 ? cost : Math.min(leastByBox, cost);
    }
  }

  /** Whether the next message of a trial goes by cells. */
  private boolean tryNext(long sequence, int length, int cellPayload) {
    if (step != 0 && sequence != next) { // something else was sent: the block begins anew
      step = (step - 1) / BLOCK * BLOCK;
      if (++repeated > REPEATED) {
        waitFor(2 * wait);
        return byCells;
      }
    } else if (step != 0 && step % BLOCK == 0) { // a block is over, with its last answer
      note(ofBlock(step / BLOCK - 1), (clock.getAsLong() - begin << 10) / bytes);
      if (step == BLOCK * BLOCKS) {
        decide();
        return byCells;
      }
    }
    int at = step % BLOCK;
    if (at == SKIPPED) {
      begin = clock.getAsLong();
      bytes = 0;
    }
    if (at >= SKIPPED) {
      bytes += length;
    }
    boolean cells = ofBlock(step++ / BLOCK);
    next = sequence + (cells ? (length + cellPayload - 1) / cellPayload : 1);
    return cells;
  }

  /** Whether the way in use is that by cells. */
  boolean byCells() {
    return byCells;
  }

  /** Whether the next message of this class goes by cells, not by fastbox. */
  boolean byCells(long sequence, int length, int cellPayload) {
    if (left != 0) {
      left--;
      return byCells;
    }
    return tryNext(sequence, length, cellPayload);
  }
}
