package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/** An alltoall by messages: each member's input has a block for each, and its output one of each. */
public final class AlltoallRounds {
  private AlltoallRounds() {}

  /** Fills the schedule of one member, of blocks of equal length that lie one behind the other in rank order. */
  public static void fill(Schedule schedule, Algorithm algorithm, int rank, int size, long bytes) {
    schedule.begin();
    switch (algorithm) {
      case BRUCK -> bruck(schedule, rank, size, bytes);
      case DIRECT -> {
        for (int distance = 1; distance < size; distance++) {
          int to = (rank + distance) % size;
          int from = Math.floorMod(rank - distance, size);
          beginPartners(schedule, distance);
          schedule.send(to, INPUT, to * bytes, bytes);
          schedule.receive(from, OUTPUT, from * bytes, bytes);
        }
        schedule.copy(INPUT, rank * bytes, OUTPUT, rank * bytes, bytes);
      }
      default -> throw algorithm.isNone("alltoall");
    }
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

  /**
   * Through other members: a block that goes to the member at some distance goes over each power of two of which that
   * distance is the sum, together with all others that do so in that round.
   */
  private static void bruck(Schedule schedule, int rank, int size, long bytes) {
    long blocks = schedule.scratch(size * bytes); // those at each distance
    long most = size / 2 * bytes;
    long sent = schedule.scratch(most);
    long taken = schedule.scratch(most);
    schedule.copy(INPUT, rank * bytes, SCRATCH, blocks, (size - rank) * bytes);
    schedule.copy(INPUT, 0, SCRATCH, blocks + (size - rank) * bytes, rank * bytes);
    for (int hop = 1; hop < size; hop *= 2) {
      long moved = 0;
      for (int distance = hop; distance < size; distance = nextWith(hop, distance)) {
        schedule.copy(SCRATCH, blocks + distance * bytes, SCRATCH, sent + moved, bytes);
        moved += bytes;
      }
      schedule.nextRound();
      schedule.send((rank + hop) % size, SCRATCH, sent, moved);
      schedule.receive(Math.floorMod(rank - hop, size), SCRATCH, taken, moved);
      moved = 0;
      for (int distance = hop; distance < size; distance = nextWith(hop, distance)) {
        schedule.copy(SCRATCH, taken + moved, SCRATCH, blocks + distance * bytes, bytes);
        moved += bytes;
      }
    }
    for (int distance = 0; distance < size; distance++) {
      int from = Math.floorMod(rank - distance, size);
      schedule.copy(SCRATCH, blocks + distance * bytes, OUTPUT, from * bytes, bytes);
    }
  }

  /** The next greater distance of which a power of two is a digit. */
  private static int nextWith(int hop, int distance) {
    return distance + 1 | hop;
  }
}
