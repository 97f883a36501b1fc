package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Hosts;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench paper nemesis-network}: [Nemesis 2006, 4.2.2]. */
@Command(
    name = "nemesis-network",
    description = {
      "Latency and bandwidth over TCP (Nemesis 2006, Figs. 8 and 9).",
      "Between two hosts that are made as by bench compare --hosts 2, as root, beside bare loops on a socket (c-loop,"
          + " nio-loop), Open MPI by its own TCP (openmpi) and by UCX's (openmpi-ucx), and MPICH (mpich). Both figures"
          + " come from a ping-pong: bandwidth is bytes over the one-way time."
    })
final class NemesisNetworkCommand extends Experiment {
  private static final Kind KIND = new Kind(Kind.LATENCY.untouched().command(), Kind.Figure.TIME,
      Kind.LATENCY.messagesPerExchange(), Kind.LATENCY.minExchanges(), List.of());

  private final List<String> notes = new ArrayList<>();

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "1,2,4,8,16,32,64,256,1K,4K,16K,64K,128K,512K,1M,4M",
      description = {"Message sizes in bytes, with K, M or G.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  @Option(
      names = "--peers",
      paramLabel = "LIST",
      split = ",",
      description = {"MPIs to measure: openmpi, openmpi-ucx, mpich; none for the loops alone.",
        "Default: all that are installed."})
  private List<String> names;

  @Override
  String title() {
    return "adrastea bench paper nemesis-network: Nemesis 2006, Figs. 8 and 9, ping-pong over TCP between two hosts";
  }

  @Override
  Kind kind() {
    return KIND;
  }

  @Override
  List<Integer> bytes() {
    Peers.chosenOnHosts(names);
    return sizes.bytes();
  }

  @Override
  int mostRanks(int asked) {
    if (asked != Hosts.COUNT) {
      throw new IllegalArgumentException("-n must be 2 here, a rank on each host, not " + asked);
    }
    return asked;
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    Hosts hosts = Hosts.make();
    cast.keep(hosts);
    for (CorePair pair : cores) {
      CoreVariant.startIfAble(pair, ranks, cpus, RankOptions.NONE, hosts, notes::add).ifPresent(cast::add);
    }
    CoreVariant.requireAny(cast.ours());
    for (Peer peer : Peers.onHosts(SearchPath.here(), hosts, ranks, Set.of(), Peers.chosenOnHosts(names))) {
      Peers.start(peer, ranks, cpus, notes::add).ifPresent(cast::add);
    }
  }

  @Override
  Report report(Results results) {
    Report report = NetpipeReport.overNetwork(results);
    List<String> said = new ArrayList<>(report.said());
    said.addAll(0, notes);
    return new Report(report.tables(), report.charts(), said);
  }

  @Override
  Optional<String> content() {
    return Optional.of("content  untouched: it never changes while time runs, as in the paper; messages take turns in"
        + " four buffers");
  }
}
