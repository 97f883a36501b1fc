package io.adrastea.it;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.error.CapabilityException;

/** Asks rank 0, a program in C, for synchronous sends, tells how each is refused, and sends it a message. */
public final class SynchronousRank {
  private static final int TAG = 5;

  private SynchronousRank() {}

  public static void main(String[] args) throws Exception {
    Job.run(
        job -> {
          Communicator world = job.world();
          Data data = Data.of(new byte[8]);
          tell(() -> world.ssend(data, 0, TAG));
          tell(() -> world.issend(data, 0, TAG));
          tell(() -> world.ssendInit(data, 0, TAG));
          world.send(data, 0, TAG);
        });
  }

  private static void tell(Runnable call) {
    try {
      call.run();
      System.out.println("not refused");
    } catch (CapabilityException e) {
      System.out.println(e.rank() + ": " + e.getMessage());
    }
  }
}
