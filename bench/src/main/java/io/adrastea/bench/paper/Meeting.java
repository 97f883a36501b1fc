package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Kind;

/** The two ways to make a barrier that [MPICH2 2007, 4.2] compares. */
enum Meeting {
  SHARED("shared variables", Kind.BARRIER.command()), MESSAGES("messages", "barrier-messages");

  private final String title;
  private final Kind kind;

  Meeting(String title, String command) {
    this.title = title;
    this.kind = Kind.time(command);
  }

  /** What tables call it. */
  String title() {
    return title;
  }

  /** What the ranks are told to run. */
  Kind kind() {
    return kind;
  }
}
