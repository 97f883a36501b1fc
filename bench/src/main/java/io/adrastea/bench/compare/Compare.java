package io.adrastea.bench.compare;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.BenchOptions;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Heading;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.TouchCost;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The run: all variants alive at once, one kind after the other, every variant in each round. */
final class Compare {
  private static final List<Integer> NO_PAYLOAD = List.of(0);
  private static final List<Memory> NATIVE = List.of(Memory.NATIVE);

  private final BenchOptions options;
  private final Wanted wanted;
  private final Report report;
  private final Set<String> out = new HashSet<>();

  /**
   * What is measured.
   *
   * @param sizes of latency and bandwidth
   * @param rateSizes of the rate
   * @param memories where our messages lie; null for native, and for the first core's bandwidth all
   * @param ways values of {@code adrastea.lmt} for our messages; none for the one that is set
   * @param untouched whether messages are neither written before they are sent nor read after they came
   */
  record Wanted(List<Integer> sizes, List<Integer> rateSizes, List<Memory> memories, List<String> ways,
      boolean untouched) {
    Kind of(Kind kind) {
      return untouched ? kind.untouched() : kind;
    }

    private List<RankOptions> options(boolean firstCore) {
      return RankOptions.each(memories(firstCore), ways);
    }

    private List<Memory> memories(boolean firstCore) {
      return memories != null ? memories : firstCore ? List.of(Memory.values()) : NATIVE;
    }

    /** Arrays and shared allocations that nobody asked for are shown where copies decide. */
    private boolean leavesOut(Kind kind, String variant) {
      String place = variant.replaceFirst("/.*", "");
      return memories == null
          && kind.isTime()
          && (place.endsWith(Memory.ARRAY.suffix()) || place.endsWith(Memory.SHARED.suffix()));
    }
  }

  Compare(BenchOptions options, Wanted wanted, Report report) {
    this.options = options;
    this.wanted = wanted;
    this.report = report;
  }

  void run(Cpus cpus, List<CorePair> cores, List<Peer> peers)
      throws BenchException, IOException, InterruptedException {
    Kind latency = wanted.of(Kind.LATENCY);
    Kind bandwidth = wanted.of(Kind.BANDWIDTH);
    report.begin(cpus);
    Heading.buffers(bandwidth, wanted.sizes(), wanted.memories(true)).forEach(report::note);
    Heading.ways(wanted.ways()).forEach(report::note);
    Set<String> ours = ours(cores);
    Kind rate = wanted.of(Kind.RATE);
    try (Cast cast = new Cast(latency, bandwidth, rate, Kind.BARRIER, Kind.TOUCH)) {
      cast.addFloor(cpus).ifPresent(report::note);
      for (CorePair pair : cores) {
        for (RankOptions one : wanted.options(pair.equals(cores.get(0)))) {
          cast.addRanks(pair, one, options.ranks(), cpus, report::note);
        }
      }
      CoreVariant.requireAny(cast.ours());
      for (Peer peer : peers) {
        Peers.start(peer, options.ranks(), cpus, report::note).ifPresent(cast::add);
      }
      TouchCost.lines(latency, wanted.sizes(), cast.variants()).forEach(report::note);
      measure(latency, wanted.sizes(), cast.variants(), ours);
      measure(bandwidth, wanted.sizes(), cast.variants(), ours);
      measure(rate, wanted.rateSizes(), cast.variants(), ours);
      measure(Kind.BARRIER, NO_PAYLOAD, cast.variants(), ours);
    }
    report.finish();
  }

  /** The names that "best core" is looked for among: one kind of memory and one way, like with like. */
  private Set<String> ours(List<CorePair> cores) {
    List<Memory> asked = wanted.memories(false);
    Memory one = asked.contains(Memory.NATIVE) ? Memory.NATIVE : asked.get(0);
    String way = wanted.ways().isEmpty() ? "" : RankOptions.suffix(wanted.ways().get(0));
    return cores.stream().map(pair -> pair.name() + one.suffix() + way).collect(Collectors.toSet());
  }

  /** Variants that failed in an earlier kind of run stay out. */
  private void measure(Kind kind, List<Integer> sizes, List<Variant> all, Set<String> ours)
      throws BenchException, InterruptedException {
    List<Variant> able = new ArrayList<>();
    for (Variant variant : all) {
      boolean any = sizes.stream().anyMatch(bytes -> variant.measures(kind, bytes));
      if (any && !out.contains(variant.name()) && !wanted.leavesOut(kind, variant.name())) {
        able.add(variant);
      }
    }
    if (!able.isEmpty()) {
      report.results(new Comparison(run(kind, sizes, able), ours));
    }
  }

  private Results run(Kind kind, List<Integer> sizes, List<Variant> variants)
      throws BenchException, InterruptedException {
    List<String> leftOut = new ArrayList<>();
    Results results = options.effort().measure(kind, sizes, variants, leftOut::add);
    leftOut.forEach(report::note);
    leftOut.forEach(line -> out.add(line.split(" ")[0]));
    return results;
  }
}
