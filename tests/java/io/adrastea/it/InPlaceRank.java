package io.adrastea.it;

import io.adrastea.Burst;
import io.adrastea.Claim;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.Message;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * Two ranks exchange messages that are written in place, in parts, in bursts and plainly, and that are received in
 * place, into parts and plainly, some of them held while others come. Prints its core and how many it checked. With the
 * argument {@code
 * die} rank 0 dies after the first ten messages while rank 1 holds them, and rank 1 tells what it sees.
 */
public final class InPlaceRank {
  private static final int CELL = 8192;
  private static final int MESSAGES = 1000;
  private static final int MOST_HELD = 4;

  private final Communicator world;
  private final int peer;
  private final SplittableRandom sizes; // the same for what one rank sends and the other receives
  private final SplittableRandom peerSizes;
  private final SplittableRandom ways;
  private final Queue<Message> held = new ArrayDeque<>();
  private final Queue<Long> heldNumbers = new ArrayDeque<>();
  private int checked;

  private InPlaceRank(Communicator world) {
    this.world = world;
    this.peer = 1 - world.rank();
    this.sizes = new SplittableRandom(world.rank());
    this.peerSizes = new SplittableRandom(peer);
    this.ways = new SplittableRandom(100 + world.rank());
  }

  public static void main(String[] args) {
    try (Job job = Job.join()) {
      InPlaceRank rank = new InPlaceRank(job.world());
      if (args.length > 0) {
        rank.die();
        return;
      }
      rank.exchange();
      System.out.printf("in place on %s checked %d messages%n", job.core(), rank.checked);
    }
  }

  private static int size(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(CELL + 1);
      case 1 -> random.nextInt(10 * CELL);
      default -> random.nextInt(200);
    };
  }

  private static long number(int sender, long index) {
    return sender * 1_000_003L + index;
  }

  private void exchange() {
    for (long i = 0; i < MESSAGES; i++) {
      if (ways.nextInt(10) == 0) {
        Burst burst = world.burst(peer);
        try {
          exchange(i); // a wait: shows what was held back
        } finally {
          burst.close();
        }
      } else {
        exchange(i);
      }
    }
    while (!held.isEmpty()) {
      giveBack();
    }
  }

  private void exchange(long i) {
    Request send = send(i);
    receive(i);
    if (send != null) {
      send.await();
    }
  }

  /** Sends; null: it is done. One of more than a cell is done only when the peer, that sends too, has received it. */
  private Request send(long i) {
    int bytes = size(sizes);
    long number = number(world.rank(), i);
    int way = ways.nextInt(3);
    if (way == 0 && bytes <= CELL) {
      Claim claim = world.claim(peer, 0, bytes);
      Filling.write(claim.segment(), number);
      claim.commit();
      return null;
    }
    MemorySegment whole = MemorySegment.ofArray(new byte[bytes]);
    Filling.write(whole, number);
    if (bytes > CELL) {
      return way == 1 ? world.isend(Data.of(parts(whole)), peer, 0) : world.isend(whole, peer, 0);
    }
    if (way == 1) {
      world.send(Data.of(parts(whole)), peer, 0);
    } else {
      world.send(whole, peer, 0);
    }
    return null;
  }

  private IoVector parts(MemorySegment whole) {
    long first = whole.byteSize() == 0 ? 0 : ways.nextLong(whole.byteSize());
    return new IoVector().add(whole.asSlice(0, first)).add(whole, first, whole.byteSize() - first);
  }

  private void receive(long i) {
    int bytes = size(peerSizes);
    long number = number(peer, i);
    int way = ways.nextInt(4);
    if (way == 0) {
      world.recv(peer, 0, message -> check(message.segment(), bytes, number));
    } else if (way == 1) {
      held.add(world.recvMessage(peer, 0));
      heldNumbers.add(number);
      if (held.size() > MOST_HELD) {
        giveBack();
      }
    } else {
      MemorySegment whole = MemorySegment.ofArray(new byte[bytes]);
      if (way == 2) {
        world.recv(Data.of(parts(whole)), peer, 0);
      } else {
        world.recv(whole, peer, 0);
      }
      check(whole, bytes, number);
    }
  }

  private void giveBack() {
    try (Message message = held.remove()) {
      check(message.segment(), message.bytes(), heldNumbers.remove());
    }
  }

  private void check(MemorySegment found, long bytes, long number) {
    if (found.byteSize() != bytes) {
      throw new IllegalStateException("a message of %d bytes came as %d".formatted(bytes, found.byteSize()));
    }
    Filling.check(found, number, "message " + number);
    checked++;
  }

  private void die() {
    if (world.rank() == 0) {
      for (int i = 0; i < 10; i++) {
        Claim claim = world.claim(1, i, i % 2 == 0 ? 100 : CELL);
        Filling.write(claim.segment(), i);
        claim.commit();
      }
      Claim open = world.claim(1, 10, 40);
      open.putInt(0, 1);
      world.recv(Data.of(new byte[1]), 1, 0); // until rank 1 holds them all
      Runtime.getRuntime().halt(9);
    }
    for (int i = 0; i < 10; i++) {
      held.add(world.recvMessage(0, i));
      heldNumbers.add((long) i);
    }
    world.send(Data.of(new byte[1]), 0, 0);
    try {
      world.recvMessage(0, 10);
    } catch (io.adrastea.error.RankFailedException e) {
      while (!held.isEmpty()) {
        giveBack();
      }
      System.out.printf("rank %d failed, %d messages checked%n", e.rank(), checked);
    }
  }
}
