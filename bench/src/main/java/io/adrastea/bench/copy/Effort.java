package io.adrastea.bench.copy;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.Progress;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Rounds;
import io.adrastea.bench.measure.Variant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How long to measure: rounds, seconds for each variant, size and round, uncounted seconds for each variant. */
record Effort(int rounds, double seconds, double warmUp) {
  private static final int SHORT_ROUNDS = 3;
  private static final double SHORT_SECONDS = 0.005;

  /** What the options say. */
  static Effort of(MeasureOptions options) {
    return new Effort(options.rounds(), options.seconds(), options.warmUp() / CopyTest.values().length);
  }

  /** Just enough to see whether the library's choice is a good one: seconds in all. */
  static Effort brief(MeasureOptions options) {
    return new Effort(Math.min(options.rounds(), SHORT_ROUNDS), Math.min(options.seconds(), SHORT_SECONDS), 0);
  }

  /** Measures one test after the other, and in each round of it every variant at every size in turn. */
  Map<CopyTest, Results> measure(List<CopyTest> tests, List<Integer> sizes, List<? extends Variant> variants)
      throws BenchException, InterruptedException {
    Map<CopyTest, Results> results = new EnumMap<>(CopyTest.class);
    long steps = tests.size() * Rounds.steps(sizes.size(), variants.size(), rounds);
    try (Progress progress = Progress.of(steps, Path.of("/proc"))) {
      for (CopyTest test : tests) {
        Rounds run = new Rounds(test.kind(), sizes, List.copyOf(variants), progress);
        results.put(test, new Results(test.kind(), run.run(rounds, seconds, warmUp)));
      }
    }
    return results;
  }

  /** The figures of all tests, under one head. */
  static List<String> csv(Collection<Results> results) {
    List<String> lines = new ArrayList<>(List.of(Csv.HEADER));
    results.forEach(one -> lines.addAll(Csv.lines(one).stream().skip(1).toList()));
    return lines;
  }
}
