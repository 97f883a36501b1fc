package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.rma.Window;

/** A rank that waits for a message of the next one for ever or, with {@code window}, for its lock of a window. */
public final class HangRank {
  private static final int TAG = 7;

  private HangRank() {}

  public static void main(String[] args) {
    try (Job job = Job.join()) {
      Communicator world = job.world();
      byte[] word = new byte[8];
      int next = (world.rank() + 1) % world.size();
      if (args.length > 0) {
        Window window = Window.allocate(world, word.length, 1);
        window.lock(world.rank(), true);
        world.barrier();
        window.lock(next, true);
      }
      world.recv(Data.of(word, 0, 8), next, TAG);
    }
  }
}
