package io.adrastea.spread;

import static io.adrastea.spread.Schedule.OUTPUT;

/** A bcast by messages: the data of all members lies in the output. */
public final class BcastRounds {
  private BcastRounds() {}

  /**
   * Fills the schedule of one member.
   *
   * @param segment bytes that go at once down a {@link Algorithm#CHAIN}
   */
  public static void fill(
      Schedule schedule, Algorithm algorithm, int root, int rank, int size, long bytes, long segment) {
    schedule.begin();
    if (size == 1) {
      return;
    }
    switch (algorithm) {
      case BINOMIAL -> binomial(schedule, root, rank, size, bytes);
      case SCATTER_ALLGATHER -> scatterAllgather(schedule, root, rank, size, bytes);
      case CHAIN -> chain(schedule, root, rank, size, bytes, segment);
      default -> throw algorithm.isNone("bcast");
    }
  }

  /** By a binomial tree: a member that has the data sends it to the leaders of blocks beside it, the largest first. */
  private static void binomial(Schedule schedule, int root, int rank, int size, long bytes) {
    int led = Halves.ledBy(rank, root, size);
    if (rank != root) {
      schedule.receive(Halves.leader(rank, led + 1, root), OUTPUT, 0, bytes);
      schedule.nextRound();
    }
    for (int level = led - 1; level >= 0; level--) {
      int beside = Halves.beside(rank, level);
      if (beside < size) {
        schedule.send(beside, OUTPUT, 0, bytes);
      }
    }
  }

  /**
   * The root sends each other member a part, and these tell each other: each takes the data once, which is the least.
   */
  private static void scatterAllgather(Schedule schedule, int root, int rank, int size, long bytes) {
    Parts parts = schedule.parts;
    parts.cut(size - 1, bytes, 1);
    if (rank == root) {
      for (int place = 0; place < size - 1; place++) {
        schedule.send(Places.member(place, root), OUTPUT, parts.first(place), parts.length(place));
      }
    } else {
      int place = Places.of(rank, root);
      schedule.receive(root, OUTPUT, parts.first(place), parts.length(place));
      Places.tell(schedule, place, root);
    }
  }

  /** From each member to the next one around, from the root on: a segment is sent on while the next one comes. */
  private static void chain(Schedule schedule, int root, int rank, int size, long bytes, long segment) {
    boolean last = (rank + 1) % size == root;
    for (long first = 0, before = 0; first < bytes + segment; first += segment) {
      schedule.nextRound();
      if (rank != root && first < bytes) {
        schedule.receive(Math.floorMod(rank - 1, size), OUTPUT, first, Math.min(segment, bytes - first));
      }
      long sent = rank == root ? first : before;
      if (!last && (rank == root || first > 0) && sent < bytes) {
        schedule.send((rank + 1) % size, OUTPUT, sent, Math.min(segment, bytes - sent));
      }
      before = first;
    }
  }
}
