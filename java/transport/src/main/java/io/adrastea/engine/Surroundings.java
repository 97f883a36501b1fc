package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Spaces;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;

/**
 * What the engine of a rank works on.
 *
 * @param core moves its messages
 * @param spaces reach memory of other processes
 * @param table the ranks of its node
 * @param rank its number
 * @param segment shared memory of the node
 * @param heap shared allocations of the rank
 * @param reach shared allocations of all ranks
 */
public record Surroundings(
    Core core, Spaces spaces, RankTable table, int rank, Segment segment, SharedHeap heap, SharedReach reach) {
  /** Most bytes of a message of one piece. */
  int cellPayload() {
    return segment.geometry().cellPayload();
  }
}
