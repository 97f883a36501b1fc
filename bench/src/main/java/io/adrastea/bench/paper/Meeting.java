package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Kind;
import java.util.List;

/** The two ways to make a barrier that 000 section 4.2 compares. */
enum Meeting {
  SHARED("shared variables", Kind.BARRIER.command()), MESSAGES("messages", "barrier-messages");

  private final String title;
  private final Kind kind;

  Meeting(String title, String command) {
    this.title = title;
    this.kind = new Kind(command, Kind.Figure.TIME, 1, 1, List.of());
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
