package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.OptionDefaults;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.shmem.ShmemTrials;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench paper openshmem}: [OpenSHMEM over XPMEM 2011, 5.2 and 5.3]. */
@Command(
    name = "openshmem",
    defaultValueProvider = OpenShmemCommand.Defaults.class,
    description = {
      "Ping-pong by put and wait, and message rate, on symmetric memory (OpenSHMEM over XPMEM 2011, Figs. 5, 6, 7).",
      "Of the ping-pong each trial is timed by itself, 1,000 in a round. For the rate each PE puts 128 messages to each"
          + " of up to six PEs, with caches flushed before, and waits for the last one that it expects. PEs in C of"
          + " ours (libshmem) and of Open MPI (oshmem) stand beside.",
      "On core ffm, unless --core names others."
    })
final class OpenShmemCommand extends PeerExperiment {
  private static final Kind KIND = Kind.time("openshmem");

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,16,32,64,128,256,512,1K,4K,16K,64K,256K,512K,1M",
      description = {
        "Bytes of a message, multiples of 8 from 8 to 1M, with K or M; the rate has those up to 1K.",
        "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  /** Flushing takes much longer than messages, so little of a round is timed. */
  static final class Defaults extends OptionDefaults {
    Defaults() {
      super(Map.of("--core", "ffm", "--rounds", "5", "--seconds", "0.001"));
    }
  }

  @Override
  String title() {
    return "adrastea bench paper openshmem: OpenSHMEM over XPMEM 2011, Figs. 5, 6 and 7, ping-pong and message rate";
  }

  @Override
  Optional<String> content() {
    return Optional.of("content  the last word of a message is its number, and is put behind a fence where there are"
        + " more; before\n         each exchange of a rate every PE reads and writes 8 MiB, which flushes what its CPU"
        + " has of its own");
  }

  @Override
  Kind kind() {
    return KIND;
  }

  @Override
  List<Integer> bytes() {
    choose(ShmemTrials.peers());
    return ShmemTrials.checked(sizes.bytes());
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int two, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    ShmemTrials.addFloor(cast, cpus, this::note);
    for (int pes : all()) {
      for (CorePair pair : cores) {
        ShmemTrials.addPes(cast, pair, pes, cpus);
      }
      ShmemTrials.addPeers(cast, chosen(), pes, cpus, this::note);
    }
  }

  /** The numbers of PEs, and two, which play ping-pong. */
  private List<Integer> all() {
    TreeSet<Integer> all = new TreeSet<>(counts());
    all.add(2);
    return List.copyOf(all);
  }

  @Override
  Report report(Results results) {
    return new OpenShmemReport(results, all()).report(notes());
  }
}
