package io.adrastea.core.pure;

/**
 * How often to poll. Twin of {@code channel/adr_cadence.h}: pauses between two polls of a line that another CPU is
 * about to write, about 40 ns of them, of which they take 8 to 50 each, depending on the CPU; so they are measured.
 * Polling more often is slower: each poll takes the line from its writer, which has to fetch it back for its next
 * store.
 */
final class Cadence {
  private static final long GAP_NANOS = 40;
  private static final int TRIALS = 8;
  private static final int WARM_UPS = 600; // until the loop is compiled
  private static final int PAUSES = 1024;
  private static final int MOST = 16;

  /** The first look for an answer comes after so many times the pauses between two looks. */
  static final int ANSWER = 2;

  /** Pauses between two polls. */
  static final int LOOK_PAUSES = measure();

  private Cadence() {}

  private static int measure() {
    long least = Long.MAX_VALUE; // of several: this thread may lose its CPU
    for (int trial = -WARM_UPS; trial < TRIALS; trial++) {
      long start = System.nanoTime();
      pause(PAUSES);
      least = Math.min(least, System.nanoTime() - start);
    }
    return Math.clamp((GAP_NANOS * PAUSES + least / 2) / (least + 1), 1, MOST);
  }

  /** So many pauses. */
  static void pause(int times) {
    for (; times > 0; times--) {
      Thread.onSpinWait();
    }
  }
}
