package io.adrastea.engine.resources;

import io.adrastea.core.Core;
import io.adrastea.core.Spaces;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.wait.Gate;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;

/**
 * What all parts of the engine of a rank share: {@code heap} holds the shared allocations of the rank itself, {@code
 * reach} finds those of all ranks.
 */
public record Resources(Core core, Spaces spaces, RankTable table, int rank, Segment segment, SharedHeap heap,
    SharedReach reach, EngineSettings settings, Gate gate, Liveness liveness) {
  /** The resources of a rank whose engine is about to be made. */
  public static Resources of(Core core, Spaces spaces, RankTable table, int rank, Segment segment, SharedHeap heap,
      SharedReach reach, EngineSettings settings) {
    boolean oversubscribed = settings.waiting().isOversubscribed(table.isOversubscribed());
    Gate gate = new Gate(rank, settings.threads(), () -> settings.waiting().waiter(oversubscribed));
    return new Resources(core, spaces, table, rank, segment, heap, reach, settings, gate,
        new Liveness(table, rank, settings.many()));
  }

  public int ranks() {
    return table.size();
  }

  /** Most bytes of a message of one piece. */
  public int cellPayload() {
    return segment.geometry().cellPayload();
  }

  /** Whether the ranks of the node outnumber its CPUs, as they are counted or as a setting says. */
  public boolean isOversubscribed() {
    return settings.waiting().isOversubscribed(table.isOversubscribed());
  }
}
