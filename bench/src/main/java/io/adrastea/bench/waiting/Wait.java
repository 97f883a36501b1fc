package io.adrastea.bench.waiting;

import io.adrastea.bench.measure.Kind;
import java.util.Arrays;
import java.util.Optional;

/** What is found out about a rank that waits for a message. */
enum Wait {
  /** CPU time of its thread in a wait of a second. */
  IDLE("wait-idle"),

  /** The time from just before the send, after a pause in which it fell asleep, to the return of its receive. */
  WOKEN("wait-woken");

  private final Kind kind;

  Wait(String command) {
    this.kind = Kind.time(command);
  }

  static Optional<Wait> of(String command) {
    return Arrays.stream(values()).filter(one -> one.kind.command().equals(command)).findFirst();
  }

  Kind kind() {
    return kind;
  }
}
