package io.adrastea.bench.peer;

import io.adrastea.bench.measure.Variant;
import java.time.Duration;

/** An order in the words of a peer's processes, and how long they may take. */
final class Orders {
  private static final Duration SLACK = Duration.ofSeconds(20);
  private static final int FACTOR = 10;

  private Orders() {}

  /** The command line, as our own workers and adrastea-floor read it. */
  static String command(Variant.Order order) {
    return "%s %d %d %d"
        .formatted(order.kind().command(), order.bytes(), order.batches(), order.exchanges());
  }

  /** A peer that has not answered by then hangs. */
  static Duration deadline(Variant.Order order) {
    return order.expected().multipliedBy(FACTOR).plus(SLACK);
  }
}
