package io.adrastea.bench;

import io.adrastea.bench.peer.Peer;
import io.adrastea.cli.bench.BenchException;
import io.adrastea.cli.bench.BenchOptions;
import io.adrastea.cli.bench.Cast;
import io.adrastea.cli.bench.CorePair;
import io.adrastea.cli.bench.Cpus;
import io.adrastea.cli.bench.Kind;
import io.adrastea.cli.bench.Progress;
import io.adrastea.cli.bench.Results;
import io.adrastea.cli.bench.Rounds;
import io.adrastea.cli.bench.Variant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The run: all variants alive at once, one kind after the other, every variant in each round. */
final class Compare {
  private static final List<Integer> NO_PAYLOAD = List.of(0);

  private final BenchOptions options;
  private final List<Integer> sizes;
  private final List<Integer> rateSizes;
  private final Report report;
  private final Set<String> out = new HashSet<>();

  Compare(BenchOptions options, List<Integer> sizes, List<Integer> rateSizes, Report report) {
    this.options = options;
    this.sizes = sizes;
    this.rateSizes = rateSizes;
    this.report = report;
  }

  void run(Cpus cpus, List<CorePair> cores, List<Peer> peers)
      throws BenchException, IOException, InterruptedException {
    report.begin(cpus);
    Set<String> ours = cores.stream().map(CorePair::name).collect(Collectors.toSet());
    try (Cast cast = new Cast(Kind.LATENCY, Kind.BANDWIDTH, Kind.RATE, Kind.BARRIER)) {
      cast.addFloor(cpus).ifPresent(report::note);
      cast.addCores(cores, 2, cpus);
      for (Peer peer : peers) {
        start(peer, cpus).ifPresent(cast::add);
      }
      measure(Kind.LATENCY, sizes, cast.variants(), ours);
      measure(Kind.BANDWIDTH, sizes, cast.variants(), ours);
      measure(Kind.RATE, rateSizes, cast.variants(), ours);
      measure(Kind.BARRIER, NO_PAYLOAD, cast.variants(), ours);
    }
    report.finish();
  }

  private Optional<Variant> start(Peer peer, Cpus cpus) throws InterruptedException {
    if (peer.missing().isPresent()) {
      report.note(peer.name() + " is left out: " + peer.missing().get());
      return Optional.empty();
    }
    try {
      return Optional.of(peer.start(cpus));
    } catch (BenchException | IOException e) {
      report.note(peer.name() + " is left out: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Variants that failed in an earlier kind of run stay out. */
  private void measure(Kind kind, List<Integer> sizes, List<Variant> all, Set<String> ours)
      throws BenchException, InterruptedException {
    List<Variant> able = new ArrayList<>();
    for (Variant variant : all) {
      boolean any = sizes.stream().anyMatch(bytes -> variant.measures(kind, bytes));
      if (any && !out.contains(variant.name())) {
        able.add(variant);
      }
    }
    if (!able.isEmpty()) {
      report.results(new Comparison(run(kind, sizes, able), ours));
    }
  }

  private Results run(Kind kind, List<Integer> sizes, List<Variant> variants)
      throws BenchException, InterruptedException {
    long steps = Rounds.steps(sizes.size(), variants.size(), options.rounds());
    try (Progress progress = Progress.of(steps, Path.of("/proc"))) {
      Rounds rounds = new Rounds(kind, sizes, variants, progress);
      Results results =
          new Results(kind, rounds.run(options.rounds(), options.seconds(), options.warmUp()));
      rounds.leftOut().forEach(report::note);
      rounds.leftOut().forEach(line -> out.add(line.split(" ")[0]));
      return results;
    }
  }
}
