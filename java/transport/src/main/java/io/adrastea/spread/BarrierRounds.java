package io.adrastea.spread;

/** A barrier by messages: dissemination, the barrier of leaders of nodes in [MPICH2 2007, 3.4]. */
public final class BarrierRounds {
  private BarrierRounds() {}

  /**
   * Fills the schedule of a barrier. In round k each member tells the one 2^k behind it, and waits for the one 2^k
   * before it: after as many rounds as the size has binary digits each has heard of all.
   */
  public static void fill(Schedule schedule, int rank, int size) {
    schedule.begin();
    for (int distance = 1; distance < size; distance = 2 * distance) {
      schedule.nextRound();
      schedule.signal((int) (((long) rank + distance) % size), Math.floorMod(rank - distance, size));
    }
  }
}
