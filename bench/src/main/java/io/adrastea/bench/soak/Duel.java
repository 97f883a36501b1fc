package io.adrastea.bench.soak;

import io.adrastea.Data;
import io.adrastea.Status;

/** Two ranks in turn: each waits for the other's message before it sends the next, whatever its size. */
final class Duel {
  private final Seat seat;
  private final Traffic traffic;
  private final Receiver receiver;

  Duel(Seat seat, Traffic traffic, Receiver receiver) {
    this.seat = seat;
    this.traffic = traffic;
    this.receiver = receiver;
  }

  void run(int step) {
    int partner = traffic.partner(seat.rank);
    boolean together = traffic.duelsTogether(step, seat.rank);
    int count = traffic.count(step, seat.rank, partner);
    for (int number = 0; number < count; number++) {
      seat.clearOutgoing();
      seat.clearIncoming();
      int tag = Traffic.tag(step, number);
      if (together && !receiver.has(partner, tag)) {
        both(partner, tag);
      } else if (seat.rank < partner || together) {
        send(partner, tag);
        receive(partner, tag);
      } else {
        receive(partner, tag);
        send(partner, tag);
      }
    }
  }

  private Stretch filled(int partner, int tag) {
    Stretch out = seat.outgoing(traffic.bytes(tag, seat.rank, partner));
    Contents.fill(out.memory(), traffic.firstWord(tag, seat.rank, partner), 0);
    return out;
  }

  private Stretch room(int partner, int tag) {
    return seat.incoming(traffic.bytes(tag, partner, seat.rank));
  }

  private void both(int partner, int tag) {
    Stretch into = room(partner, tag);
    Status status =
        seat.world.sendrecv(Data.of(filled(partner, tag).memory()), partner, tag, Data.of(into.memory()), partner, tag);
    receiver.check(status, into, Means.SENDRECV);
    seat.tally.sent(Means.SENDRECV);
  }

  private void send(int partner, int tag) {
    filled(partner, tag).send(seat.world, partner, tag);
    seat.tally.sent(Means.SEND);
  }

  /** Unless a wildcard of the step before has taken it. */
  private void receive(int partner, int tag) {
    if (!receiver.has(partner, tag)) {
      Stretch into = room(partner, tag);
      receiver.check(into.recv(seat.world, partner, tag), into, Means.RECV);
    }
  }
}
