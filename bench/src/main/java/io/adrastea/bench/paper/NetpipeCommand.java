package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench paper netpipe}: [MPICH2 2007, 4.1] and [Nemesis 2006, 4.1.1]. */
@Command(
    name = "netpipe",
    description = {
      "Latency and bandwidth as NetPIPE takes them (MPICH2 2007, Fig. 3; Nemesis 2006, Figs. 4 and 5).",
      "Both come from a ping-pong: bandwidth is bytes over the one-way time."
    })
final class NetpipeCommand extends Experiment {
  /** The ping-pong of {@code bench latency --untouched}, as the papers have it, beside the floor alone. */
  private static final Kind KIND =
      new Kind(
          Kind.LATENCY.untouched().command(),
          Kind.Figure.TIME,
          Kind.LATENCY.messagesPerExchange(),
          Kind.LATENCY.minExchanges(),
          Kind.LATENCY.references().subList(0, 1));

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "0,1,2,4,8,16,24,32,48,64,128,256,512,1K,2K,4K,8K,16K,32K,64K,128K,256K,512K,1M,2M,4M,8M",
      description = {"Message sizes in bytes, with K, M or G.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  @Override
  String title() {
    return "adrastea bench paper netpipe: MPICH2 2007, Fig. 3; Nemesis 2006, Figs. 4 and 5, ping-pong";
  }

  @Override
  Optional<String> content() {
    return Optional
        .of("content  untouched: it never changes while time runs, as in the paper; messages take turns in four"
            + " buffers");
  }

  @Override
  Kind kind() {
    return KIND;
  }

  @Override
  List<Integer> bytes() {
    return sizes.bytes();
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      cast.add(CoreVariant.start(pair, ranks, cpus));
    }
  }

  @Override
  Report report(Results results) {
    return NetpipeReport.of(results);
  }
}
