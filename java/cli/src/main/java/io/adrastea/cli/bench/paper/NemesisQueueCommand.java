package io.adrastea.cli.bench.paper;

import io.adrastea.cli.bench.BenchException;
import io.adrastea.cli.bench.Cast;
import io.adrastea.cli.bench.CorePair;
import io.adrastea.cli.bench.Cpus;
import io.adrastea.cli.bench.Kind;
import io.adrastea.cli.bench.Results;
import io.adrastea.cli.bench.Team;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code bench paper nemesis-queue}: 001 sections 2.1.2, 3.1 and 3.2. */
@Command(
    name = "nemesis-queue",
    description = {
      "Instructions and time of queue and fastbox in C (001 sections 2.1.2, 3.1, 3.2).",
      "Measures the C core between two processes in C; -n and --core have no effect."
    })
final class NemesisQueueCommand extends Experiment {
  static final int BYTES = 8;

  private static final Kind KIND =
      new Kind("nemesis-queue", Kind.Figure.TIME, 2, 1, Kind.LATENCY.references().subList(0, 1));

  private Map<Counted, Double> counts = Map.of();

  @Override
  String title() {
    return "adrastea bench paper nemesis-queue: 001 sections 2.1.2, 3.1, 3.2, queue and fastbox";
  }

  @Override
  Kind kind() {
    return KIND;
  }

  @Override
  List<Integer> bytes() {
    return List.of(BYTES);
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int ranks, Cpus cpus) throws BenchException {
    Optional<Callgrind> callgrind = Callgrind.find(System.getenv("PATH"));
    if (callgrind.isPresent()) {
      counts = callgrind.get().count(NemesisQueueReport.counted()); // nothing else runs meanwhile
    }
    Team plain = CountsVariant.start(Counted.PLAIN, cpus);
    cast.add(new CountsVariant(Way.PLAIN_QUEUE.title(), "queue", plain));
    Team ours = CountsVariant.start(Counted.PROGRAM, cpus);
    cast.add(new CountsVariant(Way.QUEUE.title(), "queue", ours));
    cast.add(new CountsVariant(Way.FASTBOX.title(), "box", ours));
  }

  @Override
  Report report(Results results) {
    return new NemesisQueueReport(results, counts).report();
  }
}
