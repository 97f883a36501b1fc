package io.adrastea.bench.soak;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;

import io.adrastea.Data;
import io.adrastea.IoVector;
import io.adrastea.Message;
import io.adrastea.Request;
import io.adrastea.Status;
import java.util.ArrayList;
import java.util.List;

/** Receives what a step has for this rank, in all ways there are, and checks order, length and contents. */
final class Receiver {
  private static final int MOST_POSTED = 8;

  private final Seat seat;
  private final Traffic traffic;
  private final Ledger[] ledgers;
  private final List<Integer> due = new ArrayList<>();

  Receiver(Seat seat, Traffic traffic) {
    this.seat = seat;
    this.traffic = traffic;
    this.ledgers = new Ledger[traffic.ranks()];
    for (int source = 0; source < ledgers.length; source++) {
      ledgers[source] = new Ledger(traffic, source, seat.rank);
    }
  }

  /** Receives until every source's messages of the step are there; wildcards may take some of later steps before. */
  void receiveAll(int step) {
    for (int source = findDue(step); source >= 0; source = findDue(step)) {
      seat.clearIncoming();
      receiveSome(step, source);
    }
  }

  /** One of the sources whose messages of the step are not all there; -1: none. */
  private int findDue(int step) {
    due.clear();
    for (int source = 0; source < ledgers.length; source++) {
      if (ledgers[source].missing(step) > 0) {
        due.add(source);
      }
    }
    return due.isEmpty() ? -1 : due.get(seat.chance.nextInt(due.size()));
  }

  private void receiveSome(int step, int source) {
    switch (seat.chance.nextInt(12)) {
      case 0 -> anySource();
      case 1 -> anySources(step);
      case 2 -> probed(seat.world.probe(ANY_SOURCE, ANY_TAG), Means.PROBE);
      case 3 -> looked(source);
      case 4, 5 -> inPlace(source);
      case 6 -> handled(source);
      case 7, 8 -> several(step, source);
      case 9 -> scattered(source);
      case 10 -> persistent(source);
      default -> one(step, source);
    }
    if (seat.oneIn(16)) {
      cancelled(source);
    }
  }

  boolean has(int source, int tag) {
    return ledgers[source].has(tag);
  }

  /** What the message that a receive of any tag gets is to be. */
  private int bytesOfNext(int source) {
    return traffic.bytes(ledgers[source].next(), source, seat.rank);
  }

  private void one(int step, int source) {
    if (seat.oneIn(2)) {
      take(seat.incoming(bytesOfNext(source)), source, ANY_TAG, Means.ANY_TAG);
    } else {
      int tag = missing(step, source);
      take(seat.incoming(traffic.bytes(tag, source, seat.rank)), source, tag, Means.RECV);
    }
  }

  private int missing(int step, int source) {
    Ledger ledger = ledgers[source];
    return ledger.missing(step, seat.chance.nextInt(ledger.missing(step)));
  }

  private void take(Stretch into, int source, int tag, Means means) {
    check(into.recv(seat.world, source, tag), into, tag == ANY_TAG, means);
  }

  private void anySource() {
    take(seat.incoming(traffic.largest()), ANY_SOURCE, ANY_TAG, Means.ANY_SOURCE);
  }

  /** Wildcards posted together get the messages of each source in the order of posting. */
  private void anySources(int step) {
    int missing = due.stream().mapToInt(source -> ledgers[source].missing(step)).sum();
    List<Stretch> rooms = new ArrayList<>();
    for (int i = 0; i < Math.min(missing, Place.ALL.length); i++) {
      rooms.add(seat.incoming(traffic.largest(), Place.ALL[i]));
    }
    Request[] requests =
        rooms.stream()
            .map(room -> room.irecv(seat.world, ANY_SOURCE, ANY_TAG))
            .toArray(Request[]::new);
    for (int i = 0; i < requests.length; i++) {
      check(requests[i].await(), rooms.get(i), true, Means.ANY_SOURCE);
    }
  }

  /** Receives what a probe found: the first message of its source. */
  private void probed(Status found, Means means) {
    int source = found.source();
    int tag = found.tag();
    long bytes = found.bytes();
    if (bytes > traffic.largest()) {
      throw new IllegalStateException("rank %d: a probe found %s".formatted(seat.rank, found));
    }
    Stretch into = seat.incoming((int) bytes);
    check(into.recv(seat.world, source, tag), into, true, means);
  }

  private void looked(int source) {
    for (int look = 0; look < 50; look++) {
      Status status = seat.world.iprobe(source, ANY_TAG);
      if (status != null) {
        probed(status, Means.IPROBE);
        return;
      }
    }
  }

  /** Posts several for known tags, in any order, and completes them in one of the ways there are. */
  private void several(int step, int source) {
    List<Stretch> rooms = new ArrayList<>();
    List<Integer> tags = new ArrayList<>();
    int most = Math.min(MOST_POSTED, ledgers[source].missing(step));
    for (int i = 0; i < most; i++) {
      int tag = ledgers[source].missing(step, i);
      Stretch room = seat.incoming(traffic.bytes(tag, source, seat.rank));
      if (room != null) {
        int at = seat.chance.nextInt(tags.size() + 1);
        rooms.add(at, room);
        tags.add(at, tag);
      }
    }
    Request[] requests = new Request[tags.size()];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = rooms.get(i).irecv(seat.world, source, tags.get(i));
    }
    complete(requests, rooms);
  }

  private void complete(Request[] requests, List<Stretch> rooms) {
    boolean looking = seat.oneIn(2);
    Request[] active = requests.clone(); // those that are reported leave their array
    while (looking && !Request.testAll(active)) {
      Thread.yield();
    }
    for (int i = 0; i < requests.length; i++) {
      check(looking ? requests[i].status() : requests[i].await(), rooms.get(i), false, Means.IRECV);
    }
  }

  private void inPlace(int source) {
    Message first = seat.world.recvMessage(source, ANY_TAG);
    check(first, Means.IN_PLACE);
    Message second = seat.oneIn(2) ? seat.world.tryRecvMessage(ANY_SOURCE, ANY_TAG) : null;
    if (second == null) {
      first.release();
      return;
    }
    check(second, Means.IN_PLACE);
    boolean inTurn = seat.oneIn(2);
    (inTurn ? first : second).release();
    (inTurn ? second : first).release();
  }

  private void handled(int source) {
    seat.world.recv(source, ANY_TAG, message -> check(message, Means.HANDLER));
  }

  private void scattered(int source) {
    int bytes = bytesOfNext(source);
    int tag = ledgers[source].next();
    IoVector parts = new IoVector();
    List<Stretch> rooms = new ArrayList<>();
    for (int at = 0; at < bytes; at += rooms.getLast().bytes()) {
      int part = Math.min(bytes - at, Long.BYTES * (1 + seat.chance.nextInt(1 + bytes / 16)));
      rooms.add(seat.incoming(part));
      parts.add(rooms.getLast().memory());
    }
    Status status = seat.world.recv(Data.of(parts), source, ANY_TAG);
    expect(status.source(), status.tag(), status.bytes(), true);
    long at = 0;
    for (Stretch room : rooms) {
      checkPart(room, tag, source, at);
      at += room.bytes();
    }
    seat.tally.received(Means.SCATTER, bytes);
  }

  private void persistent(int source) {
    Stretch into = seat.incoming(bytesOfNext(source));
    Request request = into.recvInit(seat.world, source, ANY_TAG).start();
    check(request.await(), into, true, Means.PERSISTENT_RECV);
  }

  /** A receive for what is never sent is taken back. */
  private void cancelled(int source) {
    Stretch into = seat.incoming(0);
    if (into == null) {
      return;
    }
    Request request = into.irecv(seat.world, source, Integer.MAX_VALUE);
    request.cancel();
    if (!request.await().isCancelled()) {
      throw new IllegalStateException("rank %d: a receive matched nothing and was not cancelled".formatted(seat.rank));
    }
    seat.tally.did(Means.CANCEL);
  }

  /** A message that was received in a duel. */
  void check(Status status, Stretch into, Means means) {
    check(status, into, false, means);
  }

  private void check(Status status, Stretch into, boolean inOrder, Means means) {
    int source = status.source();
    int tag = status.tag();
    long bytes = status.bytes();
    expect(source, tag, bytes, inOrder);
    checkPart(new Stretch(into.slab(), into.offset(), (int) bytes), into, tag, source, 0);
    seat.tally.received(means, bytes);
  }

  private void check(Message message, Means means) {
    expect(message.source(), message.tag(), message.bytes(), true);
    if (message.bytes() > 0) {
      seat.check(traffic, message.tag(), message.source(), message.segment(), 0);
    }
    seat.tally.received(means, message.bytes());
  }

  private void checkPart(Stretch part, int tag, int source, long from) {
    checkPart(part, part, tag, source, from);
  }

  private void checkPart(Stretch part, Stretch room, int tag, int source, long from) {
    seat.check(traffic, tag, source, part.memory(), from);
    if (!room.isGuarded()) {
      throw new IllegalStateException(
          "rank %d: a message from rank %d was written beyond its %d bytes of room"
              .formatted(seat.rank, source, room.bytes()));
    }
  }

  /** Enters a message that has come; fails when it is not the one that had to come. */
  private void expect(int source, int tag, long bytes, boolean inOrder) {
    Ledger ledger = ledgers[source];
    int next = inOrder ? ledger.next() : tag;
    if (tag != next || !ledger.take(tag) || bytes != traffic.bytes(tag, source, seat.rank)) {
      throw new IllegalStateException(
          ("rank %d: from rank %d came message %d of step %d with %d bytes, and message %d of step %d was due "
              + "(seed %d, round %d)")
              .formatted(
                  seat.rank, source, Traffic.number(tag), Traffic.step(tag), bytes, Traffic.number(next),
                  Traffic.step(next), traffic.seed(), traffic.round()));
    }
  }
}
