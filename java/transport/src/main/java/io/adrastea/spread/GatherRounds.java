package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/** A gather by messages: each member's input is a block, and the root's output has those of all. */
public final class GatherRounds {
  private GatherRounds() {}

  /** Fills the schedule of one member, of blocks of equal length that lie one behind the other in rank order. */
  public static void fill(Schedule schedule, int root, int rank, int size, long bytes) {
    if (rank != root) {
      fill(schedule, root, bytes);
      return;
    }
    schedule.begin();
    for (int member = 0; member < size; member++) {
      take(schedule, member, rank, member * bytes, bytes);
    }
    schedule.copy(INPUT, 0, OUTPUT, rank * bytes, bytes);
  }

  /** Fills the schedule of a member that is not the root, whose block has a length of its own. */
  public static void fill(Schedule schedule, int root, long bytes) {
    schedule.begin();
    schedule.send(root, INPUT, 0, bytes);
  }

  /** Fills the schedule of the root, where blocks have lengths and places of their own. */
  public static void fill(Schedule schedule, int root, long[] lengths, long[] offsets) {
    schedule.begin();
    for (int member = 0; member < lengths.length; member++) {
      take(schedule, member, root, offsets[member], lengths[member]);
    }
    schedule.copy(INPUT, 0, OUTPUT, offsets[root], lengths[root]);
  }

  private static void take(Schedule schedule, int member, int root, long at, long length) {
    if (member != root) {
      schedule.receive(member, OUTPUT, at, length);
    }
  }

  /** By a binomial tree: a leader gets the blocks of those beside it, and sends what it has on. */
  static void binomial(Schedule schedule, int root, int rank, int size, long bytes, int to) {
    int led = Halves.ledBy(rank, root, size);
    int first = rank == root ? 0 : Halves.first(rank, led);
    int members = (rank == root ? size : Halves.end(rank, led, size)) - first;
    boolean relays = rank != root && members > 1;
    int put = relays ? SCRATCH : to;
    long at = relays ? schedule.scratch(members * bytes) : 0;
    for (int level = 0; level < led; level++) {
      int beside = Halves.beside(rank, level);
      if (beside < size) {
        long stretch = (Halves.end(beside, level, size) - beside) * bytes;
        schedule.receive(beside, put, at + (beside - first) * bytes, stretch);
      }
    }
    if (rank == root || relays) {
      schedule.copy(INPUT, 0, put, at + (rank - first) * bytes, bytes);
    }
    if (rank != root) {
      schedule.nextRound();
      schedule.send(Halves.leader(rank, led + 1, root), relays ? SCRATCH : INPUT, at, members * bytes);
    }
  }
}
