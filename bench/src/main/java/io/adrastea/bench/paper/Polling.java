package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Kind;
import java.util.List;

/** What the C core is timed at among idle ranks, by the commands of adrastea-counts. */
enum Polling {
  NAMED("C by source", "named"), ANY("C from any source", "any"), CHANNEL("channel", "channel"), BITMAP("bitmap",
      "bitmap"), COUNTERS("counters", "counters"), BOXES("each box", "boxes");

  /** An exchange is a round trip or two looks; what is a size elsewhere is the number of ranks. */
  static final Kind KIND = new Kind("mvapich-polling", Kind.Figure.TIME, 2, 1, List.of());

  /** The messages there are beside a rank's own looks. */
  static final List<Polling> MESSAGES = List.of(NAMED, ANY);

  /** Looks that find nothing. */
  static final List<Polling> LOOKS = List.of(CHANNEL, BITMAP, COUNTERS, BOXES);

  private final String title;
  private final String command;

  Polling(String title, String command) {
    this.title = title;
    this.command = command;
  }

  /** What tables call it. */
  String title() {
    return title;
  }

  String command() {
    return command;
  }
}
