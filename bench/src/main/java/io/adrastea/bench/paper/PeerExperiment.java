package io.adrastea.bench.paper;

import io.adrastea.bench.measure.AllowedCpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.PeerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * An experiment in which peers run beside us, with two ranks and, for one of its figures, with several numbers of them.
 */
abstract class PeerExperiment extends Experiment {
  private static final List<Integer> COUNTS = List.of(2, 4, 6, 8);
  private static final int MOST_RANKS = 64;

  private final List<String> notes = new ArrayList<>();
  private List<Peer> chosen = List.of();

  @Mixin
  private PeerOptions peers;

  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Numbers of ranks where the paper has several, 2 to 64; instead of -n.",
        "Default: 2,4,6,8 as far as there are CPUs for them."
      })
  private List<Integer> ranks;

  /** Takes those of some peers that are asked for. */
  final void choose(List<Peer> all) {
    chosen = peers.chosen(all);
  }

  /** The peers that were chosen. */
  final List<Peer> chosen() {
    return chosen;
  }

  /** Keeps a line on what is left out. */
  final void note(String line) {
    notes.add(line);
  }

  /** The lines on what was left out. */
  final List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  final int mostRanks(int asked) {
    if (asked != 2) {
      throw new IllegalArgumentException(
          "-n has no meaning here: --ranks %d runs %1$d ranks".formatted(asked));
    }
    return counts().getLast();
  }

  /** The numbers of ranks, ascending. */
  final List<Integer> counts() {
    if (ranks == null) {
      int cpus = AllowedCpus.here().count();
      return COUNTS.stream().filter(count -> count <= Math.max(2, cpus)).toList();
    }
    for (int count : ranks) {
      if (count < 2 || count > MOST_RANKS) {
        throw new IllegalArgumentException("--ranks must be numbers from 2 to 64, not " + count);
      }
    }
    return ranks.stream().distinct().sorted().toList();
  }

  @Override
  final Effort effort(Effort asked) {
    return peers.effort(new Effort(asked.rounds(), asked.seconds(), asked.warmUp(), true));
  }

  /** With the medians of rounds, from which ratios can be taken. */
  @Override
  final List<String> csv(Results results) {
    Stream<String> lines = results.series().stream()
        .flatMap(one -> Csv.lines(kind().command(), one.plan().bytes(), one).stream());
    return Stream.concat(Stream.of(Csv.HEADER), lines).toList();
  }
}
