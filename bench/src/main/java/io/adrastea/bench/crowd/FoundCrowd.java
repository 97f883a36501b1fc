package io.adrastea.bench.crowd;

import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.RatioChart;
import io.adrastea.bench.page.RatioChart.Point;
import io.adrastea.bench.page.RatioChart.RatioCurve;
import io.adrastea.bench.page.RatioChart.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was found of jobs with one number of ranks.
 *
 * @param all by variant, in each situation
 * @param ours the names of our variants, that of the default core as it comes first
 * @param peers the names of those beside us
 */
record FoundCrowd(Map<Situation, Map<String, Spells>> all, List<String> ours, List<String> peers) {
  private static final String NONE = "-";
  private static final double MEDIAN = 0.5;
  private static final double MOST = 0.9;

  /** Copies the lists. */
  FoundCrowd {
    all = new LinkedHashMap<>(all);
    ours = List.copyOf(ours);
    peers = List.copyOf(peers);
  }

  private List<Call> calls() {
    return all.keySet().stream().map(Situation::call).distinct().toList();
  }

  private List<Situation> of(Call call) {
    return all.keySet().stream().filter(situation -> situation.call().equals(call)).toList();
  }

  private List<String> variants() {
    return Stream.concat(ours.stream(), peers.stream()).toList();
  }

  private Optional<Spells> at(Situation situation, String variant) {
    return Optional.ofNullable(all.getOrDefault(situation, Map.of()).get(variant));
  }

  /** Returns the same call with nothing beside it. */
  private Optional<Spells> alone(Situation situation, String variant) {
    return at(new Situation(situation.ranks(), situation.call(), Beside.ALONE), variant);
  }

  private Optional<Spells> bestPeer(Situation situation) {
    return peers.stream().flatMap(peer -> at(situation, peer).stream())
        .min(Comparator.comparingDouble(one -> one.nanos(MEDIAN)));
  }

  private static Optional<Ratio> ratio(Optional<Spells> over, Optional<Spells> under) {
    return over.isPresent() && under.isPresent()
        ? Optional.of(Ratio.of(over.get().medians(), under.get().medians())
            .warm(!over.get().isCold() && !under.get().isCold()))
        : Optional.empty();
  }

  private static String text(Optional<Ratio> ratio) {
    return ratio.map(Ratio::toString).orElse(NONE);
  }

  /** Microseconds with as many digits as they deserve. */
  static String micros(double nanos) {
    double micros = nanos / 1000;
    return String.format(Locale.ROOT, micros < 10 ? "%.3f" : micros < 1000 ? "%.1f" : "%.0f", micros);
  }

  /** For each call a table that has a row for each variant beside each of what runs beside it. */
  List<Grid> details() {
    return calls().stream().map(this::details).toList();
  }

  private Grid details(Call call) {
    List<List<String>> rows = new ArrayList<>();
    for (Situation situation : of(call)) {
      for (String variant : variants()) {
        at(situation, variant).ifPresent(spells -> rows.add(List.of(
            situation.beside().word(), variant, micros(spells.nanos(MEDIAN)) + (spells.isCold() ? Series.STAR : ""),
            micros(spells.nanos(MOST)), micros(spells.worst()),
            peers.contains(variant) ? NONE : text(ratio(Optional.of(spells), bestPeer(situation))),
            text(ratio(Optional.of(spells), alone(situation, variant))))));
      }
    }
    return new Grid(caption(call),
        List.of("beside", "variant", "median [us]", "p90", "worst", "/best peer", "/alone"), rows);
  }

  /** For each call a table that has a row for each of what runs beside it, and medians alone. */
  List<Grid> summary() {
    return calls().stream().map(this::summary).toList();
  }

  private Grid summary(Call call) {
    List<String> head = new ArrayList<>(List.of("beside"));
    variants().forEach(variant -> head.add(head.size() == 1 ? variant + " [us]" : variant));
    ours.stream().limit(1).forEach(variant -> head.add(variant + "/best peer"));
    List<List<String>> rows = new ArrayList<>();
    for (Situation situation : of(call)) {
      List<String> row = new ArrayList<>(List.of(situation.beside().word()));
      variants().forEach(variant -> row.add(at(situation, variant)
          .map(spells -> micros(spells.nanos(MEDIAN)) + (spells.isCold() ? Series.STAR : "")).orElse(NONE)));
      ours.stream().limit(1).forEach(variant -> row.add(text(ratio(at(situation, variant), bestPeer(situation)))));
      rows.add(row);
    }
    return new Grid(caption(call) + ", medians", head, rows);
  }

  private String caption(Call call) {
    return "%d ranks: %s".formatted(of(call).getFirst().ranks(), call.title());
  }

  /** The answer: a line for each call and each variant of ours. */
  List<String> said() {
    List<String> lines = new ArrayList<>();
    for (Call call : calls()) {
      for (String variant : ours) {
        said(call, variant).ifPresent(words -> lines.add("%s, %s: %s".formatted(caption(call), variant, words)));
      }
    }
    return lines;
  }

  /** Returns what is said of a variant's call, without a ratio of what was not warm. */
  private Optional<String> said(Call call, String variant) {
    List<String> parts = new ArrayList<>();
    List<String> cold = new ArrayList<>();
    for (Situation situation : of(call)) {
      String beside = situation.beside().word();
      List<String> ratios = ratios(situation, variant);
      if (!ratios.isEmpty()) {
        parts.add("beside %s %s".formatted(beside, String.join(" and ", ratios)));
      } else if (at(situation, variant).filter(Spells::isCold).isPresent()) {
        cold.add(beside);
      }
    }
    if (!cold.isEmpty()) {
      parts.add(Series.NO_VERDICT.formatted(" beside " + String.join(",", cold)));
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
  }

  private List<String> ratios(Situation situation, String variant) {
    List<String> words = new ArrayList<>();
    ratio(at(situation, variant), bestPeer(situation)).filter(Ratio::warm)
        .ifPresent(one -> words.add("%s of %s".formatted(one, bestPeer(situation).orElseThrow().variant())));
    if (situation.beside() != Beside.ALONE) {
      ratio(at(situation, variant), alone(situation, variant)).filter(Ratio::warm)
          .ifPresent(one -> words.add("%s of its time alone".formatted(one)));
    }
    return words;
  }

  /** For each call the times of all over those of our first variant; none where nothing stands beside it. */
  List<RatioChart> charts() {
    return calls().stream().map(this::chart).filter(chart -> chart.curves().size() > 1).toList();
  }

  private RatioChart chart(Call call) {
    List<Situation> situations = of(call);
    List<RatioCurve> curves = new ArrayList<>();
    String base = ours.isEmpty() ? "" : ours.get(0);
    for (String variant : variants()) {
      List<Point> points = new ArrayList<>();
      for (int column = 0; column < situations.size(); column++) {
        int at = column;
        ratio(at(situations.get(column), variant), at(situations.get(column), base)).ifPresent(
            one -> points.add(new Point(at, one.low(), one.median(), one.high(), !one.warm())));
      }
      if (!points.isEmpty()) {
        curves.add(new RatioCurve(variant, ours.contains(variant) ? Role.OURS : Role.PEER, points));
      }
    }
    return new RatioChart("%s: time, %s = 1".formatted(caption(call), base), base, "what runs beside it",
        situations.stream().map(situation -> situation.beside().word()).toList(), curves);
  }

  /** Figures, one a line: the bench of a line is call, ranks and what runs beside, as in {@code barrier/4/nice19}. */
  List<String> csv() {
    List<String> lines = new ArrayList<>();
    all.forEach((situation, spells) -> spells.values().forEach(one -> lines.addAll(csv(situation, one))));
    return lines;
  }

  private static List<String> csv(Situation situation, Spells spells) {
    Call call = situation.call();
    String bench = "%s/%d/%s".formatted(call.command(), situation.ranks(), situation.beside().word());
    List<String> lines = new ArrayList<>();
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("p50", spells.nanos(MEDIAN));
    figures.put("p90", spells.nanos(MOST));
    figures.put("max", spells.worst());
    for (int round = 0; round < spells.medians().size(); round++) {
      figures.put(Csv.ROUND + (round + 1), spells.medians().get(round));
    }
    figures.forEach((metric, value) -> lines.add(
        Csv.line(bench, spells.variant(), call.bytes(), metric, value, "ns")));
    if (spells.compiling() > 0) {
      lines.add(Csv.line(bench, spells.variant(), call.bytes(), Csv.COMPILING, spells.compiling(), "part"));
    }
    return lines;
  }
}
