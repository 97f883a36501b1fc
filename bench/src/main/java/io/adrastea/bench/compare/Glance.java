package io.adrastea.bench.compare;

import io.adrastea.bench.compare.Figures.Entry;
import io.adrastea.bench.measure.Groups;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.measure.Table;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Chart.Axis;
import io.adrastea.bench.page.Curve;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.RatioChart;
import io.adrastea.bench.page.RatioChart.Point;
import io.adrastea.bench.page.RatioChart.RatioCurve;
import io.adrastea.bench.page.RatioChart.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What one bench found, for the page: each variant's time relative to that of our default core, in the rounds of each
 * placement of the CPUs; then the curves and the figures behind it.
 */
final class Glance {
  private static final String NONE = "-";
  private static final String FLOOR = "floor";

  /** References of a bench other than the floor that ratios are taken to. */
  private static final Set<String> BESIDE = Set.of("line");

  private final String bench;
  private final List<Entry> entries;
  private final List<String> variants;
  private final List<Integer> sizes;
  private final List<List<Integer>> groups;
  private final Optional<String> base;
  private final Set<String> cores;

  /**
   * @param entries of one bench
   * @param cores the names of the cores there are
   */
  Glance(String bench, List<Entry> entries, Set<String> cores) {
    this.bench = bench;
    this.entries = entries;
    this.cores = cores;
    this.variants = entries.stream().map(Entry::variant).distinct().toList();
    this.sizes = entries.stream().map(Entry::bytes).distinct().sorted().toList();
    this.base = variants.stream().filter(this::isOurs).findFirst();
    this.groups = groups();
  }

  private static boolean isReference(String variant) {
    return variant.equals(FLOOR) || BESIDE.contains(variant);
  }

  /**
   * A core, a pair of cores, or one of them with its messages in another memory, by a forced way, or by other calls.
   */
  private boolean isOurs(String variant) {
    return Arrays.stream(variant.replaceFirst("[/ ].*", "").split("-"))
        .allMatch(word -> cores.contains(word)
            || word.equals(Memory.ARRAY.word()) || word.equals(Memory.SHARED.word()));
  }

  /** The rounds by the floor in them; all rounds where there is no floor, or a file without rounds. */
  private List<List<Integer>> groups() {
    int rounds = entries.stream().mapToInt(entry -> entry.medians().size()).min().orElse(0);
    List<List<Double>> floors = entries.stream()
        .filter(entry -> entry.variant().equals(FLOOR))
        .map(entry -> entry.medians().subList(0, rounds))
        .toList();
    List<List<Integer>> told = Groups.of(floors).rounds();
    return told.isEmpty() ? List.of(IntStream.range(0, rounds).boxed().toList()) : told;
  }

  /** Whether rounds met the CPUs near and far. */
  boolean twoPlacements() {
    return groups.size() > 1;
  }

  /**
   * A picture for each placement; none of what carries no message, without a core of ours, or with nobody beside it.
   */
  List<RatioChart> ratios() {
    List<RatioChart> charts = new ArrayList<>();
    boolean comparable = base.isPresent() && variants.size() > 1 && !sizes.equals(List.of(0));
    for (int group = 0; comparable && group < groups.size(); group++) {
      List<RatioCurve> curves = new ArrayList<>();
      for (String variant : variants) {
        if (!BESIDE.contains(variant)) {
          Role role = variant.equals(FLOOR) ? Role.FLOOR : isOurs(variant) ? Role.OURS : Role.PEER;
          curves.add(new RatioCurve(variant, role, points(variant, groups.get(group))));
        }
      }
      charts.add(new RatioChart(title(group), base.get(), "message size [bytes]",
          sizes.stream().map(Sizes::text).toList(), curves));
    }
    return charts;
  }

  private String title(int group) {
    String what = "time of a message, " + base.get() + " = 1";
    if (groups.size() < 2) {
      return bench + ": " + what;
    }
    int all = groups.stream().mapToInt(List::size).sum();
    return "%s, CPUs %s in %d of %d rounds: %s"
        .formatted(bench, Groups.name(group), groups.get(group).size(), all, what);
  }

  private List<Point> points(String variant, List<Integer> rounds) {
    List<Point> points = new ArrayList<>();
    for (int column = 0; column < sizes.size(); column++) {
      int bytes = sizes.get(column);
      Optional<Ratio> ratio = entry(variant, bytes).flatMap(one -> ratio(one, base.get(), rounds));
      if (ratio.isPresent()) {
        points.add(new Point(column, ratio.get().low(), ratio.get().median(), ratio.get().high(),
            !ratio.get().warm()));
      }
    }
    return points;
  }

  private Optional<Entry> entry(String variant, int bytes) {
    return entries.stream()
        .filter(entry -> entry.variant().equals(variant) && entry.bytes() == bytes)
        .findFirst();
  }

  private Optional<Ratio> ratio(Entry one, String to, List<Integer> rounds) {
    return entry(to, one.bytes())
        .map(other -> Ratio.of(of(one, rounds), of(other, rounds)).warm(!one.isCold() && !other.isCold()));
  }

  private static List<Double> of(Entry entry, List<Integer> rounds) {
    return rounds.stream().map(entry.medians()::get).toList();
  }

  /** Whether some of the figures were not warm. */
  boolean isCold() {
    return entries.stream().anyMatch(Entry::isCold);
  }

  /** Raw curves of what the figures tell; of one size, bars. */
  List<Chart> charts() {
    List<Chart> charts = new ArrayList<>();
    Map<String, String> metrics = new LinkedHashMap<>();
    if (isTime()) {
      metrics.put("p50", "Median of batches [ns]");
    } else {
      metrics.put("MBps", "Median rate in bytes [MB/s]");
      metrics.put("msgps", "Median rate in messages [messages/s]");
    }
    metrics.put("p99", "99th percentile of batches [ns]");
    metrics.put("p999", "99.9th percentile of batches [ns]");
    metrics.forEach((metric, label) -> {
      List<Curve> curves = variants.stream()
          .map(variant -> curve(variant, metric)).filter(curve -> !curve.x().isEmpty()).toList();
      if (!curves.isEmpty()) {
        charts.add(new Chart(bench + ": " + label, Axis.bytes(), Axis.log(label.replaceAll(".*\\[|]", "")), curves));
      }
    });
    return charts;
  }

  private boolean isTime() {
    return entries.get(0).isTime();
  }

  private Curve curve(String variant, String metric) {
    List<Entry> own = entries.stream()
        .filter(entry -> entry.variant().equals(variant) && entry.metric(metric).isPresent()).toList();
    return new Curve(variant, isReference(variant),
        own.stream().map(entry -> (double) entry.bytes()).toList(),
        own.stream().map(entry -> entry.metric(metric).orElseThrow()).toList(),
        own.stream().filter(Entry::isCold).map(entry -> (double) entry.bytes()).collect(Collectors.toSet()));
  }

  /** The figures, with times relative to our default core and to the floor. */
  Grid grid() {
    List<String> head = new ArrayList<>(List.of("variant", "bytes"));
    head.addAll(isTime() ? List.of() : List.of("[MB/s]", "[messages/s]"));
    head.addAll(List.of("p50 [ns]", "p99", "p99.9", "mean"));
    for (String to : List.of(base.orElse("our core"), FLOOR)) {
      for (int group = 0; group < groups.size(); group++) {
        head.add("x " + to + (groups.size() > 1 ? " " + Groups.name(group) : ""));
      }
    }
    return new Grid(bench, head, entries.stream().map(this::row).toList());
  }

  private List<String> row(Entry one) {
    List<String> row = new ArrayList<>(List.of(one.variant(), "" + one.bytes()));
    List<String> metrics =
        isTime() ? List.of("p50", "p99", "p999", "mean") : List.of("MBps", "msgps", "p50", "p99", "p999", "mean");
    for (String metric : metrics) {
      OptionalDouble value = one.metric(metric);
      String star = one.isCold() && metric.equals(metrics.get(0)) ? Series.STAR : "";
      row.add(value.isPresent() ? Table.number(value.getAsDouble()) + star : NONE);
    }
    for (String to : List.of(base.orElse(NONE), FLOOR)) {
      for (List<Integer> rounds : groups) {
        row.add(ratio(one, to, rounds).map(Ratio::toString).orElse(NONE));
      }
    }
    return row;
  }
}
