package io.adrastea.core.pure;

import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.layout.RankEntryDescriptor.STATE_FAILED;
import static io.adrastea.layout.RankEntryDescriptor.STATE_LEFT;

import io.adrastea.core.Inbound;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/** Making and finding fastboxes: never on the way of a message. Twin of {@code channel/adr_channel_box.c}. */
final class PureBoxes {
  private final PureState state;
  private final MemorySegment memory;
  private final RankTable table;
  private final PureBurial burial;

  PureBoxes(PureState state, Segment segment) {
    this.state = state;
    this.memory = state.memory;
    this.table = new RankTable(segment);
    this.burial = new PureBurial(state, segment, table);
  }

  int openBox(int source) {
    if (!state.isRank(source) || state.ringBytes == 0 || state.in[source].box.isOpen()) {
      return INVAL;
    }
    Inflow in = state.in[source];
    // SYNC box-active: acq_rel, and before `open`: its mark was a wish. Who finds the box sets the mark anew.
    Words.andAcqRelLong(memory, state.active + PureState.wordOf(source), ~PureState.bitOf(source));
    in.box.open(in.ring);
    return 0;
  }

  int refuseBox(int source) {
    if (!state.isRank(source) || state.in[source].box.isOpen()) {
      return INVAL;
    }
    // Relaxed: a refused wish stands for nothing. A read-modify-write, so that marks of others are not lost.
    Words.andRelaxedLong(memory, state.active + PureState.wordOf(source), ~PureState.bitOf(source));
    return 0;
  }

  /** Tries to attach to the fastbox to a destination, and asks for one when the pair has become busy. */
  void seekBox(Outflow out) {
    if (state.ringBytes == 0) {
      return;
    }
    if (out.box.isMade()) {
      out.box.open(out.ring);
      out.allowLines(state.boxLimit);
    } else if (!out.asked && ++out.byQueue >= state.boxThreshold) {
      out.asked = true;
      // Relaxed: a wish stands for nothing that was stored before it.
      Words.orRelaxedLong(memory, out.doorbell, PureState.bitOf(state.rank));
    }
  }

  /**
   * Closes the boxes whose writers are gone. Java cannot give the memory of a ring back to the system: it goes with the
   * segment.
   */
  int reclaim() {
    if (burial.step() == CORRUPT) {
      return CORRUPT;
    }
    int removed = 0;
    state.scanAt = state.looks; // all fastboxes are scanned soon: whoever calls this looks seldom
    for (int source = 0; source < state.rankCount; source++) {
      Inflow in = state.in[source];
      if (!in.box.isOpen() || in.box.isRetaining() || source == state.rank) {
        continue;
      }
      int found = table.state(source);
      boolean gone = found == STATE_LEFT || found == STATE_FAILED;
      boolean atHand =
          state.place == PureState.PLACE_BOX && state.inbound.words()[Inbound.SOURCE] == source;
      // Looked at after the state: what a rank sent before it left is seen here.
      if (gone && !atHand && in.box.isEmpty(in.expected)) {
        in.box.close();
        // Without a box it would be a wish for one. Relaxed: its writer is gone, and no look depends on it.
        Words.andRelaxedLong(memory, state.active + PureState.wordOf(source), ~PureState.bitOf(source));
        removed++;
      }
    }
    return removed;
  }
}
