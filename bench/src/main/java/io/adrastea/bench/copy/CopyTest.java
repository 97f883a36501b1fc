package io.adrastea.bench.copy;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Results;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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

  /** The time from the first store of one CPU until the other has copied it all out. */
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

  /** Measures one test after the other, and in each round of it every variant at every size in turn. */
  static Map<CopyTest, Results> measure(
      List<CopyTest> tests, List<Integer> sizes, List<RoutineVariant> variants, Effort effort)
      throws BenchException, InterruptedException {
    Map<CopyTest, Results> results = new EnumMap<>(CopyTest.class);
    for (CopyTest test : tests) {
      results.put(test, effort.measure(test.kind, sizes, variants, leftOut -> {}));
    }
    return results;
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
