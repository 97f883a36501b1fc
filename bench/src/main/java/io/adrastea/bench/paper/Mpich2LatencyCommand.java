package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.FirstCore;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench paper mpich2-latency-bandwidth}: [MPICH2 2007, 4.1]. */
@Command(
    name = "mpich2-latency-bandwidth",
    defaultValueProvider = FirstCore.class,
    description = {
      "Latency and bandwidth with and without the two optimizations of MPICH2 2007 (section 4.1, Fig. 3).",
      "They are the posted-receive bypass (adrastea.bypass) and LMT (adrastea.eager.bytes). Beside Open MPI"
          + " and MPICH where they are installed, on core ffm unless --core names others. Bandwidth is bytes "
          + "over the one-way time of a ping-pong."
    })
final class Mpich2LatencyCommand extends Experiment {
  private static final List<String> PEERS = List.of("openmpi", "mpich");

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "0,8,16,32,64,128,256,512,1K,2K,4K,8K,16K,32K,64K,128K,256K,512K,1M,2M,4M",
      description = {"Message sizes in bytes, with K, M or G.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  private final List<String> notes = new ArrayList<>();

  @Override
  String title() {
    return "adrastea bench paper mpich2-latency-bandwidth: MPICH2 2007, section 4.1, Fig. 3, ping-pong";
  }

  @Override
  Optional<String> content() {
    return Optional
        .of("content  untouched: it never changes while time runs, as in the paper; messages take turns in four"
            + " buffers");
  }

  /** Returns the kind of {@code bench latency --untouched}, as the paper has it and the peers know it as well. */
  @Override
  Kind kind() {
    return Kind.LATENCY.untouched();
  }

  @Override
  List<Integer> bytes() {
    return sizes.bytes();
  }

  @Override
  int mostRanks(int asked) {
    if (asked != 2) {
      throw new IllegalArgumentException("-n must be 2 here: the peers run as one pair");
    }
    return asked;
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      for (Optimization one : Optimization.values()) {
        cast.add(CoreVariant.start(pair, ranks, cpus, one.options()));
      }
    }
    for (Peer peer : Peers.all(SearchPath.here(), null)) {
      if (PEERS.contains(peer.name())) {
        Peers.start(peer, ranks, cpus, notes::add).ifPresent(cast::add);
      }
    }
  }

  @Override
  Report report(Results results) {
    return new Mpich2LatencyReport(results, notes).report();
  }
}
