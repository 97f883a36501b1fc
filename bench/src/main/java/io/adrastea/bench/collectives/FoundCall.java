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

  /** The series of our default core. */
  private Optional<Series> base(int bytes) {
    return ours.stream().findFirst().flatMap(name -> at(name, bytes));
  }

  private Optional<Series> betterPeer(int bytes) {
    return peers.stream().flatMap(peer -> at(peer, bytes).stream())
        .min(Comparator.comparingDouble(one -> one.nanos(50)));
  }

  private static Optional<Ratio> ratio(Optional<Series> over, Optional<Series> under) {
    return over.isPresent() && under.isPresent()
        ? Optional.of(Ratio.of(over.get(), under.get()))
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
        + series.star();
  }

  private static String text(Optional<Ratio> ratio) {
    return ratio.map(Ratio::toString).orElse(NONE);
  }

  /** The answer in a line; none without ours or without peers. */
  Optional<String> said() {
    Told told = new Told();
    for (int bytes : sizes()) {
      ratio(base(bytes), betterPeer(bytes)).ifPresent(
          one -> told.add(one, "%s of %s".formatted(one, betterPeer(bytes).orElseThrow().variant()), bytes));
    }
    return told.line(ours.isEmpty() ? "" : ours.get(0) + " takes ");
  }

  /** What is said of this call at some sizes; of what was not warm no ratio is told. */
  private final class Told {
    private final List<String> ratios = new ArrayList<>();
    private final List<String> cold = new ArrayList<>();

    void add(Ratio ratio, String words, int bytes) {
      if (ratio.warm()) {
        ratios.add(words + at(bytes));
      } else {
        cold.add(at(bytes));
      }
    }

    /** The line, whose ratios have {@code verb} before them; nothing where there is nothing to tell. */
    Optional<String> line(String verb) {
      List<String> parts = new ArrayList<>();
      if (!ratios.isEmpty()) {
        parts.add(verb + String.join(", ", ratios));
      }
      if (!cold.isEmpty()) {
        parts.add(Series.NO_VERDICT.formatted(String.join(",", cold)));
      }
      return parts.isEmpty() ? Optional.empty()
          : Optional.of("%d ranks, %s: %s".formatted(ranks, call.title(), String.join("; ", parts)));
    }
  }

  /** The time of this call over that of another, at each size; none where one of them was not measured. */
  Optional<String> saidOver(FoundCall other) {
    Told told = new Told();
    for (int bytes : sizes()) {
      ratio(base(bytes), other.base(bytes)).ifPresent(one -> told.add(one, one.toString(), bytes));
    }
    return told.line("%s takes, of its time of %s, ".formatted(ours.get(0), other.call.title()));
  }

  /** What of the calls hid behind the computing of this one; a line for each variant that has all three. */
  List<String> saidHidden(FoundCall alone, FoundCall compute) {
    List<String> lines = new ArrayList<>();
    for (String variant : variants()) {
      Told told = new Told();
      for (int bytes : sizes()) {
        Optional<Series> calls = alone.at(variant, bytes);
        Optional<Series> computing = compute.at(variant, bytes);
        if (calls.isPresent() && computing.isPresent()) {
          Ratio hidden = Ratio.hidden(calls.get(), computing.get(), at(variant, bytes).orElseThrow());
          told.add(hidden, String.format(Locale.ROOT, "%.0f %%", 100 * hidden.median()), bytes);
        }
      }
      told.line(variant + " hides ").ifPresent(lines::add);
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
          .ifPresent(ratio -> points.add(new Point(at, ratio.low(), ratio.median(), ratio.high(), !ratio.warm())));
    }
    return points;
  }

  private Role role(String variant) {
    return variant.equals(FloorVariant.NAME) ? Role.FLOOR : ours.contains(variant) ? Role.OURS : Role.PEER;
  }

  /** Figures, one a line: the bench of a line is the call and the number of ranks, as in {@code bcast/4}. */
  List<String> csv() {
    return results.series().stream()
        .flatMap(one -> Csv.lines("%s/%d".formatted(call.title(), ranks), one.plan().bytes(), one).stream())
        .toList();
  }
}
