package io.adrastea.bench.collectives;

import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.bench.page.RatioChart;
import io.adrastea.bench.page.RatioChart.Point;
import io.adrastea.bench.page.RatioChart.RatioCurve;
import io.adrastea.bench.page.RatioChart.Role;
import io.adrastea.bench.peer.JobFigures;
import io.adrastea.bench.peer.JobRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What was found of one call with one number of ranks. */
record FoundCall(Call call, JobFigures figures) {
  /** A row for each size: times in microseconds in the order of {@code columns}, then ratios. */
  List<List<String>> rows(List<String> columns) {
    List<List<String>> rows = new ArrayList<>();
    for (int bytes : figures.sizes()) {
      List<String> row = new ArrayList<>(List.of(call.title(), "" + bytes));
      columns.forEach(variant -> row.add(figures.at(variant, bytes).map(FoundCall::micros).orElse(JobFigures.NONE)));
      row.add(JobFigures.text(overPeer(bytes)));
      row.add(JobFigures.text(JobFigures.ratio(figures.base(bytes), figures.at(JobRun.FLOOR, bytes))));
      rows.add(row);
    }
    return rows;
  }

  private static String micros(Series series) {
    double micros = series.nanos(50) / 1000;
    return String.format(Locale.ROOT, micros < 10 ? "%.3f" : micros < 1000 ? "%.1f" : "%.0f", micros)
        + series.star();
  }

  private Optional<Ratio> overPeer(int bytes) {
    return JobFigures.ratio(figures.base(bytes), figures.bestPeer(bytes));
  }

  /** The answer in a line; none without ours or without peers. */
  Optional<String> said() {
    Told told = new Told();
    for (int bytes : figures.sizes()) {
      overPeer(bytes).ifPresent(
          one -> told.add(one, "%s of %s".formatted(one, figures.bestPeer(bytes).orElseThrow().variant()), bytes));
    }
    return told.line(figures.ours().isEmpty() ? "" : figures.ours().get(0) + " takes ");
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
          : Optional.of("%d ranks, %s: %s".formatted(figures.ranks(), call.title(), String.join("; ", parts)));
    }
  }

  /** The time of this call over that of another, at each size; none where one of them was not measured. */
  Optional<String> saidOver(FoundCall other) {
    Told told = new Told();
    for (int bytes : figures.sizes()) {
      JobFigures.ratio(figures.base(bytes), other.figures.base(bytes))
          .ifPresent(one -> told.add(one, one.toString(), bytes));
    }
    return told.line("%s takes, of its time of %s, ".formatted(figures.ours().get(0), other.call.title()));
  }

  /** What of the calls hid behind the computing of this one; a line for each variant that has all three. */
  List<String> saidHidden(FoundCall alone, FoundCall compute) {
    List<String> lines = new ArrayList<>();
    for (String variant : figures.variants()) {
      Told told = new Told();
      for (int bytes : figures.sizes()) {
        Optional<Series> calls = alone.figures.at(variant, bytes);
        Optional<Series> computing = compute.figures.at(variant, bytes);
        if (calls.isPresent() && computing.isPresent()) {
          Ratio hidden = Ratio.hidden(calls.get(), computing.get(), figures.at(variant, bytes).orElseThrow());
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
    for (String variant : figures.variants()) {
      List<Point> points = points(variant);
      if (!points.isEmpty()) {
        curves.add(new RatioCurve(variant, role(variant), points));
      }
    }
    return curves.size() < 2
        ? Optional.empty()
        : Optional.of(
            new RatioChart("%s, %d ranks: time, %s = 1".formatted(call.title(), figures.ranks(), figures.ours().get(0)),
                figures.ours().get(0), "bytes of a part", figures.sizes().stream().map(Sizes::text).toList(), curves));
  }

  private List<Point> points(String variant) {
    List<Point> points = new ArrayList<>();
    for (int column = 0; column < figures.sizes().size(); column++) {
      int at = column;
      int bytes = figures.sizes().get(column);
      JobFigures.ratio(figures.at(variant, bytes), figures.base(bytes))
          .ifPresent(ratio -> points.add(new Point(at, ratio.low(), ratio.median(), ratio.high(), !ratio.warm())));
    }
    return points;
  }

  private Role role(String variant) {
    return variant.equals(JobRun.FLOOR) ? Role.FLOOR : figures.ours().contains(variant) ? Role.OURS : Role.PEER;
  }
}
