package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;

/** An alltoall by messages: each member's input has a block for each, and its output one of each. */
public final class AlltoallRounds {
  private AlltoallRounds() {}

  /** Fills the schedule of one member, of blocks of equal length that lie one behind the other in rank order. */
  public static void fill(Schedule schedule, int rank, int size, long bytes) {
    schedule.begin();
    for (int distance = 1; distance < size; distance++) {
      int to = (rank + distance) % size;
      int from = Math.floorMod(rank - distance, size);
      beginPartners(schedule, distance);
      schedule.send(to, INPUT, to * bytes, bytes);
      schedule.receive(from, OUTPUT, from * bytes, bytes);
    }
    schedule.copy(INPUT, rank * bytes, OUTPUT, rank * bytes, bytes);
  }

  /**
   * Fills the schedule of one member, of blocks that have lengths and places of their own: it sends to the one behind
   * it and receives of the one before it, then over greater distances around, some at once. Blocks of no bytes are left
   * out.
   */
  public static void fill(
      Schedule schedule, int rank, long[] giveLengths, long[] giveOffsets, long[] takeLengths, long[] takeOffsets) {
    schedule.begin();
    int size = giveLengths.length;
    for (int distance = 1; distance < size; distance++) {
      int to = (rank + distance) % size;
      int from = Math.floorMod(rank - distance, size);
      beginPartners(schedule, distance);
      schedule.send(to, INPUT, giveOffsets[to], giveLengths[to]);
      schedule.receive(from, OUTPUT, takeOffsets[from], takeLengths[from]);
    }
    schedule.copy(INPUT, giveOffsets[rank], OUTPUT, takeOffsets[rank], giveLengths[rank]);
  }

  private static void beginPartners(Schedule schedule, int distance) {
    if (distance % Operands.PARTNERS == 1) {
      schedule.nextRound();
    }
  }
}
