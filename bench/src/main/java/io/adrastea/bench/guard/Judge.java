package io.adrastea.bench.guard;

import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CpuPair.Distance;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Effort;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.RankOptions;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.measure.Variant;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measures what promises are about: two ranks of each variant, the floor beside them. */
final class Judge {
  private static final double SECONDS = 0.05;
  private static final double LEAST_WARM_UP_SECONDS = 1;
  private static final int RANKS = 2;

  /**
   * How much is measured, and what is told of it.
   *
   * @param rounds how often all variants are gone through
   * @param warmUp uncounted seconds for each variant and size
   * @param forced what ranks that choose by themselves are compared with
   * @param figures whether what all ranks took is printed
   */
  record Scope(int rounds, double warmUp, List<Forced> forced, boolean figures) {}

  private final Scope scope;
  private final Cpus cpus;
  private final Distance placement;
  private final PrintWriter out;

  /** Creates a judge that measures on these CPUs, the first two of which lie so. */
  Judge(Scope scope, Cpus cpus, Distance placement, PrintWriter out) {
    this.scope = scope;
    this.cpus = cpus;
    this.placement = placement;
    this.out = out;
  }

  /**
   * The verdicts: on the promises that are made for the placement, in their order within each kind, and then on the
   * others, which are not measured.
   */
  List<Verdict> judge(List<Promise> promises)
      throws IOException, BenchException, InterruptedException {
    List<Promise> made = promises.stream().filter(promise -> promise.isFor(placement)).toList();
    List<Verdict> verdicts = new ArrayList<>();
    judgeTogether(made.stream().filter(promise -> !promise.forcesSettings()).toList(), verdicts);
    List<Promise> forced = made.stream().filter(Promise::forcesSettings).toList();
    for (String ranks : forced.stream().map(Promise::ranks).distinct().toList()) {
      judgeTogether(forced.stream().filter(promise -> promise.ranks().equals(ranks)).toList(), verdicts);
    }
    promises.stream().filter(promise -> !promise.isFor(placement)).map(promise -> Verdict.notFor(placement, promise))
        .forEach(verdicts::add);
    return verdicts;
  }

  /** Judges promises whose ranks all wait while the others are measured; so not too many at a time. */
  private void judgeTogether(List<Promise> promises, List<Verdict> verdicts)
      throws IOException, BenchException, InterruptedException {
    List<Kind> kinds = promises.stream().map(Promise::kind).distinct().toList();
    try (Cast cast = new Cast(kinds.toArray(Kind[]::new))) {
      if (promises.stream().anyMatch(promise -> !promise.forcesSettings())) {
        cast.addFloor(cpus).ifPresent(out::println);
      }
      addRanks(cast, promises);
      for (Kind kind : kinds) {
        judge(kind, promises.stream().filter(one -> one.kind().equals(kind)).toList(), cast.variants(), verdicts);
      }
    }
  }

  /** Starts ranks for every variant that works here; promises on others stay unmeasured. */
  private void addRanks(Cast cast, List<Promise> promises)
      throws IOException, BenchException, InterruptedException {
    List<String> usable =
        Cores.all().stream()
            .filter(core -> core.unavailabilityCause().isEmpty())
            .map(CoreProvider::name)
            .toList();
    Set<String> added = new HashSet<>();
    for (Promise promise : promises) {
      for (RankOptions options : usable.contains(promise.core()) ? options(promise) : List.<RankOptions>of()) {
        if (added.add(promise.core() + options.suffix())) {
          cast.addRanks(new CorePair(promise.core(), promise.core()), options, RANKS, cpus, out::println);
        }
      }
    }
  }

  /** Ranks as they come, and those with each setting that they are compared with. */
  private List<RankOptions> options(Promise promise) {
    List<RankOptions> all = new ArrayList<>(List.of(RankOptions.of(promise.memory())));
    if (promise.forcesSettings()) {
      scope.forced.stream().filter(forced -> forced.isFor(promise))
          .filter(forced -> promise.sizes().stream().anyMatch(forced::concerns))
          .forEach(forced -> all.add(forced.options(promise.memory())));
    }
    return all;
  }

  /** Measures sizes together that the same variants are measured at. */
  private void judge(Kind kind, List<Promise> promises, List<Variant> variants, List<Verdict> verdicts)
      throws BenchException, InterruptedException {
    Map<List<Variant>, List<Integer>> groups = new LinkedHashMap<>();
    promises.stream().flatMap(promise -> promise.sizes().stream()).distinct().sorted().forEach(bytes -> {
      List<Variant> some = variants.stream().filter(one -> concerns(one, kind, bytes, promises)).toList();
      groups.computeIfAbsent(some, any -> new ArrayList<>()).add(bytes);
    });
    Map<Integer, Results> found = new HashMap<>();
    for (Map.Entry<List<Variant>, List<Integer>> group : groups.entrySet()) {
      double warmUp = Math.max(LEAST_WARM_UP_SECONDS, scope.warmUp * group.getValue().size());
      Results results =
          new Effort(scope.rounds, SECONDS, warmUp).measure(kind, group.getValue(), group.getKey(), leftOut -> {});
      results.placements().ifPresent(line -> out.println(kind.command() + ": " + line));
      group.getValue().forEach(bytes -> found.put(bytes, results));
      if (scope.figures) {
        print(results);
      }
    }
    for (Promise promise : promises) {
      promise.sizes().forEach(bytes -> verdicts.add(Verdict.of(promise, bytes, found.get(bytes))));
    }
  }

  /** Prints what each variant took at each size. */
  private void print(Results results) {
    Table table = new Table();
    table.row("bench", "variant", "bytes", "ns");
    results.series().forEach(one -> table.row(results.kind().command(), one.variant(), "" + one.plan().bytes(),
        Table.number(one.nanos(50)) + one.star()));
    table.lines().forEach(out::println);
    out.flush();
  }

  /** Whether a variant is promised something at that size, or is what it is compared with. */
  private boolean concerns(Variant variant, Kind kind, int bytes, List<Promise> promises) {
    return promises.stream().filter(one -> one.sizes().contains(bytes)).anyMatch(one -> concerns(variant, kind, bytes,
        one));
  }

  private boolean concerns(Variant variant, Kind kind, int bytes, Promise promise) {
    if (variant.name().equals(promise.variant())) {
      return true;
    }
    return promise.forcesSettings()
        ? scope.forced.stream().filter(forced -> forced.isFor(promise) && forced.concerns(bytes))
            .anyMatch(forced -> variant.name().equals(promise.variant() + forced.suffix()))
        : kind.references().stream().anyMatch(one -> one.variant().equals(variant.name()));
  }
}
