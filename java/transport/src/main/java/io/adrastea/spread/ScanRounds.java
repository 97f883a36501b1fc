package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/**
 * A scan or an exscan by messages: each member's output combines the inputs of the members up to itself, or before
 * itself, where the first one's output stays as it is. All algorithms combine in rank order.
 */
public final class ScanRounds {
  private ScanRounds() {}

  /**
   * Fills the schedule of one member.
   *
   * @param exclusive without the member's own operand
   * @param segment bytes that go at once down a {@link Algorithm#CHAIN}, whole elements
   */
  public static void fill(
      Schedule schedule, Algorithm algorithm, boolean exclusive, int rank, int size, long bytes, long segment) {
    schedule.begin();
    switch (algorithm) {
      case RECURSIVE_DOUBLING -> {
        if (exclusive) {
          exclusiveDoubling(schedule, rank, size, bytes);
        } else {
          doubling(schedule, rank, size, bytes);
        }
      }
      case CHAIN -> chain(schedule, exclusive, rank, size, bytes, segment);
      case OPERANDS -> {
        long at = Operands.tell(schedule, rank, size, bytes);
        Operands.combine(schedule, at, (size - rank) % size, exclusive ? rank : rank + 1, size, bytes);
      }
      default -> throw algorithm.isNone("scan");
    }
  }

  /** Over twice the distance in each round: a member has combined as many operands up to its own as that distance. */
  private static void doubling(Schedule schedule, int rank, int size, long bytes) {
    schedule.copy(INPUT, 0, OUTPUT, 0, bytes);
    long other = schedule.scratch(rank > 0 ? bytes : 0);
    for (int distance = 1; distance < size; distance *= 2) {
      schedule.nextRound();
      if (rank + distance < size) {
        schedule.send(rank + distance, OUTPUT, 0, bytes);
      }
      if (rank >= distance) {
        schedule.receive(rank - distance, SCRATCH, other, bytes);
        schedule.combine(true, SCRATCH, other, OUTPUT, 0, bytes);
      }
    }
  }

  /** As {@link #doubling}, with what others need in scratch memory beside the result, which lacks the own operand. */
  private static void exclusiveDoubling(Schedule schedule, int rank, int size, long bytes) {
    long upToThis = schedule.scratch(bytes);
    long other = schedule.scratch(rank > 0 ? bytes : 0);
    schedule.copy(INPUT, 0, SCRATCH, upToThis, bytes);
    for (int distance = 1; distance < size; distance *= 2) {
      schedule.nextRound();
      if (rank + distance < size) {
        schedule.send(rank + distance, SCRATCH, upToThis, bytes);
      }
      if (rank >= distance) {
        schedule.receive(rank - distance, SCRATCH, other, bytes);
        if (distance == 1) {
          schedule.copy(SCRATCH, other, OUTPUT, 0, bytes);
        } else {
          schedule.combine(true, SCRATCH, other, OUTPUT, 0, bytes);
        }
        if (rank + 2L * distance < size) {
          schedule.combine(true, SCRATCH, other, SCRATCH, upToThis, bytes);
        }
      }
    }
  }

  /** From member to member in segments: each is combined from the left, and sent on while the next one comes. */
  private static void chain(
      Schedule schedule, boolean exclusive, int rank, int size, long bytes, long segment) {
    boolean sends = rank + 1 < size;
    if (rank == 0) {
      if (!exclusive) {
        schedule.copy(INPUT, 0, OUTPUT, 0, bytes);
      }
      for (long first = 0; sends && first < bytes; first += segment) {
        schedule.nextRound();
        schedule.send(1, exclusive ? INPUT : OUTPUT, first, Math.min(segment, bytes - first));
      }
      return;
    }
    long most = Math.min(segment, bytes);
    long other = schedule.scratch(most);
    long upToThis = schedule.scratch(exclusive && sends ? most : 0);
    for (long first = 0; first < bytes; first += segment) {
      long length = Math.min(segment, bytes - first);
      schedule.nextRound();
      if (sends && first > 0) {
        schedule.send(rank + 1, exclusive ? SCRATCH : OUTPUT, exclusive ? upToThis : first - segment, segment);
      }
      schedule.receive(rank - 1, SCRATCH, other, length);
      if (!exclusive) {
        schedule.copy(INPUT, first, OUTPUT, first, length);
        schedule.combine(true, SCRATCH, other, OUTPUT, first, length);
        continue;
      }
      if (sends) {
        schedule.copy(INPUT, first, SCRATCH, upToThis, length);
        schedule.combine(true, SCRATCH, other, SCRATCH, upToThis, length);
      }
      schedule.copy(SCRATCH, other, OUTPUT, first, length);
    }
    if (sends && bytes > 0) {
      long last = (bytes - 1) / segment * segment;
      schedule.nextRound();
      schedule.send(rank + 1, exclusive ? SCRATCH : OUTPUT, exclusive ? upToThis : last, bytes - last);
    }
  }
}
