package io.adrastea.bench.copy;

import io.adrastea.bench.measure.Kind;
import java.util.List;

/** What {@code adrastea-copies} times of a routine. */
enum CopyTest {
  /** A copy in this CPU's caches, and reading it. */
  LOCAL("local", "copy-local", Kind.Figure.RATE, "copied and read on one CPU"),

  /** A copy of what the other CPU has just written, and reading it. */
  CROSS("cross", "copy-cross", Kind.Figure.RATE, "copied out of the other CPU's cache and read"),

  /** Going through the sender's working set after it has sent a message out of it. */
  WALK("walk", "walk", Kind.Figure.TIME, "message out of the working set"),

  /** Going through the sender's working set after it has sent a message from elsewhere. */
  APART("apart", "walk-apart", Kind.Figure.TIME, "message from elsewhere, which is read through the cache too"),

  /** From the first store of one CPU until the other has copied it all out. */
  HAND("hand", "copy-hand", Kind.Figure.RATE, "copied into shared memory, and out of it by the other CPU");

  /** What takes the place of a routine where no message is sent. */
  static final String NO_MESSAGE = "none";

  private final String word;
  private final Kind kind;
  private final String title;

  CopyTest(String word, String bench, Kind.Figure figure, String title) {
    this.word = word;
    this.kind = new Kind(bench, figure, 1, 1, List.of());
    this.title = title;
  }

  /** How the tables name it. */
  String title() {
    return title;
  }

  /** How the CSV names it, and what its figures are. */
  Kind kind() {
    return kind;
  }

  /** The program's command, without the numbers. */
  static String verb(Kind kind, String routine) {
    for (CopyTest test : values()) {
      if (test.kind.equals(kind)) {
        return test.word + " " + routine;
      }
    }
    throw new IllegalArgumentException("no test of copies is called '" + kind.command() + "'");
  }
}
