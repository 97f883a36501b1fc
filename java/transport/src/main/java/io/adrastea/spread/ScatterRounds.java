package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;

/** A scatter by messages: the root's input has a block for each member, which is its output. */
public final class ScatterRounds {
  private ScatterRounds() {}

  /** Fills the schedule of one member, of blocks of equal length that lie one behind the other in rank order. */
  public static void fill(Schedule schedule, int root, int rank, int size, long bytes) {
    if (rank != root) {
      fill(schedule, root, bytes);
      return;
    }
    schedule.begin();
    for (int member = 0; member < size; member++) {
      give(schedule, member, rank, member * bytes, bytes);
    }
    schedule.copy(INPUT, rank * bytes, OUTPUT, 0, bytes);
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
}
