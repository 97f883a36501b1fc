package io.adrastea.cli.bench;

import io.adrastea.cli.host.AllowedCpus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The lines above the table: what was measured, on what, and how. */
final class Heading {
  private Heading() {}

  static List<String> lines(Kind kind, BenchOptions options, Cpus cpus, Machine machine) {
    List<String> lines = new ArrayList<>();
    lines.add(what(kind));
    lines.add("machine  " + machine.cpu() + "; " + machine.kernel());
    lines.add("ranks    " + who(options.ranks(), cpus));
    lines.add("CPUs     " + used(options.ranks(), cpus));
    lines.add("JVM      " + machine.jvm());
    lines.add(
        String.format(
            Locale.ROOT,
            "rounds   %d, each %s s per variant and size; warm-up %s s per variant, not counted",
            options.rounds(),
            options.seconds(),
            options.warmUp()));
    lines.add(
        String.format(
            Locale.ROOT,
            "batch    exchanges timed together, about %.0f us; p50, p99 over batches",
            Plan.BATCH_NANOS / 1000));
    lines.addAll(floor(kind));
    return lines;
  }

  private static String what(Kind kind) {
    return kind == Kind.LATENCY
        ? "adrastea bench latency: send and recv, one way = round trip / 2"
        : "adrastea bench bandwidth: isend and irecv, a stream from rank to rank, median batch";
  }

  private static String who(int ranks, Cpus cpus) {
    int cpuCount = Math.min(cpus.used().size(), Math.max(2, ranks));
    String pairs = ranks == 2 ? "" : " in " + ranks / 2 + " pairs at once, figures per pair";
    return ranks
        + pairs
        + (ranks > cpuCount ? "; they share the CPUs and yield to each other" : "");
  }

  private static String used(int ranks, Cpus cpus) {
    AllowedCpus used = new AllowedCpus(cpus.used().stream().limit(Math.max(2, ranks)).toList());
    return used + " (floor and ranks are pinned), allowed " + cpus.allowed();
  }

  private static List<String> floor(Kind kind) {
    String spread =
        "x floor  median over rounds of the ratio within the round, +- half the interquartile"
            + " range";
    return kind == Kind.LATENCY
        ? List.of(
            "floor    two C processes, ring of 64-byte slots, flag and payload in one line",
            "line     two C processes, each writes its own line and spins on the other's",
            spread)
        : List.of("floor    two C processes, one copies with memcpy what the other wrote", spread);
  }
}
