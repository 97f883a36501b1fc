package io.adrastea.bench.measure;

import java.time.Duration;

/**
 * How one variant is run at one size in every round.
 *
 * @param lead batches at the beginning that do not count: caches and branch predictors are cold after the wait
 */
public record Plan(Kind kind, int bytes, int lead, int batches, int exchanges, Duration expected) {
  /** A batch is long against the clock's resolution and short against the scheduler's tick. */
  static final double BATCH_NANOS = 30_000;

  private static final int MAX_BATCHES = 100_000;
  private static final int MAX_EXCHANGES = 1 << 20;
  private static final int MIN_BATCHES = 3;
  private static final int LONG = 4; // times its share of a round

  /** Plans for about {@code seconds}, or for some batches, given what an exchange takes. */
  public static Plan of(Kind kind, int bytes, double nanosPerExchange, double seconds) {
    return of(kind, bytes, nanosPerExchange, seconds, false);
  }

  /**
   * Plans for about {@code seconds}, or for some batches, given what an exchange takes.
   *
   * @param bounded whether one batch alone is enough of what takes much longer than that
   */
  static Plan of(Kind kind, int bytes, double nanosPerExchange, double seconds, boolean bounded) {
    double nanos = Math.max(nanosPerExchange, 1);
    int exchanges = Math.clamp(Math.round(BATCH_NANOS / nanos), kind.minExchanges(), MAX_EXCHANGES);
    double batchNanos = exchanges * nanos;
    int batches = Math.clamp(Math.round(seconds * 1e9 / batchNanos), MIN_BATCHES, MAX_BATCHES);
    if (bounded && batchNanos > LONG * seconds * 1e9) { // a cold cache is little of its time
      return new Plan(kind, bytes, 0, 1, exchanges, Duration.ofNanos((long) batchNanos));
    }
    int lead = Math.max(1, batches / 20);
    return new Plan(
        kind,
        bytes,
        lead,
        batches,
        exchanges,
        Duration.ofNanos((long) ((lead + batches) * batchNanos)));
  }

  public Variant.Order order() {
    return new Variant.Order(kind, bytes, lead + batches, exchanges, expected);
  }
}
