package io.adrastea.bench.paper;

import io.adrastea.bench.measure.AllowedCpus;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.OptionDefaults;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.PeerOptions;
import io.adrastea.bench.rma.SparseWalks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench paper scimpich-sparse}: [SCI-MPICH 2002, 4.3 and 5.3]. */
@Command(
    name = "scimpich-sparse",
    defaultValueProvider = ScimpichSparseCommand.Defaults.class,
    description = {
      "Put and get of every second piece of another rank's window, and a fence (SCI-MPICH 2002, Figs. 8, 9, 11, 12).",
      "256 KiB a walk, with caches flushed before it, on a shared window and on a private one that is reached by each"
          + " way that there is here; Open MPI and MPICH with windows by MPI_Win_allocate_shared (openmpi-shared,"
          + " mpich-shared), by MPI_Win_allocate (-allocate) and by MPI_Win_create (-create) stand for the other"
          + " systems of Fig. 11.",
      "On core ffm, unless --core names others."
    })
final class ScimpichSparseCommand extends Experiment {
  private static final Kind KIND = Kind.time("scimpich-sparse");
  private static final List<Integer> COUNTS = List.of(2, 4, 6, 8);
  private static final int MOST_RANKS = 64;

  private final List<String> notes = new ArrayList<>();
  private List<Peer> chosen = List.of();

  @Mixin
  private PeerOptions peers;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,16,24,32,64,128,256,512,1K,2K,4K,8K,16K,32K,64K,128K",
      description = {"Bytes of an access, multiples of 8 from 8 to 128K, with K.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      split = ",",
      description = {
        "Numbers of ranks of Fig. 12, 2 to 64; instead of -n.",
        "Default: 2,4,6,8 as far as there are CPUs for them."
      })
  private List<Integer> ranks;

  /** Flushing takes much longer than a walk, so little of a round is timed. */
  static final class Defaults extends OptionDefaults {
    Defaults() {
      super(Map.of("--core", "ffm", "--seconds", "0.001"));
    }
  }

  @Override
  String title() {
    return "adrastea bench paper scimpich-sparse: SCI-MPICH 2002, Figs. 8, 9, 11 and 12, the micro-benchmark sparse";
  }

  @Override
  Optional<String> content() {
    return Optional.of("content  the first word of what is put is another one in each walk; before each walk every"
        + " rank reads and\n         writes 8 MiB, which flushes what its CPU has of its own, not a larger cache of"
        + " several CPUs");
  }

  @Override
  Kind kind() {
    return KIND;
  }

  @Override
  List<Integer> bytes() {
    chosen = peers.chosen(SparseWalks.peers());
    return SparseWalks.checked(sizes.bytes());
  }

  @Override
  int mostRanks(int asked) {
    if (asked != 2) {
      throw new IllegalArgumentException(
          "-n has no meaning here: --ranks %d runs %1$d ranks".formatted(asked));
    }
    return counts().getLast();
  }

  private List<Integer> counts() {
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
  Effort effort(Effort asked) {
    return peers.effort(new Effort(asked.rounds(), asked.seconds(), asked.warmUp(), true));
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int two, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    SparseWalks.addFloor(cast, cpus, notes::add);
    for (CorePair pair : cores) {
      SparseWalks.addRanks(cast, pair, cpus, notes::add);
    }
    SparseWalks.addPeers(cast, chosen, cpus, notes::add);
    for (int count : counts()) {
      for (CorePair pair : cores) {
        SparseWalks.addScaling(cast, pair, count, cpus);
      }
      SparseWalks.addScaling(cast, chosen, count, cpus, notes::add);
    }
  }

  /** With the medians of rounds, from which ratios can be taken. */
  @Override
  List<String> csv(Results results) {
    Stream<String> lines = results.series().stream()
        .flatMap(one -> Csv.lines(KIND.command(), one.plan().bytes(), one).stream());
    return Stream.concat(Stream.of(Csv.HEADER), lines).toList();
  }

  @Override
  Report report(Results results) {
    return new ScimpichSparseReport(results, counts()).report(notes);
  }
}
