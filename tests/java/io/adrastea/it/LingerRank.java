package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Request;
import io.adrastea.error.RankFailedException;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * A rank that stays. What it does once it has joined and said {@code ready} with its process number:
 *
 * <ul>
 * <li>{@code wait}: receives for ever;
 * <li>{@code fail}: rank 1 throws, the others receive for ever;
 * <li>{@code quit KIND}: as {@code watch}, but rank 1 ends, well, without closing its job, and the others stay to the
 * end of their input;
 * <li>{@code watch KIND}: rank 0 waits for rank 1 in an operation (see {@code awaitPeer}; {@code work}: it does not
 * wait), says which rank failed, exchanges a message with each rank above 1 and ends well.
 * </ul>
 */
public final class LingerRank {
  private static final int TAG = 5;

  private LingerRank() {}

  public static void main(String[] args) throws IOException {
    Job job =
        Job.join(); // not closed on the way out of an exception: it is to look like one that fails
    Communicator world = job.world();
    System.out.println("ready " + ProcessHandle.current().pid()); // in one write, which others leave whole
    switch (args[0]) {
      case "fail" -> fail(world);
      case "exit" -> exit(world);
      case "quit" -> {
        if (world.rank() == 1) {
          return;
        }
        watch(job, args[1]);
        System.in.readAllBytes();
      }
      case "watch" -> watch(job, args[1]);
      default -> receiveForEver(world);
    }
    job.close();
  }

  private static void receiveForEver(Communicator world) {
    world.recv(Data.of(new byte[1]), Communicator.ANY_SOURCE, TAG);
  }

  private static void fail(Communicator world) {
    if (world.rank() == 1) {
      throw new IllegalStateException("meant to fail");
    }
    receiveForEver(world);
  }

  private static void exit(Communicator world) {
    world.barrier();
    if (world.rank() == 1) {
      System.exit(3);
    }
    receiveForEver(world);
  }

  private static void watch(Job job, String kind) {
    Communicator world = job.world();
    byte[] message = {42};
    if (world.rank() == 1) {
      while (true) {
        LockSupport.park(); // makes no progress, and leaves the CPU to the others, until it is killed
      }
    }
    if (world.rank() == 0) {
      try {
        if (kind.equals("work")) {
          System.out.printf("%s failed: rank %d%n", kind, workUntilTold(job));
        } else {
          awaitPeer(world, kind);
        }
      } catch (RankFailedException e) {
        System.out.printf("%s failed: rank %d%n", kind, e.rank());
      }
    }
    for (int other = 2; other < world.size(); other++) {
      if (world.rank() == 0) {
        world.send(Data.of(message, 0, 1), other, TAG);
        world.recv(Data.of(message, 0, 1), other, TAG);
      } else if (world.rank() == other) {
        world.recv(Data.of(message, 0, 1), 0, TAG);
        message[0]++;
        world.send(Data.of(message, 0, 1), 0, TAG);
      }
    }
    System.out.printf("went on: %d%n", message[0]);
  }

  /** Messages that are there when they are asked for: it never waits. Returns the rank whose failure it was told. */
  private static int workUntilTold(Job job) {
    Communicator world = job.world();
    int[] failed = {-1};
    job.onRankFailure(rank -> failed[0] = rank);
    byte[] message = new byte[8];
    while (failed[0] < 0) {
      world.send(Data.of(message, 0, 8), 0, TAG);
      world.recv(Data.of(message, 0, 8), 0, TAG);
    }
    return failed[0];
  }

  private static void claimForEver(Communicator world) {
    while (true) { // until there is no room
      world.claim(1, TAG, 8).commit();
    }
  }

  private static void awaitPeer(Communicator world, String kind) {
    byte[] large = new byte[4 << 20]; // more than all cells hold
    switch (kind) {
      case "recv" -> world.recv(Data.of(large, 0, 1), 1, TAG);
      case "recv-any" -> world.recv(Data.of(large, 0, 1), Communicator.ANY_SOURCE, TAG + 1);
      case "irecv" -> world.irecv(Data.of(large, 0, 1), 1, TAG).await();
      case "send" -> world.send(Data.of(large), 1, TAG);
      case "probe" -> world.probe(1, TAG);
      case "barrier" -> world.barrier();
      case "probe-any" -> world.probe(Communicator.ANY_SOURCE, TAG + 1);
      case "wait-all" ->
        Request.waitAll(world.irecv(Data.of(large, 0, 1), 1, TAG), world.isend(Data.of(large), 1, TAG));
      case "claim" -> claimForEver(world);
      default -> throw new IllegalArgumentException(kind);
    }
  }
}
