package io.adrastea.bench.collectives;

import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.page.RatioChart;
import io.adrastea.bench.page.RatioChart.Point;
import io.adrastea.bench.page.RatioChart.RatioCurve;
import io.adrastea.bench.page.RatioChart.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What was found of one call with one number of ranks.
 *
 * @param ours the names of our variants, that of the default core first; may be empty
 * @param peers the names of those beside us
 */
record FoundCall(Call call, int ranks, Results results, List<String> ours, List<String> peers) {
  private static final String NONE = "-";

  /** Copies the lists. */
  FoundCall {
    ours = List.copyOf(ours);
    peers = List.copyOf(peers);
  }

  List<Integer> sizes() {
    return results.series().stream().map(one -> one.plan().bytes()).distinct().toList();
  }

  private List<String> variants() {
    return results.series().stream().map(Series::variant).distinct().toList();
  }

  Optional<Series> at(String variant, int bytes) {
    return results.series().stream()
        .filter(one -> one.variant().equals(variant) && one.plan().bytes() == bytes)
        .findFirst();
  }

  /** That of our default core. */
  private Optional<Series> base(int bytes) {
    return ours.stream().findFirst().flatMap(name -> at(name, bytes));
  }

  private Optional<Series> betterPeer(int bytes) {
    return peers.stream().flatMap(peer -> at(peer, bytes).stream())
        .min(Comparator.comparingDouble(one -> one.nanos(50)));
  }

  private static Optional<Ratio> ratio(Optional<Series> over, Optional<Series> under) {
    return over.isPresent() && under.isPresent()
        ? Optional.of(Ratio.of(over.get().medians(), under.get().medians()))
        : Optional.empty();
  }

  /** A row for each size: times in microseconds in the order of {@code columns}, then ratios. */
  List<List<String>> rows(List<String> columns) {
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : sizes()) {
      List<String> row = new ArrayList<>(List.of(call.title(), "" + bytes));
      columns.forEach(variant -> row.add(at(variant, bytes).map(FoundCall::micros).orElse(NONE)));
      row.add(text(ratio(base(bytes), betterPeer(bytes))));
      row.add(text(ratio(base(bytes), at(FloorVariant.NAME, bytes))));
      rows.add(row);
    }
    return rows;
  }

  private static String micros(Series series) {
    double micros = series.nanos(50) / 1000;
    return String.format(Locale.ROOT, micros < 10 ? "%.3f" : micros < 1000 ? "%.1f" : "%.0f", micros)
        + (series.isCold() ? "*" : "");
  }

  private static String text(Optional<Ratio> ratio) {
    return ratio.map(Ratio::toString).orElse(NONE);
  }

  /** The answer in a line; none without ours or without peers. */
  Optional<String> said() {
    List<String> told = new ArrayList<>();
    for (int bytes : sizes()) {
      ratio(base(bytes), betterPeer(bytes)).ifPresent(
          one -> told.add("%s of %s%s".formatted(one, betterPeer(bytes).orElseThrow().variant(), at(bytes))));
    }
    return told.isEmpty()
        ? Optional.empty()
        : Optional.of("%d ranks, %s: %s takes %s".formatted(ranks, call.title(), ours.get(0),
            told.stream().collect(Collectors.joining(", "))));
  }

  /** The time of this call over that of another, at each size; none where one of them was not measured. */
  Optional<String> saidOver(FoundCall other) {
    List<String> told = new ArrayList<>();
    for (int bytes : sizes()) {
      ratio(base(bytes), other.base(bytes)).ifPresent(one -> told.add(one + at(bytes)));
    }
    return told.isEmpty()
        ? Optional.empty()
        : Optional.of("%d ranks, %s: %s takes, of its time of %s, %s"
            .formatted(ranks, call.title(), ours.get(0), other.call.title(), String.join(", ", told)));
  }

  /** What of the calls hid behind the computing of this one; a line for each variant that has all three. */
  List<String> saidHidden(FoundCall alone, FoundCall compute) {
    List<String> lines = new ArrayList<>();
    for (String variant : variants()) {
      List<String> told = new ArrayList<>();
      for (int bytes : sizes()) {
        Optional<Series> calls = alone.at(variant, bytes);
        Optional<Series> computing = compute.at(variant, bytes);
        if (calls.isPresent() && computing.isPresent()) {
          double hidden = Ratio.hidden(calls.get().medians(), computing.get().medians(),
              at(variant, bytes).orElseThrow().medians()).median();
          told.add(String.format(Locale.ROOT, "%.0f %%%s", 100 * hidden, at(bytes)));
        }
      }
      if (!told.isEmpty()) {
        lines.add("%d ranks, %s: %s hides %s".formatted(ranks, call.title(), variant, String.join(", ", told)));
      }
    }
    return lines;
  }

  private static String at(int bytes) {
    return bytes == 0 ? "" : " at " + Sizes.text(bytes);
  }

  /** Times relative to those of our default core; none where nothing stands beside them. */
  Optional<RatioChart> ratioChart() {
    List<RatioCurve> curves = new ArrayList<>();
    for (String variant : variants()) {
      List<Point> points = points(variant);
      if (!points.isEmpty()) {
        curves.add(new RatioCurve(variant, role(variant), points));
      }
    }
    return curves.size() < 2
        ? Optional.empty()
        : Optional.of(new RatioChart("%s, %d ranks: time, %s = 1".formatted(call.title(), ranks, ours.get(0)),
            ours.get(0), "bytes of a part", sizes().stream().map(Sizes::text).toList(), curves));
  }

  private List<Point> points(String variant) {
    List<Point> points = new ArrayList<>();
    for (int column = 0; column < sizes().size(); column++) {
      int at = column;
      int bytes = sizes().get(column);
      ratio(at(variant, bytes), base(bytes))
          .ifPresent(ratio -> points.add(new Point(at, ratio.low(), ratio.median(), ratio.high())));
    }
    return points;
  }

  private Role role(String variant) {
    return variant.equals(FloorVariant.NAME) ? Role.FLOOR : ours.contains(variant) ? Role.OURS : Role.PEER;
  }

  /** Figures, one a line: the bench of a line is the call and the number of ranks, as in {@code bcast/4}. */
  List<String> csv() {
    List<String> lines = new ArrayList<>();
    for (Series series : results.series()) {
      String start = "%s/%d,%s,%d,".formatted(call.title(), ranks, series.variant(), series.plan().bytes());
      lines.add(start + figure("p50", series.nanos(50)));
      lines.add(start + figure("p99", series.nanos(99)));
      lines.add(start + figure("mean", series.meanNanos()));
      for (int round = 0; round < series.medians().size(); round++) {
        lines.add(start + figure(Csv.ROUND + (round + 1), series.medians().get(round)));
      }
    }
    return lines;
  }

  private static String figure(String metric, double nanos) {
    return String.format(Locale.ROOT, "%s,%.2f,ns", metric, nanos);
  }
}
