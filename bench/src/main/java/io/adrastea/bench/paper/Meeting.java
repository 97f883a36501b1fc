package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Kind;
import java.util.Map;

/** Ways to make a barrier that [MPICH2 2007, 4.2] and [MVAPICH 2006, 4.3] compare. */
enum Meeting {
  /** Counter and signal: [MPICH2 2007, Fig. 2]. */
  SHARED("shared variables", Kind.BARRIER.command(), Map.of("adrastea.barrier", "counter")),
  /** A line of each rank in the communicator's slot. */
  SLOTS("slots", Kind.BARRIER.command(), Map.of("adrastea.barrier", "slot")),
  /** It is made of messages. */
  MESSAGES("messages", "barrier-messages", Map.of("adrastea.barrier", "slot")),
  /** It is made of messages, none of which goes by a buffer of its pair of ranks. */
  CELLS("messages by cells", "barrier-messages", Map.of("adrastea.box.lines", "0"));

  private final String title;
  private final Kind kind;
  private final Map<String, String> settings;

  Meeting(String title, String command, Map<String, String> settings) {
    this.title = title;
    this.kind = Kind.time(command);
    this.settings = settings;
  }

  /** What tables call it. */
  String title() {
    return title;
  }

  /** What the ranks are told to run. */
  Kind kind() {
    return kind;
  }

  /** What the ranks are started with. */
  Map<String, String> settings() {
    return settings;
  }
}
