package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/** An allgather by messages: each member's input is a block, and the output of all has those of all. */
public final class AllgatherRounds {
  private AllgatherRounds() {}

  /** Fills the schedule of one member, of blocks of equal length that lie one behind the other in rank order. */
  public static void fill(Schedule schedule, Algorithm algorithm, int rank, int size, long bytes) {
    schedule.begin();
    schedule.parts.equal(size, bytes);
    if (algorithm != Algorithm.BRUCK) {
      schedule.copy(INPUT, 0, OUTPUT, rank * bytes, bytes);
    }
    switch (algorithm) {
      case BRUCK -> {
        long at = schedule.scratch(size * bytes);
        schedule.copy(INPUT, 0, SCRATCH, at, bytes);
        around(schedule, rank, size, at);
        schedule.copy(SCRATCH, at, OUTPUT, rank * bytes, (size - rank) * bytes);
        schedule.copy(SCRATCH, at + (size - rank) * bytes, OUTPUT, 0, rank * bytes);
      }
      case RECURSIVE_DOUBLING -> doubling(schedule, rank, size, bytes);
      case CIRCULANT -> Places.tell(schedule, rank, Places.ALL);
      case RING -> Places.tellAround(schedule, rank);
      default -> throw algorithm.isNone("allgather");
    }
  }

  /** Fills the schedule of one member, of blocks that have lengths and places of their own, which all members know. */
  public static void fill(
      Schedule schedule, Algorithm algorithm, int rank, long[] lengths, long[] offsets) {
    schedule.begin();
    int size = lengths.length;
    switch (algorithm) {
      case BRUCK -> {
        Parts parts = schedule.parts;
        parts.around(rank, lengths);
        long at = schedule.scratch(parts.all());
        schedule.copy(INPUT, 0, SCRATCH, at, lengths[rank]);
        around(schedule, rank, size, at);
        for (int part = 0; part < size; part++) {
          schedule.copy(
              SCRATCH, at + parts.first(part), OUTPUT, offsets[(rank + part) % size], parts.length(part));
        }
      }
      case RING -> {
        schedule.copy(INPUT, 0, OUTPUT, offsets[rank], lengths[rank]);
        for (int step = 0; step < size - 1; step++) {
          int sent = Math.floorMod(rank - step, size);
          int taken = Math.floorMod(rank - step - 1, size);
          schedule.nextRound();
          schedule.send((rank + 1) % size, OUTPUT, offsets[sent], lengths[sent]);
          schedule.receive(Math.floorMod(rank - 1, size), OUTPUT, offsets[taken], lengths[taken]);
        }
      }
      default -> throw algorithm.isNone("allgather of unequal blocks");
    }
  }

  /**
   * Gives all members the blocks of all in scratch memory, the own one first, as it lies there before: over twice the
   * distance in each round, one message each. The parts are the blocks in the order in which they then lie.
   */
  static void around(Schedule schedule, int rank, int size, long at) {
    Parts parts = schedule.parts;
    for (int distance = 1; distance < size; distance *= 2) {
      int moved = Math.min(distance, size - distance);
      schedule.nextRound();
      schedule.send(Math.floorMod(rank - distance, size), SCRATCH, at, parts.between(0, moved));
      schedule.receive(
          (rank + distance) % size, SCRATCH, at + parts.first(distance), parts.between(distance, distance + moved));
    }
  }

  /** By recursive doubling of a power of two members: in each round two exchange the blocks that they have. */
  private static void doubling(Schedule schedule, int rank, int size, long bytes) {
    if (Integer.bitCount(size) != 1) {
      throw new IllegalArgumentException("%d members are no power of two".formatted(size));
    }
    for (int level = 0; 1 << level < size; level++) {
      int peer = rank ^ 1 << level;
      schedule.nextRound();
      schedule.send(peer, OUTPUT, Halves.first(rank, level) * bytes, bytes << level);
      schedule.receive(peer, OUTPUT, Halves.first(peer, level) * bytes, bytes << level);
    }
  }
}
