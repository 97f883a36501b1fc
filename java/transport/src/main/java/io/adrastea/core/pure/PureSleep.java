package io.adrastea.core.pure;

import static io.adrastea.layout.RankEntryDescriptor.CPU_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.GAVE_WAY_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.RUNNING_CPU_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.core.Core;
import io.adrastea.segment.Geometry;
import java.util.stream.IntStream;

/**
 * Giving a CPU to others. Twin of {@code channel/adr_channel_sleep.c}, as far as Java can be: it can neither sleep on a
 * doorbell nor move to another CPU, and what it knows of its own CPU may be a millisecond old.
 */
final class PureSleep {
  private final PureState state;
  private final long[] entries; // of all ranks
  private final RunningCpu running;

  PureSleep(PureState state, Geometry geometry, RunningCpu running) {
    this.state = state;
    this.running = running;
    this.entries = IntStream.range(0, geometry.ranks()).mapToLong(geometry::rankEntryOffset).toArray();
  }

  /** The CPU that the calling thread runs on, plus 1; 0: not known. */
  private int cpu() {
    int pinned = Words.load(state.memory, state.self + CPU_OFFSET);
    return 1 + (pinned >= 0 ? pinned : running.get());
  }

  private void noteGivingWay(long time) {
    // Relaxed, as all of these: what is wrong in them costs a wait that yields where it would better sleep, or the
    // other way round.
    Words.storeRelaxed(state.memory, state.self + RUNNING_CPU_OFFSET, cpu());
    Words.storeRelaxedLong(state.memory, state.self + GAVE_WAY_OFFSET, time);
  }

  int giveWay(long now) {
    noteGivingWay(now);
    return Core.NOSYS; // the caller yields
  }

  int worksUntil(long time) {
    noteGivingWay(time);
    return 0;
  }

  int wasGivenWay(long since) {
    int cpu = cpu();
    if (cpu <= 0) {
      return Core.NOSYS;
    }
    for (long entry : entries) {
      if (entry != state.self && Words.loadRelaxedLong(state.memory, entry + GAVE_WAY_OFFSET) - since >= 0
          && Words.loadRelaxed(state.memory, entry + RUNNING_CPU_OFFSET) == cpu) {
        return 1;
      }
    }
    return 0;
  }

  void close() {
    running.close();
  }
}
