package io.adrastea.it;

import io.adrastea.Job;
import io.adrastea.error.SegmentException;
import io.adrastea.rma.Window;

/** Two ranks as threads, of which one asks for more memory than there is, again and again; then both have enough. */
final class WindowRoomMain {
  private static final int TIMES = 20;
  private static final int ENOUGH = 4 << 20;
  private static final int TOO_MUCH = 256 << 20;

  private WindowRoomMain() {}

  public static void main(String[] args) throws Exception {
    Job.builder().runThreads(2, job -> {
      int rank = job.world().rank();
      for (int i = 0; i < TIMES; i++) {
        boolean asksForMuch = rank == i % 2;
        try {
          Window.allocate(job.world(), asksForMuch ? TOO_MUCH : ENOUGH, 1);
          throw new AssertionError("a window of more memory than there is");
        } catch (SegmentException e) {
          if (!asksForMuch && !e.getMessage().contains("rank " + (1 - rank) + " has no room in shared memory")) {
            throw new AssertionError(e);
          }
        }
      }
      try (Window window = Window.allocate(job.world(), ENOUGH, 1)) {
        window.fence();
        window.local().fill((byte) 1);
        window.lastFence();
      }
      System.out.println("made");
    });
  }
}
