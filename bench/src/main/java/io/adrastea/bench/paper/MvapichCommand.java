package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CpuPair;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.MeasureOptions;
import io.adrastea.bench.measure.ProgramVariant;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Team;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench paper mvapich}: [MVAPICH 2006, 3.2 to 3.4, 4.1, 4.2 and 4.4]. */
@Command(
    name = "mvapich",
    description = {
      "Send buffer pool and pair buffers beside our cells (MVAPICH 2006, Figs. 6-9, 12, 13).",
      "Measures ways of cells between two processes in C; --core has no effect.",
      "In the CSV's lines of memory the column bytes has the number of ranks."
    })
final class MvapichCommand extends Experiment {
  static final Kind KIND =
      new Kind("mvapich", Kind.Figure.TIME, 2, 16, Kind.LATENCY.references().subList(0, 1));

  static final String PROGRAM = "adrastea-pool";

  private static final int LEAST = 64; // the answer at the end of a stream
  private static final int MOST = 1 << 20;
  private static final int MAX_RANKS = 1024;
  private static final List<PoolWay> COUNTED = List.of(PoolWay.CELLS, PoolWay.POOL1, PoolWay.PAIR);

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "1K,2K,4K,8K,16K,32K,64K,128K,256K",
      description = {"Message sizes, 64 to 1M, with K or M.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  @Option(
      names = "--cell",
      paramLabel = "SIZE",
      converter = Sizes.Converter.class,
      defaultValue = "8K",
      description = "Payload of a cell, ours and theirs, 64 to 32K. Default: ${DEFAULT-VALUE}.")
  private Sizes cell;

  @Option(
      names = "--pair-buffer",
      paramLabel = "SIZE",
      converter = Sizes.Converter.class,
      defaultValue = "1M",
      description = {
        "Buffer of an ordered pair, a power of two from 4K to 64M; longer messages have no figure there.",
        "Default: ${DEFAULT-VALUE}."
      })
  private Sizes pairBuffer;

  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "2,4,8,16,32,64,128",
      description = "Numbers of ranks, 2 to 1024, whose memory is told. Default: ${DEFAULT-VALUE}.")
  private List<Integer> ranks;

  private List<CpuPair> pairs = List.of();
  private List<Misses> misses = List.of();

  @Override
  String title() {
    return "adrastea bench paper mvapich: MVAPICH 2006, sections 2.3, 3 and 4, Figs. 6 to 9, 12, 13";
  }

  @Override
  Optional<String> content() {
    return Optional.of("content  untouched but for a number in the first word, which is checked");
  }

  @Override
  Kind kind() {
    return KIND;
  }

  @Override
  List<Integer> bytes() {
    settings();
    for (int count : ranks) {
      MeasureOptions.require(count >= 2 && count <= MAX_RANKS, "--ranks must be numbers from 2 to 1024, not " + count);
    }
    for (int bytes : sizes.bytes()) {
      MeasureOptions.require(bytes >= LEAST && bytes <= MOST, "--sizes must be 64 to 1M, not " + bytes);
    }
    return sizes.bytes();
  }

  private PoolSettings settings() {
    return new PoolSettings(one("--cell", cell), one("--pair-buffer", pairBuffer));
  }

  private static int one(String option, Sizes sizes) {
    MeasureOptions.require(sizes.bytes().size() == 1, option + " must be one size");
    return sizes.bytes().get(0);
  }

  @Override
  int mostRanks(int asked) {
    MeasureOptions.require(asked == 2, "-n has no meaning here: two processes exchange messages");
    return 2;
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int two, Cpus cpus) throws IOException, BenchException {
    pairs = CpuPair.among(cpus.used(), Path.of("/sys"));
    Optional<Cachegrind> cachegrind = Cachegrind.find(System.getenv("PATH"));
    if (cachegrind.isPresent()) { // nothing else runs meanwhile
      misses = cachegrind.get().count(COUNTED, countedSizes(), settings(), pairs.get(0));
    }
    for (CpuPair pair : pairs) {
      Team team =
          Team.ofProgram("C", PROGRAM, "cells-latency 8 1 1", pair.first(), pair.second(), settings().cellBytes(),
              settings().bufferBytes());
      for (PoolWay.Move move : PoolWay.Move.values()) {
        for (PoolWay way : PoolWay.values()) {
          cast.add(
              new ProgramVariant(
                  MvapichReport.name(way, move, pair, pairs),
                  way.command(move),
                  (kind, bytes) -> settings().measures(way, bytes),
                  team));
        }
      }
    }
  }

  /** The least size that fills a cell, and the greatest. */
  private List<Integer> countedSizes() {
    int greatest = sizes.bytes().getLast();
    int least =
        sizes.bytes().stream().filter(bytes -> bytes >= settings().cellBytes()).findFirst().orElse(greatest);
    return Stream.of(least, greatest).distinct().toList();
  }

  private List<NodeMemory> memory() {
    return ranks.stream().distinct().sorted().map(count -> NodeMemory.of(count, settings())).toList();
  }

  @Override
  Report report(Results results) {
    return new MvapichReport(results, pairs, memory(), misses, settings()).report();
  }

  @Override
  List<String> csv(Results results) {
    return new MvapichReport(results, pairs, memory(), misses, settings()).csv();
  }
}
