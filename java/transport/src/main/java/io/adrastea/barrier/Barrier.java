package io.adrastea.barrier;

import static io.adrastea.atomic.Words.addAcqRel;
import static io.adrastea.atomic.Words.load;
import static io.adrastea.atomic.Words.loadAcquire;
import static io.adrastea.atomic.Words.storeRelaxed;
import static io.adrastea.atomic.Words.storeRelease;

import io.adrastea.atomic.Words;
import io.adrastea.layout.BarrierDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;

/**
 * The barrier of all ranks of a node, in shared variables [MPICH2 2007, 3.4, Fig. 2]: one rank's place at it. Twin of
 * {@code
 * barrier/adr_barrier.h}, which gives the invariants and the reasons of the orders; the SYNC labels are the same.
 */
public final class Barrier {
  /** Not all have arrived yet. */
  public static final int AGAIN = -11;

  /** The words show what no correct rank writes. */
  public static final int CORRUPT = -71;

  private static final long COUNTER = SegmentHeaderDescriptor.BARRIER_OFFSET + BarrierDescriptor.COUNTER_OFFSET;
  private static final long SIGNAL = SegmentHeaderDescriptor.BARRIER_OFFSET + BarrierDescriptor.SIGNAL_OFFSET;

  private final MemorySegment memory;
  private final int ranks;
  private int sense; // what the signal shows before the round that this rank arrives at next is complete
  private boolean arrived; // at a round that is not known to be complete

  /** Takes a place at the barrier of a segment. */
  public Barrier(Segment segment) {
    this(segment.memory(), segment.geometry().ranks());
  }

  /** Takes a place at the barrier in any memory that begins as a segment does. */
  Barrier(MemorySegment memory, int ranks) {
    this.memory = memory;
    this.ranks = ranks;
    this.sense = load(memory, SIGNAL); // cannot change before this rank arrives
  }

  /** Arrives: 0, or {@link #CORRUPT}. A rank that was not yet let go has arrived once, however often it says so. */
  public int arrive() {
    if (arrived) {
      return 0;
    }
    // SYNC barrier-counter: acq_rel, hands on what each rank did before its count; the last one has all of it.
    int before = addAcqRel(memory, COUNTER, 1);
    if (Integer.compareUnsigned(before, ranks) >= 0) {
      return CORRUPT;
    }
    arrived = true;
    if (before + 1 == ranks) {
      storeRelaxed(memory, COUNTER, 0); // before the signal: a rank that sees it may count for the next round
      // SYNC barrier-signal: release, pairs with the acquire of those that wait; orders the 0 and what all did before.
      storeRelease(memory, SIGNAL, 1 - sense);
    }
    return 0;
  }

  /** Whether all have arrived where this rank arrived last: 0, {@link #AGAIN} or {@link #CORRUPT}. */
  public int check() {
    if (!arrived) {
      return 0;
    }
    // SYNC barrier-signal: acquire, pairs with the last one's release.
    int signal = loadAcquire(memory, SIGNAL);
    if (signal == sense) {
      return AGAIN;
    }
    if (signal != 1 - sense) {
      return CORRUPT;
    }
    sense = signal;
    arrived = false;
    return 0;
  }

  /** Checks at most {@code spins} times, once at least, as {@link #check} does. */
  public int await(int spins) {
    int status;
    while ((status = check()) == AGAIN && --spins > 0) {
      Thread.onSpinWait();
    }
    return status;
  }
}
