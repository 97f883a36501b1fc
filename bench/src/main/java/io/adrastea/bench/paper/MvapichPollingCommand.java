package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.FirstCore;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.ProgramVariant;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Team;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench paper mvapich-polling}: [MVAPICH 2006, 3.4.1]. */
@Command(
    name = "mvapich-polling",
    defaultValueProvider = FirstCore.class,
    description = {
      "What idle ranks cost: latency beside them, and a look that finds nothing (MVAPICH 2006, section 3.4.1).",
      "On core ffm, unless --core names others.",
      "In the CSV the column bytes has the number of ranks."
    })
final class MvapichPollingCommand extends Experiment {
  private static final int MAX_RANKS = 256;

  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "2,4,8,16,32,64,128,256",
      description = {
        "Numbers of ranks, each a power of two from 2 to 256; instead of -n. Ranks on --core are"
            + " processes, and are run with 2, 8 and 32 of those only. Default: ${DEFAULT-VALUE}."
      })
  private List<Integer> ranks;

  @Override
  String title() {
    return "adrastea bench paper mvapich-polling: MVAPICH 2006, section 3.4.1, polling with idle ranks";
  }

  @Override
  Kind kind() {
    return Polling.KIND;
  }

  /** The numbers of ranks. */
  @Override
  List<Integer> bytes() {
    for (int count : ranks) {
      if (count < 2 || count > MAX_RANKS || Integer.bitCount(count) != 1) {
        throw new IllegalArgumentException(
            "--ranks must be powers of two from 2 to %d, not %d".formatted(MAX_RANKS, count));
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
    return 2; // the others are idle
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int two, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    Team team = Counted.serve(Counted.PROGRAM, cpus);
    for (Polling polling : Polling.values()) {
      cast.add(new ProgramVariant(polling.title(), polling.command(), (kind, bytes) -> true, team));
    }
    for (CorePair pair : cores) {
      IdleVariant variant = new IdleVariant(pair);
      cast.add(variant); // closes those that did start
      variant.start(bytes(), cpus);
    }
  }

  @Override
  Report report(Results results) {
    return new PollingReport(results).report();
  }
}
