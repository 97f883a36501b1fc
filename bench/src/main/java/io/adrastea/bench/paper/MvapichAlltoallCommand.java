package io.adrastea.bench.paper;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench paper mvapich-alltoall}: [MVAPICH 2006, 4.3]. */
@Command(
    name = "mvapich-alltoall",
    defaultValueProvider = HaloCommand.FourRanks.class,
    description = {
      "Time of an alltoall of messages by two ways of messages, and of the collective (MVAPICH 2006, section 4.3,"
          + " Fig. 11).",
      "Four ranks, unless -n says otherwise; bytes are those that one rank gives another."
    })
final class MvapichAlltoallCommand extends Experiment {
  static final WaysReport.Shown SHOWN = new WaysReport.Shown("an alltoall", "bytes", Exchanging.titles(), false,
      "MVAPICH 2006, Fig. 11",
      List.of(
          "messages: in step k each rank sends to the one k further on and receives from the one k before it,",
          "  by our fastboxes, a buffer for each ordered pair of ranks, as the receive buffers of the new design",
          "  are; messages by cells: the same without fastboxes, all by the receiver's queue; collective: no",
          "  messages.",
          "MVAPICH 2006, Fig. 11, MPI_Alltoall of messages, 4 processes on a node of 2 GHz Opterons, new design",
          "  against the original one: up to 10 % less time for small and medium messages, 25 % for large ones",
          "  (its times stand in the drawing only)."));

  private static final int MOST_BYTES = 4 << 20;
  private static final Kind KIND = new Kind("mvapich-alltoall", Kind.Figure.TIME, 1, 1, List.of());

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,64,256,1K,4K,16K,64K,256K,1M",
      description = {"Bytes that one rank gives another, 1 to 4M, with K or M.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  @Override
  String title() {
    return "adrastea bench paper mvapich-alltoall: MVAPICH 2006, section 4.3, Fig. 11";
  }

  @Override
  Kind kind() {
    return KIND;
  }

  @Override
  List<Integer> bytes() {
    for (int bytes : sizes.bytes()) {
      if (bytes < 1 || bytes > MOST_BYTES) {
        throw new IllegalArgumentException("--sizes must be 1 to 4M, not " + bytes);
      }
    }
    return sizes.bytes();
  }

  /** Ways with the same settings share their ranks. */
  @Override
  void fill(Cast cast, List<CorePair> cores, int ranks, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      Map<Map<String, String>, CoreVariant> jobs = new HashMap<>();
      for (Exchanging way : Exchanging.values()) {
        CoreVariant job = jobs.get(way.settings());
        if (job == null) {
          job = CoreVariant.start(pair, ranks, cpus, RankOptions.of("", way.settings()));
          jobs.put(way.settings(), job);
        }
        cast.add(new KindVariant(job, way.kind(), way.title())); // closes those that did start
      }
    }
  }

  @Override
  Report report(Results results) {
    return new WaysReport(results, SHOWN).report();
  }
}
