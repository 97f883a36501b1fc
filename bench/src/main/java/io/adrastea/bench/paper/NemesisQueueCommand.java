package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.ProgramVariant;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Team;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code bench paper nemesis-queue}: [Nemesis 2006, 2.1.2, 3.1 and 3.2]. */
@Command(
    name = "nemesis-queue",
    description = {
      "Instructions and time of queue and fastbox in C (Nemesis 2006, sections 2.1.2, 3.1, 3.2).",
      "Measures the C core between two processes in C; -n and --core have no effect."
    })
final class NemesisQueueCommand extends Experiment {
  static final int BYTES = 8;

  private static final Kind KIND =
      new Kind("nemesis-queue", Kind.Figure.TIME, 2, 1, Kind.LATENCY.references().subList(0, 1));

  private Map<Counted, Double> counts = Map.of();

  @Override
  String title() {
    return "adrastea bench paper nemesis-queue: Nemesis 2006, sections 2.1.2, 3.1, 3.2, queue and fastbox";
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
  void fill(Cast cast, List<CorePair> cores, int ranks, Cpus cpus) throws IOException, BenchException {
    Optional<Callgrind> callgrind = Callgrind.find(System.getenv("PATH"));
    if (callgrind.isPresent()) {
      counts = callgrind.get().count(NemesisQueueReport.counted()); // nothing else runs meanwhile
    }
    Team plain = Counted.serve(Counted.PLAIN, cpus);
    cast.add(new ProgramVariant(Way.PLAIN_QUEUE.title(), "queue", (kind, bytes) -> true, plain));
    Team ours = Counted.serve(Counted.PROGRAM, cpus);
    cast.add(new ProgramVariant(Way.QUEUE.title(), "queue", (kind, bytes) -> true, ours));
    cast.add(new ProgramVariant(Way.FASTBOX.title(), "box", (kind, bytes) -> true, ours));
  }

  @Override
  Report report(Results results) {
    return new NemesisQueueReport(results, counts).report();
  }
}
