package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/** Operands that travel as they are and are combined where the result is wanted: from the left, as on one node. */
final class Operands {
  /** Partners with which a member has messages under way at once, where it has some for each other member. */
  static final int PARTNERS = 8;

  private Operands() {}

  /**
   * Sends each other member its part of the operand, and combines the own part of all operands, from the left.
   *
   * @return where the part of the member is then in scratch memory
   */
  static long combinePart(Schedule schedule, int rank, int size) {
    Parts parts = schedule.parts;
    long length = parts.length(rank);
    long at = schedule.scratch(size * length);
    for (int distance = 1; distance < size; distance++) {
      int to = (rank + distance) % size;
      int from = Math.floorMod(rank - distance, size);
      if (distance % PARTNERS == 1) {
        schedule.nextRound();
      }
      schedule.send(to, INPUT, parts.first(to), parts.length(to));
      schedule.receive(from, SCRATCH, at + from * length, length);
    }
    schedule.copy(INPUT, parts.first(rank), SCRATCH, at + rank * length, length);
    for (int member = 1; member < size; member++) {
      schedule.combine(false, SCRATCH, at + member * length, SCRATCH, at, length);
    }
    return at;
  }

  /**
   * Combines from the left what lies in scratch memory, and puts it into the output.
   *
   * @param at where the operands lie one behind the other
   * @param first the place of the first member's operand among them
   * @param members whose operands are combined, from the first member on; none leaves the output as it is
   * @param size places, around which the operands lie
   */
  static void combine(Schedule schedule, long at, int first, int members, int size, long bytes) {
    if (members == 0) {
      return;
    }
    long left = at + first * bytes;
    for (int member = 1; member < members; member++) {
      schedule.combine(false, SCRATCH, at + (first + member) % size * bytes, SCRATCH, left, bytes);
    }
    schedule.copy(SCRATCH, left, OUTPUT, 0, bytes);
  }

  /**
   * Gives all members the operands of all, in scratch memory, its own first.
   *
   * @return where they lie
   */
  static long tell(Schedule schedule, int rank, int size, long bytes) {
    long at = schedule.scratch(size * bytes);
    schedule.parts.equal(size, bytes);
    schedule.copy(INPUT, 0, SCRATCH, at, bytes);
    AllgatherRounds.around(schedule, rank, size, at);
    return at;
  }
}
