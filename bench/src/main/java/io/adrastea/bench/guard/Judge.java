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
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.measure.Ways;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Measures what promises are about: two ranks of each variant, the floor beside them. */
final class Judge {
  private static final double SECONDS = 0.05;
  private static final double WARM_UP_SECONDS = 2;
  private static final int RANKS = 2;

  private final int rounds;
  private final Cpus cpus;
  private final Distance placement;
  private final PrintWriter out;

  /** On these CPUs, the first two of which lie so. */
  Judge(int rounds, Cpus cpus, Distance placement, PrintWriter out) {
    this.rounds = rounds;
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
    List<Verdict> verdicts = new ArrayList<>(made.isEmpty() ? List.of() : judgeMade(made));
    promises.stream().filter(promise -> !promise.isFor(placement)).map(promise -> Verdict.notFor(placement, promise))
        .forEach(verdicts::add);
    return verdicts;
  }

  private List<Verdict> judgeMade(List<Promise> promises)
      throws IOException, BenchException, InterruptedException {
    List<Kind> kinds = promises.stream().map(Promise::kind).distinct().toList();
    List<Verdict> verdicts = new ArrayList<>();
    try (Cast cast = new Cast(kinds.toArray(Kind[]::new))) {
      cast.addFloor(cpus).ifPresent(out::println);
      addRanks(cast, promises);
      for (Kind kind : kinds) {
        List<Promise> some = promises.stream().filter(one -> one.kind().equals(kind)).toList();
        Results results = measure(kind, some, cast);
        results.placements().ifPresent(line -> out.println(kind.command() + ": " + line));
        some.forEach(promise -> verdicts.add(Verdict.of(promise, results)));
      }
    }
    return verdicts;
  }

  /** Ranks for every variant that works here; promises on others stay unmeasured. */
  private void addRanks(Cast cast, List<Promise> promises)
      throws IOException, BenchException, InterruptedException {
    List<String> usable =
        Cores.all().stream()
            .filter(core -> core.unavailabilityCause().isEmpty())
            .map(CoreProvider::name)
            .toList();
    Set<String> added = new HashSet<>();
    for (Promise promise : promises) {
      if (usable.contains(promise.core()) && added.add(promise.ranks())) {
        CorePair pair = new CorePair(promise.core(), promise.core());
        cast.addRanks(pair, RankOptions.of(promise.memory()), RANKS, cpus, out::println);
      }
    }
    for (Promise promise : promises) {
      if (promise.forcesWays() && usable.contains(promise.core())) {
        addWays(cast, promise, added);
      }
    }
  }

  /** Ranks that are forced to each way that a rank has here. */
  private void addWays(Cast cast, Promise promise, Set<String> added)
      throws IOException, BenchException, InterruptedException {
    CorePair pair = new CorePair(promise.core(), promise.core());
    for (RankOptions options : RankOptions.each(List.of(promise.memory()), Ways.all())) {
      if (added.add(promise.core() + options.suffix())) {
        cast.addRanks(pair, options, RANKS, cpus, out::println);
      }
    }
  }

  private Results measure(Kind kind, List<Promise> promises, Cast cast)
      throws BenchException, InterruptedException {
    List<Integer> sizes = promises.stream().map(Promise::bytes).distinct().sorted().toList();
    List<Variant> variants =
        cast.variants().stream().filter(one -> concerns(one, kind, promises)).toList();
    return new Effort(rounds, SECONDS, WARM_UP_SECONDS).measure(kind, sizes, variants, leftOut -> {});
  }

  /** Whether a variant is promised something of that kind, or is what it is compared with. */
  private static boolean concerns(Variant variant, Kind kind, List<Promise> promises) {
    return kind.references().stream().anyMatch(one -> one.variant().equals(variant.name()))
        || promises.stream().anyMatch(one -> one.variant().equals(variant.name())
            || one.forcesWays() && variant.name().startsWith(one.variant() + "/"));
  }
}
