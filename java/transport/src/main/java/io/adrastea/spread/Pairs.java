package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/** How members whose number is no power of two become places whose number is one: the first ones fold by pairs. */
final class Pairs {
  private Pairs() {}

  /** Places that go on. */
  static int places(int size) {
    return Integer.highestOneBit(size);
  }

  /** Members in pairs. */
  private static int paired(int size) {
    return 2 * (size - places(size));
  }

  /** The place of a member that goes on. */
  static int place(int rank, int size) {
    return rank < paired(size) ? rank / 2 : rank - paired(size) / 2;
  }

  /** The member at a place: of a pair the higher one. */
  static int member(int place, int size) {
    return place < paired(size) / 2 ? 2 * place + 1 : place + paired(size) / 2;
  }

  /**
   * Puts the operand where it is combined, and folds the pairs there.
   *
   * @return whether the member goes on; else it has its result when its schedule ends
   */
  static boolean fold(Schedule schedule, int rank, int size, int to, long at, long bytes) {
    if (rank >= paired(size)) {
      schedule.copy(INPUT, 0, to, at, bytes);
      return true;
    }
    if (rank % 2 == 0) {
      schedule.send(rank + 1, INPUT, 0, bytes);
      schedule.nextRound();
      schedule.receive(rank + 1, to, at, bytes);
      return false;
    }
    long other = schedule.scratch(bytes);
    schedule.receive(rank - 1, SCRATCH, other, bytes);
    schedule.copy(INPUT, 0, to, at, bytes);
    schedule.combine(true, SCRATCH, other, to, at, bytes);
    return true;
  }

  /** Gives the other one of a pair the result. */
  static void unfold(Schedule schedule, int rank, int size, int to, long at, long bytes) {
    if (rank < paired(size)) {
      schedule.nextRound();
      schedule.send(rank - 1, to, at, bytes);
    }
  }
}
