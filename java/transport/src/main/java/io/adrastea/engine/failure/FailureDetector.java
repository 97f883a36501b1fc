package io.adrastea.engine.failure;

import io.adrastea.wait.Gate;
import io.adrastea.segment.Geometry;
import io.adrastea.wait.Waiter;
import java.util.List;

/**
 * Detects ranks that are gone, about every 100 ms, and sees to what follows: what the rank left behind is taken in and
 * put right, and the program is told. Called inside the gate.
 */
public final class FailureDetector {
  /** What the engine does when ranks may be gone. */
  public interface Remains {
    /** Ends what only waits for ranks that are gone. */
    void reap();

    /** Has the core put right what ranks left that are gone; whether everything that has come can be received. */
    boolean reclaim();

    /**
     * Takes in all that is there now, from rank {@code first} rather than from others.
     *
     * @param mostPieces bound, since others may keep sending
     * @param mostSteps bound of a large message from that rank
     */
    void drain(int first, int mostPieces, int mostSteps);

    /** A rank that is gone, of which a message is not all there; {@link Liveness#NONE}: there is no such rank. */
    int cutShort();

    /** All that this rank had sent is in: ends each message of it that lacks something. */
    void endCutShort(int gone);
  }

  /**
   * A core polls its queue at least every 8th time, however busy its fastboxes are; once more for a cell that it has
   * set aside.
   */
  private static final int POLLS_PER_CELL = 9;

  private static final int PIECES_PER_SLOT = 5; // four empty messages, and the turns of the queue

  private final Gate gate;
  private final Liveness liveness;
  private final Remains remains;
  private final int allCells;
  private final int mostPieces;
  private int polls; // outside of waits

  /**
   * That of one rank.
   *
   * @param geometry tells how much a rank can leave behind
   */
  public FailureDetector(Gate gate, Liveness liveness, Remains remains, Geometry geometry) {
    this.gate = gate;
    this.liveness = liveness;
    this.remains = remains;
    this.allCells = geometry.ranks() * geometry.cells(); // the most that can be in its queue at a time
    this.mostPieces = POLLS_PER_CELL * allCells + PIECES_PER_SLOT * geometry.boxes().slots();
    gate.serve(this::poll);
  }

  private void poll() {
    polls++;
    remains.reap();
    restore();
    endCutShort();
    tellDue();
  }

  /** Checks liveness when it is time, for a program that asks again and again, and has found nothing. */
  public void pollInVain() {
    if (gate.isTimeInVain()) {
      poll();
    }
  }

  /** Number of times that liveness was checked. */
  public int polls() {
    return polls;
  }

  /** Messages that nobody has asked for yet, and whose senders are gone: no more of them comes. */
  private void endCutShort() {
    for (int gone = remains.cutShort(); gone != Liveness.NONE && drain(gone); gone = remains.cutShort()) {
      remains.endCutShort(gone);
    }
  }

  /** Has the program told of the failures that it has not heard of; whether there were any. */
  private boolean tellDue() {
    List<Integer> untold = liveness.untold();
    if (untold.isEmpty()) {
      return false;
    }
    tell(untold);
    gate.requireOpen();
    return true;
  }

  /** The program hears of failures between two steps, and may take its time. */
  private void tell(List<Integer> failed) {
    Waiter waiter = gate.waiter();
    long limit = waiter.limit(); // that of this wait is none of those that the program begins now
    waiter.limitAt(0);
    gate.stepOut();
    try {
      liveness.tell(failed);
    } finally {
      gate.stepIn();
      waiter.limitAt(limit);
    }
  }

  /**
   * Which rank is gone that {@code peer} stands for, once the program was told of all failures: one that it
   * acknowledges then is none for a wildcard. What that rank had sent has come by now, so a {@link #drain} that follows
   * finds it.
   */
  public int gone(int peer) {
    int gone = liveness.missing(peer);
    while (gone != Liveness.NONE && tellDue()) {
      gone = liveness.missing(peer);
    }
    return gone;
  }

  /**
   * Takes in all that is there now, and what rank {@code gone} left behind; bounded, since others may keep sending.
   *
   * @return whether that is all: no living rank is in the middle of putting a message in that others are behind
   */
  public boolean drain(int gone) {
    restore();
    remains.drain(gone, mostPieces, allCells);
    return restore();
  }

  /** Finds out who is gone, who may have broken a queue that others wait at, and has the core put that right. */
  private boolean restore() {
    liveness.sample();
    return remains.reclaim();
  }
}
