package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Rank 0 sends many messages that rank 1 does not want yet, so that they are copied aside until there is no memory for
 * them. Rank 1 then makes room and receives them all. Argument: messages.
 */
public final class ScarceRank {
  private static final int LATER = 1;
  private static final int NOW = 2;
  private static final int BYTES = 4096;
  private static final int BALLAST = 1 << 20;
  private static final int LEFT = 6; // MiB for the messages

  private ScarceRank() {}

  public static void main(String[] args) {
    int messages = Integer.parseInt(args[0]);
    try (Job job = Job.join()) {
      if (job.world().rank() == 0) {
        send(job.world(), messages);
      } else {
        receive(job.world(), messages);
      }
    }
  }

  private static void send(Communicator world, int messages) {
    MemorySegment message = MemorySegment.ofArray(new byte[BYTES]);
    for (int i = 0; i < messages; i++) {
      Filling.write(message, i);
      world.send(message, 1, LATER);
    }
    world.send(Data.of(new long[] {messages}, 0, 1), 1, NOW);
  }

  private static void receive(Communicator world, int messages) {
    List<byte[]> ballast = new ArrayList<>();
    fill(ballast);
    boolean refused = false;
    long[] last = new long[1];
    try {
      world.recv(Data.of(last, 0, 1), 0, NOW);
    } catch (OutOfMemoryError e) {
      refused = true;
      ballast = null;
    }
    MemorySegment message = MemorySegment.ofArray(new byte[BYTES]);
    for (int i = 0; i < messages; i++) {
      world.recv(message, 0, LATER);
      Filling.check(message, i, "message " + i);
    }
    if (refused) {
      world.recv(Data.of(last, 0, 1), 0, NOW);
    }
    System.out.printf("memory ran out: %s, received %d of %d%n", refused, messages, last[0]);
  }

  private static void fill(List<byte[]> ballast) {
    try {
      while (true) {
        ballast.add(new byte[BALLAST]);
      }
    } catch (OutOfMemoryError e) {
      ballast.subList(ballast.size() - LEFT, ballast.size()).clear();
    }
  }
}
