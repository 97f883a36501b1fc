package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/** A reduce_scatter by messages: each member's output is its block of the combined inputs. */
public final class ReduceScatterRounds {
  private ReduceScatterRounds() {}

  /** Fills the schedule of one member, of blocks of equal length. */
  public static void fill(Schedule schedule, Algorithm algorithm, int rank, int size, long bytes) {
    schedule.begin();
    schedule.parts.equal(size, bytes);
    combine(schedule, algorithm, rank, size);
  }

  /** Fills the schedule of one member, of blocks of lengths of their own, which all members know. */
  public static void fill(Schedule schedule, Algorithm algorithm, int rank, long[] lengths) {
    schedule.begin();
    schedule.parts.around(0, lengths);
    combine(schedule, algorithm, rank, lengths.length);
  }

  private static void combine(Schedule schedule, Algorithm algorithm, int rank, int size) {
    Parts parts = schedule.parts;
    long first = parts.first(rank);
    long length = parts.length(rank);
    if (size == 1) {
      schedule.copy(INPUT, 0, OUTPUT, 0, length);
      return;
    }
    switch (algorithm) {
      case CIRCULANT -> {
        long at = schedule.scratch(parts.all());
        Places.combine(schedule, rank, Places.ALL, SCRATCH, at);
        schedule.copy(SCRATCH, at + first, OUTPUT, 0, length);
      }
      case RING -> {
        long at = schedule.scratch(parts.all());
        Places.combineAround(schedule, rank, SCRATCH, at);
        schedule.copy(SCRATCH, at + first, OUTPUT, 0, length);
      }
      case DIRECT -> schedule.copy(SCRATCH, Operands.combinePart(schedule, rank, size), OUTPUT, 0, length);
      case RECURSIVE_DOUBLING -> { // combines all in rank order, and keeps a part
        long all = parts.all();
        long at = schedule.scratch(all);
        AllreduceRounds.doubling(schedule, rank, size, SCRATCH, at, all);
        schedule.copy(SCRATCH, at + first, OUTPUT, 0, length);
      }
      default -> throw algorithm.isNone("reduce_scatter");
    }
  }
}
