package io.adrastea.bootstrap;

import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Tells once, by {@link System.Logger}, whom a rank waits for in joining, when it has waited for some seconds: a rank
 * that was not started is so found before the deadline. Of several ranks that wait one tells.
 */
final class JoinNotice {
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private final LongSupplier clock;
  private final long due;
  private boolean told;

  /**
   * Makes the notice of a rank that begins to wait now.
   *
   * @param clock nanoseconds
   */
  JoinNotice(LongSupplier clock) {
    this.clock = clock;
    this.due = clock.getAsLong() + PATIENCE_NANOS;
  }

  /** Logs what the rank waits for, once, when it has waited long enough. */
  void look(Supplier<String> what) {
    if (!told && clock.getAsLong() - due >= 0) {
      told = true;
      System.getLogger("io.adrastea").log(System.Logger.Level.WARNING, what);
    }
  }

  /** Whether it is this rank that tells: the lowest of those that have come and can. A C rank prints nothing. */
  static boolean isSpeaker(RankTable table, int rank) {
    return IntStream.range(0, rank)
        .noneMatch(other -> table.state(other) == RankEntryDescriptor.STATE_ATTACHED
            && table.core(other) != RankEntryDescriptor.CORE_C);
  }
}
