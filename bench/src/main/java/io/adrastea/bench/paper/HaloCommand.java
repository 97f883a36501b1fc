package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** {@code bench paper halo}: [MPICH2 2007, 4.4]. */
@Command(
    name = "halo",
    defaultValueProvider = HaloCommand.FourRanks.class,
    description = {
      "Time of a halo exchange by three algorithms (MPICH2 2007, section 4.4, Fig. 5).",
      "Four ranks, unless -n says otherwise, in a 2-D grid that wraps around."
    })
final class HaloCommand extends Experiment {
  static final int WORD_BYTES = 4;
  private static final int MAX_TILE = 1 << 20;
  private static final Kind KIND = new Kind("halo", Kind.Figure.TIME, 1, 1, List.of());

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "2,8,32,128,512,2K",
      description = {
        "Edges of the square tiles, in words of 4 bytes, with K or M.",
        "Default: ${DEFAULT-VALUE}."
      })
  private Sizes tiles;

  @Override
  String title() {
    return "adrastea bench paper halo: MPICH2 2007, section 4.4, time of a halo exchange";
  }

  @Override
  Kind kind() {
    return KIND;
  }

  @Override
  List<Integer> bytes() {
    for (int tile : tiles.bytes()) {
      if (tile < 1 || tile > MAX_TILE) {
        throw new IllegalArgumentException(
            "a tile of %d words; allowed are 1 to 1M".formatted(tile));
      }
    }
    return tiles.bytes().stream().map(tile -> tile * WORD_BYTES).toList();
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      CoreVariant started = CoreVariant.start(pair, ranks, cpus);
      for (Algorithm algorithm : Algorithm.values()) {
        cast.add(new KindVariant(started, algorithm.kind(), algorithm.title()));
      }
    }
  }

  @Override
  Report report(Results results) {
    return HaloReport.of(results);
  }

  /** The paper's number of processes. */
  static final class FourRanks implements IDefaultValueProvider {
    @Override
    public String defaultValue(ArgSpec argument) {
      return argument instanceof OptionSpec option && option.shortestName().equals("-n")
          ? "4"
          : null;
    }
  }
}
