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
    core.close(); // gives back what it has of others, who take the rest once the state tells that nothing more is done here
    table.depart(rank, RankEntryDescriptor.STATE_LEFT);
  }

  /** Leaves the job so that operations waiting for this rank fail. No thread can be in a call of the core any more. */
  public void fail() {
    core.close();
    table.depart(rank, RankEntryDescriptor.STATE_FAILED);
  }
}
