package io.adrastea.core.pure;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.layout.MpscQueueDescriptor.TAIL_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.STATE_FAILED;
import static io.adrastea.layout.RankEntryDescriptor.STATE_LEFT;

import io.adrastea.atomic.Words;
import io.adrastea.link.Inbound;
import io.adrastea.core.pure.PureState.Inflow;
import io.adrastea.core.pure.PureState.Outflow;
import io.adrastea.queue.QueueRepair;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import java.util.Arrays;

/**
 * What a rank does about others that have left or died: makes its own queues whole, and takes back the cells that lie
 * with them. Twin of {@code channel/adr_channel_reclaim.c}, which tells the steps a to e and why they are enough. Off
 * the fast path, each rank for itself, a step at a time.
 */
final class PureReclaim {
  // how far it is with a rank, Outflow.burial
  private static final int NONE = 0;
  private static final int POISONED = 1;
  private static final int QUIET = 2;
  private static final int DONE = 3;

  private final PureState state;
  private final PurePoller poller;
  private final RankTable table;
  private final QueueRepair repair;
  private final long[] gone = new long[QueueRepair.GONE_WORDS];

  PureReclaim(PureState state, Segment segment, PurePoller poller) {
    this.state = state;
    this.poller = poller;
    this.table = new RankTable(segment);
    this.repair = new QueueRepair(segment, state.view, state.rank);
  }

  /**
   * Notes which ranks are gone; whether any is. Once for all that follows: a rank that dies meanwhile counts as living.
   */
  private boolean findGone() {
    boolean any = false;
    Arrays.fill(gone, 0);
    for (int other = 0; other < state.rankCount; other++) {
      int found = table.state(other);
      if (other != state.rank && (found == STATE_LEFT || found == STATE_FAILED)) {
        gone[other / Long.SIZE] |= PureState.bitOf(other);
        any = true;
      }
    }
    return any;
  }

  private boolean isGone(int other) {
    return (gone[other / Long.SIZE] & PureState.bitOf(other)) != 0;
  }

  /**
   * a, b: nothing goes there any more, and a rank that enqueues there, not knowing yet, finds no cell of ours in the
   * tail.
   */
  private void poison(Outflow out) {
    out.barred |= Outflow.BARRED_GONE;
    out.allowLines(state.boxLimit);
    // SYNC poison: acq_rel, pairs with the enqueuers' swaps before; the intents of ranks that found a cell of ours in
    // the tail are seen in c.
    Words.swapAcqRelLong(state.memory, out.receiveQueue + TAIL_OFFSET, 0);
    out.burial = POISONED;
  }

  /** c */
  private void awaitQuiet(Outflow out) {
    // After `poison`: a rank that is seen without an intent here, which is acquired, has linked all that it swapped in
    // before our swap.
    if (repair.isQuiet(out.receiveQueue, gone)) {
      out.burial = QUIET;
    }
  }

  /**
   * d, e: what the dead gave back is taken over, and what is still missing comes back as if it had been. The free queue
   * was repaired before.
   */
  private int bringHome(Outflow out, int other) {
    int status = state.pool.reclaim();
    if (status < 0 || !state.pool.isDrained()) {
      return status;
    }
    status = state.pool.sweep(other, out.isClaimed() ? out.claimedCell : 0);
    out.burial = DONE;
    return status;
  }

  private int bury(int other, boolean repaired) {
    Outflow out = state.out[other];
    if (out.burial == NONE) {
      poison(out);
    }
    if (out.burial == POISONED) {
      awaitQuiet(out);
    }
    int status = out.burial == QUIET && repaired ? bringHome(out, other) : 0;
    return status == 0 && out.burial != DONE ? AGAIN : status;
  }

  /** 0: nothing is left to be done; AGAIN: call again; CORRUPT. */
  private int buryStep() {
    if (!findGone()) {
      return 0;
    }
    int status = repair.repair(state.receiveQueue, gone);
    int own = status == CORRUPT ? status : repair.repair(state.freeQueues[state.rank], gone);
    status = own != 0 ? own : status;
    for (int other = 0; other < state.rankCount && status != CORRUPT; other++) {
      if (isGone(other)) {
        int buried = bury(other, own == 0);
        status = buried != 0 ? buried : status;
      }
    }
    return status;
  }

  /**
   * Closes the boxes whose writers are gone. Java cannot give the memory of a ring back to the system: it goes with the
   * segment.
   */
  int reclaim() {
    if (buryStep() == CORRUPT) {
      return CORRUPT;
    }
    int removed = 0;
    state.scanAt = state.polls; // all fastboxes are scanned soon: a rank that calls this polls seldom
    for (int source = 0; source < state.rankCount; source++) {
      Inflow in = state.in[source];
      if (!in.box.isOpen() || in.box.isRetaining() || source == state.rank) {
        continue;
      }
      int found = table.state(source);
      boolean gone = found == STATE_LEFT || found == STATE_FAILED;
      boolean atHand =
          state.place == PureState.PLACE_BOX && state.inbound.words()[Inbound.SOURCE] == source;
      // Checked after the state: what a rank sent before it left is seen here.
      if (gone && !atHand && in.box.isEmpty(in.expected)) {
        in.box.close();
        // Without a box it would be a wish for one. Relaxed: its writer is gone, and no poll depends on it.
        Words.andRelaxedLong(state.memory, state.active + PureState.wordOf(source), ~PureState.bitOf(source));
        removed++;
      }
    }
    return poller.isBlocked() ? AGAIN : removed;
  }
}
