package io.adrastea.core.pure;

import static io.adrastea.core.Core.INVAL;

import io.adrastea.atomic.Words;
import io.adrastea.core.pure.PureState.Inflow;
import io.adrastea.core.pure.PureState.Outflow;
import java.lang.foreign.MemorySegment;

/** Making and finding fastboxes: never on the way of a message. Twin of {@code channel/adr_channel_box.c}. */
final class PureBoxes {
  private final PureState state;
  private final MemorySegment memory;

  PureBoxes(PureState state) {
    this.state = state;
    this.memory = state.memory;
  }

  int openBox(int source) {
    if (!state.isRank(source) || state.ringBytes == 0 || state.in[source].box.isOpen()) {
      return INVAL;
    }
    Inflow in = state.in[source];
    // SYNC box-active: acq_rel, and before `open`: its mark was a wish. The sender that finds the box sets the mark
    // anew.
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
}
