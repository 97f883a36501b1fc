package io.adrastea.spread;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;

/** An allreduce by messages. Each algorithm says in which order it combines; the results of all members are equal. */
public final class AllreduceRounds {
  private AllreduceRounds() {}

  /**
   * Fills the schedule of one member.
   *
   * @param bytes of the operand of each member
   * @param element bytes of an element, at whose ends alone operands are cut
   */
  public static void fill(Schedule schedule, Algorithm algorithm, int rank, int size, long bytes, long element) {
    schedule.begin();
    if (size == 1) {
      schedule.copy(INPUT, 0, OUTPUT, 0, bytes);
      return;
    }
    schedule.parts.cut(size, bytes, element);
    switch (algorithm) {
      case RECURSIVE_DOUBLING -> doubling(schedule, rank, size, OUTPUT, 0, bytes);
      case HALVING_DOUBLING -> halving(schedule, rank, size, bytes, element);
      case CIRCULANT -> {
        Places.combine(schedule, rank, Places.ALL, OUTPUT, 0);
        Places.tell(schedule, rank, Places.ALL);
      }
      case RING -> {
        Places.combineAround(schedule, rank, OUTPUT, 0);
        Places.tellAround(schedule, rank);
      }
      case DIRECT -> direct(schedule, rank, size);
      case OPERANDS ->
        Operands.combine(
            schedule, Operands.tell(schedule, rank, size, bytes), (size - rank) % size, size, size, bytes);
      default -> throw algorithm.isNone("allreduce");
    }
  }

  /**
   * By recursive doubling: in each round two members whose blocks lie beside each other exchange what they have, and
   * both combine the lower block with the higher one. Where the size is no power of two, the first members fold by
   * pairs before, so that a power of two goes on, and get the result behind it. Operands are combined in rank order, by
   * the same tree for all members.
   */
  static void doubling(Schedule schedule, int rank, int size, int to, long at, long bytes) {
    if (!Pairs.fold(schedule, rank, size, to, at, bytes)) {
      return;
    }
    int place = Pairs.place(rank, size);
    long other = schedule.scratch(bytes);
    for (int distance = 1; distance < Pairs.places(size); distance *= 2) {
      int peer = Pairs.member(place ^ distance, size);
      schedule.nextRound();
      schedule.send(peer, to, at, bytes);
      schedule.receive(peer, SCRATCH, other, bytes);
      schedule.combine(peer < rank, SCRATCH, other, to, at, bytes);
    }
    Pairs.unfold(schedule, rank, size, to, at, bytes);
  }

  /**
   * By halving and doubling: in each round two members whose blocks lie beside each other send each other one half of
   * the data that both combine, so that each goes on with a half; what is so combined is told the same way back. Pairs
   * fold before, and operands are combined in rank order, both as in {@link #doubling}. Where the size is a power of
   * two no allreduce takes fewer bytes, and most go between members of near ranks.
   */
  private static void halving(Schedule schedule, int rank, int size, long bytes, long element) {
    if (!Pairs.fold(schedule, rank, size, OUTPUT, 0, bytes)) {
      return;
    }
    int places = Pairs.places(size);
    int place = Pairs.place(rank, size);
    Parts parts = schedule.parts;
    parts.cut(places, bytes, element);
    long other = schedule.scratch(parts.most(places / 2));
    int first = 0;
    int count = places;
    for (int distance = 1; distance < places; distance *= 2) {
      count /= 2;
      boolean higher = (place & distance) != 0;
      int kept = higher ? first + count : first;
      int sent = higher ? first : first + count;
      int peer = Pairs.member(place ^ distance, size);
      long at = parts.first(kept);
      long length = parts.between(kept, kept + count);
      schedule.nextRound();
      schedule.send(peer, OUTPUT, parts.first(sent), parts.between(sent, sent + count));
      schedule.receive(peer, SCRATCH, other, length);
      schedule.combine(higher, SCRATCH, other, OUTPUT, at, length);
      first = kept;
    }
    for (int distance = places / 2; distance > 0; distance /= 2) {
      boolean higher = (place & distance) != 0;
      int taken = higher ? first - count : first + count;
      int peer = Pairs.member(place ^ distance, size);
      schedule.nextRound();
      schedule.send(peer, OUTPUT, parts.first(first), parts.between(first, first + count));
      schedule.receive(peer, OUTPUT, parts.first(taken), parts.between(taken, taken + count));
      first = Math.min(first, taken);
      count *= 2;
    }
    Pairs.unfold(schedule, rank, size, OUTPUT, 0, bytes);
  }

  /** Each member takes one part of all operands, combines it from the left, and tells it to all. */
  private static void direct(Schedule schedule, int rank, int size) {
    Parts parts = schedule.parts;
    long at = Operands.combinePart(schedule, rank, size);
    schedule.copy(SCRATCH, at, OUTPUT, parts.first(rank), parts.length(rank));
    Places.tell(schedule, rank, Places.ALL);
  }
}
