package io.adrastea.bench.large;

import io.adrastea.bench.measure.Kind;
import java.util.Arrays;
import java.util.Optional;

/** What ranks are told to run; in each the lower rank takes the time. */
enum Part {
  /** A message of a shared allocation is received where it lies, and answered. */
  IN_PLACE("in-place", "in place"),

  /** A message of a shared allocation is received into a buffer of native memory, and answered. */
  COPIED("in-place-copied", "into a buffer"),

  /** A message on its own. */
  TRANSFER("overlap", "transfer"),

  /** Computing on its own, on both sides. */
  COMPUTE("overlap-compute", "compute"),

  /** Both ranks compute while the message is under way. */
  BOTH("overlap-both", "both"),

  /** Both ranks compute while a thread at each of them moves the message on. */
  THREAD("overlap-thread", "both, thread");

  private final String title;
  private final Kind kind;

  Part(String command, String title) {
    this.title = title;
    this.kind = Kind.time(command);
  }

  static Optional<Part> of(String command) {
    return Arrays.stream(values()).filter(part -> part.kind.command().equals(command)).findFirst();
  }

  /** What tables call it. */
  String title() {
    return title;
  }

  Kind kind() {
    return kind;
  }
}
