package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/** A scatter by messages: the root's input has a block for each member, which is its output. */
public final class ScatterRounds {
  private ScatterRounds() {}

  /** Fills the schedule of one member, of blocks of equal length that lie one behind the other in rank order. */
  public static void fill(Schedule schedule, Algorithm algorithm, int root, int rank, int size, long bytes) {
    schedule.begin();
    switch (algorithm) {
      case BINOMIAL -> binomial(schedule, root, rank, size, bytes);
      case DIRECT -> {
        if (rank != root) {
          schedule.receive(root, OUTPUT, 0, bytes);
        } else {
          for (int member = 0; member < size; member++) {
            give(schedule, member, rank, member * bytes, bytes);
          }
          schedule.copy(INPUT, rank * bytes, OUTPUT, 0, bytes);
        }
      }
      default -> throw algorithm.isNone("scatter");
    }
  }

  /** Fills the schedule of a member that is not the root, whose block has a length of its own. */
  public static void fill(Schedule schedule, int root, long bytes) {
    schedule.begin();
    schedule.receive(root, OUTPUT, 0, bytes);
  }

  /** Fills the schedule of the root, where blocks have lengths and places of their own. */
  public static void fill(Schedule schedule, int root, long[] lengths, long[] offsets) {
    schedule.begin();
    for (int member = 0; member < lengths.length; member++) {
      give(schedule, member, root, offsets[member], lengths[member]);
    }
    schedule.copy(INPUT, offsets[root], OUTPUT, 0, lengths[root]);
  }

  private static void give(Schedule schedule, int member, int root, long at, long length) {
    if (member != root) {
      schedule.send(member, INPUT, at, length);
    }
  }

  /** By a binomial tree: a leader gets the blocks of all that it leads, and sends the leaders beside it theirs. */
  private static void binomial(Schedule schedule, int root, int rank, int size, long bytes) {
    int led = Halves.ledBy(rank, root, size);
    int first = rank == root ? 0 : Halves.first(rank, led);
    int members = (rank == root ? size : Halves.end(rank, led, size)) - first;
    boolean relays = rank != root && members > 1;
    int from = rank == root ? INPUT : SCRATCH;
    long at = relays ? schedule.scratch(members * bytes) : 0;
    if (rank != root) {
      schedule.receive(Halves.leader(rank, led + 1, root), relays ? SCRATCH : OUTPUT, at, members * bytes);
      schedule.nextRound();
    }
    for (int level = led - 1; level >= 0; level--) {
      int beside = Halves.beside(rank, level);
      if (beside < size) {
        long stretch = (Halves.end(beside, level, size) - beside) * bytes;
        schedule.send(beside, from, at + (beside - first) * bytes, stretch);
      }
    }
    if (rank == root || relays) {
      schedule.copy(from, at + (rank - first) * bytes, OUTPUT, 0, bytes);
    }
  }
}
