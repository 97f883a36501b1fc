package io.adrastea.bootstrap;

import io.adrastea.core.Core;
import io.adrastea.core.CoreProvider;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;

/**
 * A rank that has joined: its segment, its core, and who else is there.
 *
 * @param segment shared memory of the node
 * @param table ranks of the job
 * @param rank number of this rank
 * @param provider what made its core
 * @param core primitives on the segment for this rank
 */
public record Member(Segment segment, RankTable table, int rank, CoreProvider provider, Core core) {
  /** Leaves the job in order. */
  public void leave() {
    table.state(rank, RankEntryDescriptor.STATE_LEFT);
    core.close();
  }

  /**
   * Leaves the job so that operations waiting for this rank fail.
   *
   * @param alone no other thread can be in a call of the core; if one can, the core's own memory is left to it
   */
  public void fail(boolean alone) {
    table.state(rank, RankEntryDescriptor.STATE_FAILED);
    if (alone) {
      core.close();
    }
  }
}
