package io.adrastea.bench.paper;

import io.adrastea.bench.measure.AllowedCpus;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Results;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** A paper's figure of a barrier over the number of ranks, by several ways. */
abstract class BarrierExperiment extends Experiment {
  private static final List<Integer> COUNTS = List.of(2, 4, 8);
  private static final int MAX_RANKS = 1024;

  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Numbers of ranks, each even; instead of -n.",
        "Default: 2,4,8 as far as there are CPUs for them."
      })
  private List<Integer> ranks;

  /** The ways in the order of the table; the others are compared with the first. */
  abstract List<Meeting> meetings();

  /** What the paper says, line by line. */
  abstract List<String> said();

  /** The name of the figure. */
  abstract String figure();

  @Override
  final Optional<String> content() {
    return Optional.empty();
  }

  /** Returns a kind that only names the run: each {@link Meeting} has its own. */
  final Kind kind(String name) {
    return new Kind(name, Kind.Figure.TIME, 1, 1, Kind.BARRIER.references());
  }

  /** The numbers of ranks. */
  @Override
  final List<Integer> bytes() {
    if (ranks == null) {
      int cpus = AllowedCpus.here().count();
      return COUNTS.stream().filter(count -> count <= Math.max(2, cpus)).toList();
    }
    for (int count : ranks) {
      if (count < 2 || count > MAX_RANKS || count % 2 != 0) {
        throw new IllegalArgumentException(
            "--ranks must be even numbers from 2 to 1024, not " + count);
      }
    }
    return ranks.stream().distinct().sorted().toList();
  }

  @Override
  final int mostRanks(int asked) {
    if (asked != 2) {
      throw new IllegalArgumentException(
          "-n has no meaning here: --ranks %d runs %1$d ranks".formatted(asked));
    }
    return bytes().getLast();
  }

  /** Ways with the same settings share their ranks. */
  @Override
  final void fill(Cast cast, List<CorePair> cores, int most, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      Map<Map<String, String>, Map<Integer, CoreVariant>> jobs = new LinkedHashMap<>();
      for (Meeting meeting : meetings()) {
        Map<Integer, CoreVariant> own = jobs.computeIfAbsent(meeting.settings(), settings -> new LinkedHashMap<>());
        cast.add(new BarrierVariant(pair, own, meeting)); // closes those that did start
      }
      for (Map.Entry<Map<String, String>, Map<Integer, CoreVariant>> each : jobs.entrySet()) {
        for (int count : bytes()) {
          each.getValue().put(count, CoreVariant.start(pair, count, cpus, RankOptions.of("", each.getKey())));
        }
      }
    }
  }

  @Override
  final Report report(Results results) {
    return new WaysReport(results, shown(meetings(), figure(), said())).report();
  }

  static WaysReport.Shown shown(List<Meeting> meetings, String figure, List<String> said) {
    return new WaysReport.Shown("a barrier", "ranks", meetings.stream().map(Meeting::title).toList(), true, figure,
        said);
  }
}
