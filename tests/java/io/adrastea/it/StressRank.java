package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * Every rank sends every rank, itself too, so many messages of random sizes, tagged with source and sequence, and
 * checks order and contents of what it gets. Arguments: seed, messages to each rank.
 */
public final class StressRank {
  private static final int WINDOW = 16;
  private static final int SEQUENCE_BITS = 20;
  private static final int LARGEST = 1 << 20;

  private final Communicator world;
  private final long seed;
  private final int messages;
  private final int[] expected;
  private final SplittableRandom choices;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment incoming = arena.allocate(LARGEST);
  private final MemorySegment[] outgoing = new MemorySegment[WINDOW];
  private final Request[] sends = new Request[WINDOW];
  private final int[] sent;
  private int toSend;
  private int toReceive;

  private StressRank(Communicator world, long seed, int messages) {
    this.world = world;
    this.seed = seed;
    this.messages = messages;
    this.expected = new int[world.size()];
    this.sent = new int[world.size()];
    this.choices = new SplittableRandom(Filling.word(seed, world.rank()));
    this.toSend = messages * world.size();
    this.toReceive = messages * world.size();
    java.util.Arrays.setAll(outgoing, i -> arena.allocate(LARGEST));
  }

  public static void main(String[] args) {
    try (Job job = Job.join()) {
      StressRank rank =
          new StressRank(job.world(), Long.parseLong(args[0]), Integer.parseInt(args[1]));
      rank.run();
      System.out.printf(
          "%s: %d messages in order%n", job.core(), rank.expected.length * rank.messages);
    }
  }

  /** Starts sends while a window is free, and receives in between in a way chosen at random. */
  private void run() {
    while (toSend > 0 || toReceive > 0) {
      int slot = choices.nextInt(WINDOW);
      if (toSend > 0 && (sends[slot] == null || sends[slot].test())) {
        startSend(slot);
      }
      if (toReceive > 0 && (toSend == 0 || choices.nextBoolean())) {
        receive();
      }
    }
    for (Request send : sends) {
      if (send != null) {
        send.await();
      }
    }
  }

  private void startSend(int slot) {
    int destination = choices.nextInt(world.size());
    while (sent[destination] == messages) {
      destination = (destination + 1) % world.size();
    }
    int sequence = sent[destination]++;
    MemorySegment message = outgoing[slot].asSlice(0, length(world.rank(), destination, sequence));
    Filling.write(message, number(world.rank(), destination, sequence));
    sends[slot] = world.isend(message, destination, world.rank() << SEQUENCE_BITS | sequence);
    toSend--;
  }

  /**
   * Any message by a wildcard; or the one that a probe saw; or whatever a non-blocking look finds.
   */
  private void receive() {
    switch (choices.nextInt(3)) {
      case 0 -> {
        Status seen = world.iprobe(Communicator.ANY_SOURCE, Communicator.ANY_TAG);
        if (seen != null) {
          take(seen.source(), seen.tag());
        }
      }
      case 1 -> {
        Status seen = world.iprobe(Communicator.ANY_SOURCE, Communicator.ANY_TAG);
        if (seen != null) {
          take(seen.source(), Communicator.ANY_TAG);
        }
      }
      default -> takeLater();
    }
  }

  private void take(int source, int tag) {
    check(world.recv(incoming, source, tag));
  }

  /**
   * Completes even when this rank has messages to send first: whoever waits makes progress for all.
   */
  private void takeLater() {
    if (toSend > 0) {
      return; // nobody might send to this rank before it sends
    }
    check(world.irecv(incoming, Communicator.ANY_SOURCE, Communicator.ANY_TAG).await());
  }

  private void check(Status status) {
    int source = status.source();
    int sequence = expected[source]++;
    int tag = source << SEQUENCE_BITS | sequence;
    int length = length(source, world.rank(), sequence);
    if (status.tag() != tag || status.bytes() != length) {
      throw new IllegalStateException(
          "rank %d wanted message %d of rank %d, %d bytes (tag %d), and got %s"
              .formatted(world.rank(), sequence, source, length, tag, status));
    }
    String what = "message %d from rank %d to rank %d".formatted(sequence, source, world.rank());
    Filling.check(incoming.asSlice(0, length), number(source, world.rank(), sequence), what);
    toReceive--;
  }

  /** Mostly small, some of several cells, few large. */
  private int length(int source, int destination, int sequence) {
    SplittableRandom random = new SplittableRandom(number(source, destination, sequence));
    int kind = random.nextInt(100);
    return random.nextInt(kind < 70 ? 200 : kind < 90 ? 10_000 : kind < 98 ? 100_000 : LARGEST + 1);
  }

  private long number(int source, int destination, int sequence) {
    return Filling.word(seed, ((long) source << 40) | ((long) destination << 20) | sequence);
  }
}
