package io.adrastea;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ranks as threads, with cores dealt from a list. */
final class Ranks {
  /** With the settings that {@link #run} uses: payload of a cell, and of all cells of a rank. */
  static final int CELL_BYTES = 8192;

  static final int CELLS = 64;
  static final int ALL_CELLS = CELLS * CELL_BYTES;

  private static final long PATIENCE_SECONDS = 50;

  private Ranks() {}

  static void run(String cores, int ranks, Job.Body body) throws Exception {
    run(cores, ThreadLevel.SERIALIZED, ranks, body);
  }

  static void run(String cores, ThreadLevel level, int ranks, Job.Body body) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("adrastea.core", cores);
    settings.put("adrastea.cells", Integer.toString(CELLS));
    settings.put("adrastea.cell.bytes", Integer.toString(CELL_BYTES));
    Settings.with(
        settings,
        () -> {
          Job.builder().threads(level).runThreads(ranks, body);
          return null;
        });
  }

  /** The communicator that a body of {@link #run} is to use. */
  static Communicator world(Job job) {
    return job.world();
  }

  /** Waits outside the library for something that another rank does. */
  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("what another rank was to do did not happen");
    }
  }
}
