package io.adrastea.bench.paper;

import io.adrastea.bench.measure.AllowedCpus;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Results;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench paper mpich2-barrier}: [MPICH2 2007, 4.2] on one node. */
@Command(
    name = "mpich2-barrier",
    description = {
      "Time of a barrier by shared variables and by messages (MPICH2 2007, Fig. 4, one node).",
      "In the CSV the column bytes has the number of ranks."
    })
final class Mpich2BarrierCommand extends Experiment {
  private static final List<Integer> COUNTS = List.of(2, 4, 8);
  private static final int MAX_RANKS = 1024;

  /** Only names the run: each {@link Meeting} has its own. */
  private static final Kind KIND =
      new Kind("mpich2-barrier", Kind.Figure.TIME, 1, 1, Kind.BARRIER.references());

  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Numbers of ranks, each even; instead of -n.",
        "Default: 2,4,8 as far as there are CPUs for them."
      })
  private List<Integer> ranks;

  @Override
  String title() {
    return "adrastea bench paper mpich2-barrier: MPICH2 2007, section 4.2, Fig. 4, one node";
  }

  @Override
  Optional<String> content() {
    return Optional.empty();
  }

  @Override
  Kind kind() {
    return KIND;
  }

  /** The numbers of ranks. */
  @Override
  List<Integer> bytes() {
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
  int mostRanks(int asked) {
    if (asked != 2) {
      throw new IllegalArgumentException(
          "-n has no meaning here: --ranks %d runs %1$d ranks".formatted(asked));
    }
    return bytes().getLast();
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int most, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      Map<Integer, CoreVariant> jobs = new LinkedHashMap<>();
      for (Meeting meeting : Meeting.values()) {
        cast.add(new BarrierVariant(pair, jobs, meeting)); // closes those that did start
      }
      for (int count : bytes()) {
        jobs.put(count, CoreVariant.start(pair, count, cpus));
      }
    }
  }

  @Override
  Report report(Results results) {
    return BarrierReport.of(results);
  }
}
