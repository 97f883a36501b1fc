package io.adrastea.bench.soak;

import io.adrastea.Burst;
import io.adrastea.Claim;
import io.adrastea.Data;
import io.adrastea.IoVector;
import io.adrastea.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends what a step has for the others, in all ways there are. Messages of one destination keep their order; those that
 * could wait for their receive are started only, since nobody receives before all of the step was sent.
 */
final class Sender {
  private final Seat seat;
  private final Traffic traffic;
  private final int[] sent; // of this step, by destination
  private final List<Request> started = new ArrayList<>();

  Sender(Seat seat, Traffic traffic) {
    this.seat = seat;
    this.traffic = traffic;
    this.sent = new int[traffic.ranks()];
  }

  /** Sends all of a step, the destinations in turns that chance says. */
  void sendAll(int step) {
    seat.clearOutgoing();
    java.util.Arrays.fill(sent, 0);
    ArrayDeque<Integer> open = destinations(step);
    while (!open.isEmpty()) {
      int destination = open.poll();
      int left = traffic.count(step, seat.rank, destination) - sent[destination];
      int some = seat.oneIn(4) ? left : Math.min(left, 1 + seat.chance.nextInt(4));
      sendSome(step, destination, some);
      if (some < left) {
        open.add(destination);
      }
    }
  }

  private ArrayDeque<Integer> destinations(int step) {
    ArrayDeque<Integer> open = new ArrayDeque<>();
    int first = seat.chance.nextInt(traffic.ranks());
    for (int i = 0; i < traffic.ranks(); i++) {
      int destination = (first + i) % traffic.ranks();
      if (traffic.count(step, seat.rank, destination) > 0) {
        open.add(destination);
      }
    }
    return open;
  }

  private void sendSome(int step, int destination, int some) {
    if (some > 1 && seat.oneIn(2)) {
      try (Burst burst = seat.world.burst(destination)) {
        for (int i = 0; i < some; i++) {
          sendInBurst(burst, Traffic.tag(step, sent[destination]++));
        }
      }
      return;
    }
    for (int i = 0; i < some; i++) {
      sendOne(destination, Traffic.tag(step, sent[destination]++));
    }
  }

  private int bytes(int tag, int destination) {
    return traffic.bytes(tag, seat.rank, destination);
  }

  private long first(int tag, int destination) {
    return traffic.firstWord(tag, seat.rank, destination);
  }

  private Stretch filled(int tag, int destination) {
    Stretch stretch = seat.outgoing(bytes(tag, destination));
    Contents.fill(stretch.memory(), first(tag, destination), 0);
    return stretch;
  }

  private void sendInBurst(Burst burst, int tag) {
    int destination = burst.destination();
    if (bytes(tag, destination) > seat.blocking) {
      start(destination, tag);
      return;
    }
    burst.send(Data.of(filled(tag, destination).memory()), tag);
    seat.tally.sent(Means.BURST);
  }

  private void sendOne(int destination, int tag) {
    int bytes = bytes(tag, destination);
    if (bytes <= seat.claimable && seat.oneIn(4)) {
      claim(destination, tag, bytes);
    } else if (bytes <= seat.blocking && seat.oneIn(2)) {
      filled(tag, destination).send(seat.world, destination, tag);
      seat.tally.sent(Means.SEND);
    } else {
      start(destination, tag);
    }
  }

  private void claim(int destination, int tag, int bytes) {
    if (seat.oneIn(4)) {
      seat.world.claim(destination, tag, seat.chance.nextInt(seat.claimable + 1)).abort();
      seat.tally.did(Means.ABORTED_CLAIM);
    }
    Claim claim = seat.world.tryClaim(destination, tag, bytes);
    if (claim == null) {
      claim = seat.world.claim(destination, tag, bytes);
    }
    Contents.fill(claim.segment(), first(tag, destination), 0);
    claim.commit();
    seat.tally.sent(Means.CLAIM);
  }

  private void start(int destination, int tag) {
    int bytes = bytes(tag, destination);
    if (bytes >= 2 * Long.BYTES && seat.oneIn(4)) {
      gather(destination, tag, bytes);
    } else if (seat.oneIn(8)) {
      started.add(filled(tag, destination).sendInit(seat.world, destination, tag).start());
      seat.tally.sent(Means.PERSISTENT_SEND);
    } else {
      started.add(filled(tag, destination).isend(seat.world, destination, tag));
      seat.tally.sent(Means.ISEND);
    }
  }

  private void gather(int destination, int tag, int bytes) {
    IoVector parts = new IoVector();
    for (int at = 0; at < bytes;) {
      int part = Math.min(bytes - at, Long.BYTES * (1 + seat.chance.nextInt(1 + bytes / 16)));
      Stretch stretch = seat.outgoing(part);
      Contents.fill(stretch.memory(), first(tag, destination), at);
      parts.add(stretch.memory());
      at += part;
    }
    started.add(seat.world.isend(Data.of(parts), destination, tag));
    seat.tally.sent(Means.GATHER);
  }

  /** Waits for what was started, in one of the ways there are; all that receive it are on their way. */
  void settle() {
    Request[] requests = started.toArray(Request[]::new);
    started.clear();
    switch (seat.chance.nextInt(3)) {
      case 0 -> Request.waitAll(requests);
      case 1 -> {
        while (Request.waitAny(requests) >= 0) {
          // until all are complete, in whatever order
        }
      }
      default -> {
        while (!Request.testAll(requests)) {
          Thread.yield();
        }
      }
    }
  }
}
