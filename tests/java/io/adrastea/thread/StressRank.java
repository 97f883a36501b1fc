package io.adrastea.thread;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;

/**
 * One rank of the stress test. In each round it sends the same number of messages to every rank, itself too, and then
 * receives as many as it has been sent in all rounds so far; so nobody waits for what is not sent. The tag of a message
 * is its sequence number between its two ranks; size and contents follow from both ranks and that number.
 */
final class StressRank {
  static final int ROUNDS = 60;
  static final int PER_PEER = 6;

  private static final int MOST_BYTES = 40 * Ranks.CELL_BYTES;

  private final Communicator world;
  private final LongMessages way;
  private final long seed;
  private final Random random;
  private final int[] sent;
  private final int[] seen; // receives of each source that have been checked
  private final byte[] buffer = new byte[MOST_BYTES];
  private int received;

  StressRank(Communicator world, LongMessages way, long seed) {
    this.world = world;
    this.way = way;
    this.seed = seed;
    this.random = new Random(seed + world.rank());
    this.sent = new int[world.size()];
    this.seen = new int[world.size()];
  }

  int received() {
    return received;
  }

  void run() {
    Queue<Request> sends = new ArrayDeque<>();
    for (int round = 1; round <= ROUNDS; round++) {
      for (int i = 0; i < PER_PEER * world.size(); i++) {
        sendOne(i % world.size(), sends);
      }
      int due = round * PER_PEER;
      while (received < due * world.size()) {
        receiveSome(due);
      }
    }
    // Not after each round: wildcards may have taken messages of a later one, and two ranks would wait for each other's
    // receives.
    Request.waitAll(sends.toArray(Request[]::new));
  }

  private long seedOf(int source, int destination, int sequence) {
    return ((seed * 31 + source) * 31 + destination) * 1_000_003 + sequence;
  }

  /** Mostly small, sometimes a few cells, seldom many. */
  private int size(int source, int destination, int sequence) {
    Random of = new Random(seedOf(source, destination, sequence));
    int kind = of.nextInt(50);
    return of.nextInt(kind == 0 ? MOST_BYTES : kind < 6 ? 4 * Ranks.CELL_BYTES : 300);
  }

  private byte[] contents(int source, int destination, int sequence) {
    return Contents.of(size(source, destination, sequence), seedOf(source, destination, sequence));
  }

  private void sendOne(int destination, Queue<Request> sends) {
    int sequence = sent[destination]++;
    byte[] message = contents(world.rank(), destination, sequence);
    boolean waitsForReceive = way == LongMessages.BY_RENDEZVOUS && message.length > Ranks.CELL_BYTES;
    if (!waitsForReceive && random.nextBoolean()) {
      world.send(Data.of(message), destination, sequence);
    } else {
      sends.add(world.isend(Data.of(message), destination, sequence));
    }
  }

  /** Receives in one of the ways there are; {@code due} messages of each source are to come. */
  private void receiveSome(int due) {
    int source = random.nextInt(world.size());
    switch (random.nextInt(6)) {
      case 0 -> check(world.recv(Data.of(buffer, 0, MOST_BYTES), ANY_SOURCE, ANY_TAG));
      case 1 -> receiveProbed(world.probe(ANY_SOURCE, ANY_TAG));
      case 2 -> receiveSeveral(Math.min(8, due * world.size() - received));
      case 3 -> receiveLooking();
      default -> {
        if (seen[source] < due) {
          receiveExactly(source);
        }
      }
    }
  }

  private void receiveExactly(int source) {
    boolean known = random.nextBoolean();
    int tag = known ? seen[source] : ANY_TAG;
    int room = known ? size(source, world.rank(), tag) : MOST_BYTES;
    if (random.nextBoolean()) {
      check(world.recv(Data.of(buffer, 0, room), source, tag));
    } else {
      check(world.irecv(Data.of(buffer, 0, room), source, tag).await());
    }
  }

  private void receiveProbed(Status probed) {
    assertTrue(probed.bytes() <= MOST_BYTES, probed::toString);
    check(world.recv(Data.of(buffer, 0, (int) probed.bytes()), probed.source(), probed.tag()));
  }

  private void receiveLooking() {
    Status status = world.iprobe(ANY_SOURCE, ANY_TAG);
    if (status != null) {
      receiveProbed(status);
    }
  }

  /** Wildcards posted together get the messages of each source in the order of posting. */
  private void receiveSeveral(int count) {
    byte[][] into = new byte[count][MOST_BYTES];
    Request[] requests = new Request[count];
    for (int i = 0; i < count; i++) {
      requests[i] = world.irecv(Data.of(into[i], 0, MOST_BYTES), ANY_SOURCE, ANY_TAG);
    }
    Request[] active = requests.clone(); // those that are reported leave their array
    if (random.nextBoolean()) {
      Request.waitAll(active);
    } else {
      while (Request.waitAny(active) >= 0) {
        // until all are complete, in whatever order
      }
    }
    for (int i = 0; i < count; i++) {
      check(requests[i].status(), into[i]);
    }
  }

  private void check(Status status) {
    check(status, buffer);
  }

  private void check(Status status, byte[] message) {
    int source = status.source();
    int sequence = seen[source]++;
    received++;
    assertEquals(sequence, status.tag(), () -> "order of messages from rank " + source);
    int size = size(source, world.rank(), sequence);
    assertEquals(size, status.bytes(), "length");
    Contents.check(size, seedOf(source, world.rank(), sequence), message);
  }
}
