package io.adrastea.cli.run;

import io.adrastea.launch.RollCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Ranks whose programs have ended well, in a job that all had joined. One that has not left the job before has failed
 * to the others, who hear so; its exit code does not say it.
 */
final class UnclosedRanks {
  private final RollCall roll;
  private final Set<Integer> ended = new TreeSet<>(); // of whom it is not known whether they have left

  UnclosedRanks(RollCall roll) {
    this.roll = roll;
  }

  /** A rank's process has ended with code 0. */
  void add(int rank) {
    ended.add(rank);
  }

  /** Whether there is anything to look at. */
  boolean isOpen() {
    return !ended.isEmpty();
  }

  /**
   * Looks at them, once {@link EarlyEnds#haveJoined}. As long as another process is that rank (one that a shell left
   * behind), nothing is said of it.
   *
   * @return those that have ended without leaving the job, each told once
   */
  List<Integer> look() {
    List<Integer> unclosed = new ArrayList<>();
    for (int rank : Set.copyOf(ended)) {
      RollCall.End end = roll.end(rank);
      if (end != RollCall.End.NONE) {
        ended.remove(rank);
      }
      if (end == RollCall.End.FAILED) {
        unclosed.add(rank);
      }
    }
    return unclosed;
  }
}
