package io.adrastea.link.pipe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets ranks of a test die between two pieces: after so many, nothing that a rank sends goes out any more but the word
 * that it has failed. It is to fail soon after, since it knows nothing of that.
 */
public final class LastPieces {
  private static final Map<Integer, AtomicInteger> LEFT = new ConcurrentHashMap<>(); // by rank of the job

  private LastPieces() {}

  public static void allow(int rank, int pieces) {
    LEFT.put(rank, new AtomicInteger(pieces));
  }

  /** No rank dies that way any more. */
  public static void clear() {
    LEFT.clear();
  }

  /** Whether a piece was lost. */
  public static boolean isOver(int rank) {
    AtomicInteger left = LEFT.get(rank);
    return left != null && left.get() < 0;
  }

  static boolean loses(int rank) {
    AtomicInteger left = LEFT.get(rank);
    return left != null && left.decrementAndGet() < 0;
  }
}
