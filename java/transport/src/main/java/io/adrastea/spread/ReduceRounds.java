package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/** A reduce by messages. Each algorithm says in which order it combines; the order never depends on who is late. */
public final class ReduceRounds {
  private ReduceRounds() {}

  /**
   * Fills the schedule of one member; only the root has an output.
   *
   * @param bytes of the operand of each member
   * @param element bytes of an element, at whose ends alone operands are cut
   */
  public static void fill(
      Schedule schedule, Algorithm algorithm, int root, int rank, int size, long bytes, long element) {
    schedule.begin();
    if (size == 1) {
      schedule.copy(INPUT, 0, OUTPUT, 0, bytes);
      return;
    }
    switch (algorithm) {
      case BINOMIAL -> binomial(schedule, root, rank, size, bytes);
      case SCATTER_ALLGATHER -> scatterGather(schedule, root, rank, size, bytes, element);
      case DIRECT -> direct(schedule, root, rank, size, bytes, element);
      case OPERANDS -> operands(schedule, root, rank, size, bytes);
      default -> throw algorithm.isNone("reduce");
    }
  }

  /** By a binomial tree: operands are combined in rank order, by a tree that is the same for all roots. */
  private static void binomial(Schedule schedule, int root, int rank, int size, long bytes) {
    int led = Halves.ledBy(rank, root, size);
    long received = schedule.scratch(0);
    for (int level = 0; level < led; level++) {
      int beside = Halves.beside(rank, level);
      if (beside < size) {
        schedule.receive(beside, SCRATCH, schedule.scratch(bytes), bytes);
      }
    }
    boolean combines = schedule.scratchBytes() > received;
    int to = rank == root ? OUTPUT : combines ? SCRATCH : INPUT;
    long at = rank != root && combines ? schedule.scratch(bytes) : 0;
    if (to != INPUT) {
      schedule.copy(INPUT, 0, to, at, bytes);
    }
    for (int level = 0; level < led; level++) {
      int beside = Halves.beside(rank, level);
      if (beside < size) {
        schedule.combine(beside < rank, SCRATCH, received, to, at, bytes);
        received += bytes;
      }
    }
    if (rank != root) {
      schedule.nextRound();
      schedule.send(Halves.leader(rank, led + 1, root), to, at, bytes);
    }
  }

  /**
   * All but the root combine a part each, and the root combines these with its own operand: each gives its operand
   * once, which is the least. Parts are combined by trees around, in no order of ranks, so operators have to commute.
   */
  private static void scatterGather(Schedule schedule, int root, int rank, int size, long bytes, long element) {
    Parts parts = schedule.parts;
    parts.cut(size - 1, bytes, element);
    if (rank != root) {
      int place = Places.of(rank, root);
      long at = size > 2 ? schedule.scratch(bytes) : 0;
      int from = Places.combine(schedule, place, root, SCRATCH, at);
      schedule.nextRound();
      schedule.send(root, from, at + parts.first(place), parts.length(place));
      return;
    }
    long at = schedule.scratch(bytes);
    for (int place = 0; place < size - 1; place++) {
      schedule.receive(Places.member(place, root), SCRATCH, at + parts.first(place), parts.length(place));
    }
    schedule.copy(INPUT, 0, OUTPUT, 0, bytes);
    schedule.combine(false, SCRATCH, at, OUTPUT, 0, bytes);
  }

  /** Each member takes one part of all operands, combines it from the left, and sends it to the root. */
  private static void direct(Schedule schedule, int root, int rank, int size, long bytes, long element) {
    Parts parts = schedule.parts;
    parts.cut(size, bytes, element);
    long at = Operands.combinePart(schedule, rank, size);
    if (rank == root) {
      schedule.copy(SCRATCH, at, OUTPUT, parts.first(rank), parts.length(rank));
      for (int member = 0; member < size; member++) {
        if (member != root) {
          schedule.receive(member, OUTPUT, parts.first(member), parts.length(member));
        }
      }
    } else {
      schedule.nextRound();
      schedule.send(root, SCRATCH, at, parts.length(rank));
    }
  }

  /** The operands go to the root by a binomial tree, and the root combines them from the left. */
  private static void operands(Schedule schedule, int root, int rank, int size, long bytes) {
    int to = rank == root ? SCRATCH : OUTPUT; // the output of others is not used
    long at = schedule.scratch(rank == root ? size * bytes : 0);
    GatherRounds.binomial(schedule, root, rank, size, bytes, to);
    if (rank == root) {
      Operands.combine(schedule, at, 0, size, size, bytes);
    }
  }
}
