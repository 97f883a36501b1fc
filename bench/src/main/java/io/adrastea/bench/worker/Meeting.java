package io.adrastea.bench.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Waits for what the other side does. */
final class Meeting {
  private static final long PATIENCE_MILLIS = 20_000;
  private static final long NAP_MILLIS = 5;
  private static final int SPINS = 1000;

  private Meeting() {}

  /** Waits until a file is there. */
  static Path await(Path file) throws IOException {
    await(() -> Files.exists(file), file.toString());
    return file;
  }

  /** Waits until a condition holds, asleep in between. */
  static void await(BooleanSupplier condition, String what) throws IOException {
    long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IOException("the other side did not come: " + what);
      }
      nap();
    }
  }

  private static void nap() throws IOException {
    try {
      Thread.sleep(NAP_MILLIS);
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }

  /** One step of a wait that spins; in the long run it yields, for the case of one CPU. */
  static int idle(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
    return spins + 1;
  }
}
