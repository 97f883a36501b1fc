package io.adrastea.bench.soak;

import java.util.SplittableRandom;

/**
 * A round of one rank. In each step it first sends all that is due, waiting for nobody, then receives all that is due
 * to it, then waits for its sends; so whoever is furthest behind never waits for one that waits for it. Collectives
 * begin before, and end behind.
 */
final class Round {
  private final Seat seat;
  private final Traffic traffic;
  private final Sender sender;
  private final Receiver receiver;
  private final Duel duel;

  Round(Seat seat, Traffic traffic) {
    this.seat = seat;
    this.traffic = traffic;
    this.sender = new Sender(seat, traffic);
    this.receiver = new Receiver(seat, traffic);
    this.duel = new Duel(seat, traffic, receiver);
  }

  /** Does all of it; when it returns, nothing of the round is on its way from or to this rank. */
  void run(int steps) {
    seat.chance = new SplittableRandom(traffic.chance(14, seat.rank));
    for (int step = 0; step < steps; step++) {
      seat.together.begin(traffic, step);
      if (traffic.pattern(step) == Traffic.Pattern.DUEL) {
        duel.run(step);
      } else {
        exchange(step);
      }
      seat.together.end(traffic, step);
      if (traffic.meetsAfter(step)) {
        meet();
      }
    }
    meet(); // so that nobody leaves while its last words still wait for room
  }

  private void exchange(int step) {
    int pause = traffic.pauseMicros(step, seat.rank);
    boolean before = seat.oneIn(2);
    Seat.pause(before ? pause : 0);
    sender.sendAll(step);
    Seat.pause(before ? 0 : pause);
    receiver.receiveAll(step);
    sender.settle();
  }

  private void meet() {
    seat.world.barrier();
    seat.tally.did(Means.BARRIER);
  }
}
