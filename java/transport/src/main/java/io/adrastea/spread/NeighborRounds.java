package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;

/** Exchanges of neighbours by messages: a member sends a block to each of some, and receives one of each of others. */
public final class NeighborRounds {
  private NeighborRounds() {}

  /**
   * Fills the schedule of one member: one round of all messages. A member may be several times among the neighbours,
   * and the member itself too: what one sends to another one then matches in the order of both lists.
   *
   * @param to members to which blocks go, in the order in which these lie in the arrays of what is given
   * @param from members of which blocks come, in the order in which these lie in the arrays of what is taken
   */
  public static void fill(
      Schedule schedule, int rank, int[] to, long[] giveLengths, long[] giveOffsets, int[] from, long[] takeLengths,
      long[] takeOffsets) {
    schedule.begin();
    for (int edge = 0; edge < to.length; edge++) {
      if (to[edge] != rank) {
        schedule.send(to[edge], INPUT, giveOffsets[edge], giveLengths[edge]);
      }
    }
    for (int edge = 0; edge < from.length; edge++) {
      if (from[edge] != rank) {
        schedule.receive(from[edge], OUTPUT, takeOffsets[edge], takeLengths[edge]);
      }
    }
    int taken = next(from, rank, 0);
    for (int edge = next(to, rank, 0); edge < to.length; edge = next(to, rank, edge + 1)) {
      schedule.copy(INPUT, giveOffsets[edge], OUTPUT, takeOffsets[taken], giveLengths[edge]);
      taken = next(from, rank, taken + 1);
    }
  }

  private static int next(int[] members, int member, int first) {
    int edge = first;
    while (edge < members.length && members[edge] != member) {
      edge++;
    }
    return edge;
  }
}
