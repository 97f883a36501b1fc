package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.OptionDefaults;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.rma.SparseWalks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
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
final class ScimpichSparseCommand extends PeerExperiment {
  private static final Kind KIND = Kind.time("scimpich-sparse");

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,16,24,32,64,128,256,512,1K,2K,4K,8K,16K,32K,64K,128K",
      description = {"Bytes of an access, multiples of 8 from 8 to 128K, with K.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

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
    choose(SparseWalks.peers());
    return SparseWalks.checked(sizes.bytes());
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int two, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    SparseWalks.addFloor(cast, cpus, this::note);
    for (CorePair pair : cores) {
      SparseWalks.addRanks(cast, pair, cpus, this::note);
    }
    SparseWalks.addPeers(cast, chosen(), cpus, this::note);
    for (int count : counts()) {
      for (CorePair pair : cores) {
        SparseWalks.addScaling(cast, pair, count, cpus);
      }
      SparseWalks.addScaling(cast, chosen(), count, cpus, this::note);
    }
  }

  @Override
  Report report(Results results) {
    return new ScimpichSparseReport(results, counts()).report(notes());
  }
}
