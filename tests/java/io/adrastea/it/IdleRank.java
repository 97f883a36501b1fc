package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Rank 0 keeps rank 1 waiting in each kind of wait until the thread that waits is seen asleep, more often than not, and
 * says so. One that spins or yields never is.
 */
public final class IdleRank {
  private static final int TAG = 3;
  private static final int LARGE = 4 << 20; // more than all cells hold
  private static final int LOOKS = 100;
  private static final String[] WAITS = {"recv", "any", "probe", "barrier", "waitany", "send", "large"};

  private IdleRank() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    try (Job job = Job.join()) {
      Communicator world = job.world();
      long[] thread = new long[1];
      if (world.rank() == 1) {
        thread[0] = Long.parseLong(Path.of("/proc/thread-self").toRealPath().getFileName().toString());
        world.send(Data.of(thread, 0, 1), 0, TAG);
      } else {
        world.recv(Data.of(thread, 0, 1), 1, TAG);
      }
      for (String kind : WAITS) {
        world.barrier();
        if (world.rank() == 0) {
          awaitAsleep(thread[0]);
          System.out.println(kind + " asleep");
          satisfy(world, kind);
        } else {
          await(world, kind);
        }
      }
    }
  }

  /** Returns when a thread was asleep in more than half of so many looks in a row. */
  private static void awaitAsleep(long thread) throws IOException, InterruptedException {
    int asleep = 0;
    while (asleep <= LOOKS / 2) {
      asleep = 0;
      for (int look = 0; look < LOOKS; look++) {
        asleep += stateOf(thread) == 'S' ? 1 : 0;
        Thread.sleep(1);
      }
    }
  }

  /** As {@code man 5 proc} says of its stat: R is running, or wants to. */
  private static char stateOf(long thread) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(thread), "stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  private static void await(Communicator world, String kind) {
    byte[] message = new byte[kind.equals("large") || kind.equals("send") ? LARGE : 1];
    switch (kind) {
      case "any" -> world.recv(Data.of(message, 0, 1), Communicator.ANY_SOURCE, TAG);
      case "probe" -> {
        world.probe(0, TAG);
        world.recv(Data.of(message, 0, 1), 0, TAG);
      }
      case "barrier" -> world.barrier();
      case "waitany" -> {
        Request other = world.irecv(Data.of(new byte[1]), 0, TAG + 1);
        Request.waitAny(world.irecv(Data.of(message, 0, 1), 0, TAG), other);
        other.await();
      }
      case "send" -> world.send(Data.of(message, 0, LARGE), 0, TAG);
      default -> world.recv(Data.of(message), 0, TAG);
    }
  }

  private static void satisfy(Communicator world, String kind) {
    byte[] message = new byte[kind.equals("large") || kind.equals("send") ? LARGE : 1];
    switch (kind) {
      case "barrier" -> world.barrier();
      case "waitany" -> {
        world.send(Data.of(message, 0, 1), 1, TAG);
        world.send(Data.of(message, 0, 1), 1, TAG + 1);
      }
      case "send" -> world.recv(Data.of(message, 0, LARGE), 1, TAG);
      default -> world.send(Data.of(message), 1, TAG);
    }
  }
}
