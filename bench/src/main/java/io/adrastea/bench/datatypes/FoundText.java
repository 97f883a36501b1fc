package io.adrastea.bench.datatypes;

import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Ratio;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Chart;
import io.adrastea.bench.page.Curve;
import io.adrastea.bench.page.Grid;
import io.adrastea.bench.page.RatioChart;
import io.adrastea.bench.page.RatioChart.Point;
import io.adrastea.bench.page.RatioChart.RatioCurve;
import io.adrastea.bench.page.RatioChart.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was found, as tables, curves, lines and figures. */
final class FoundText {
  private static final String NONE = "-";
  private static final String LOOP_IN_C = DatatypesRun.LOOP_IN_C;
  private static final double MIB = 1 << 20;

  private final Found found;
  private final String base;

  FoundText(Found found) {
    this.found = found;
    this.base = found.ours().get(0);
  }

  private boolean alone() {
    return found.results().kind().messagesPerExchange() == 1;
  }

  /** A row for each case and each variant that sends it, or packs it. */
  Grid grid() {
    return alone() ? packGrid() : sentGrid();
  }

  private List<Way> ways() {
    return Way.sent().stream()
        .filter(way -> found.cases().stream()
            .anyMatch(one -> everybody().anyMatch(who -> found.at(who, way, one).isPresent())))
        .toList();
  }

  private Stream<String> everybody() {
    return Stream.of(found.ours(), found.metered(), found.peers()).flatMap(List::stream);
  }

  private Grid sentGrid() {
    boolean strided = found.group() == Group.NONCONTIG;
    List<String> head = new ArrayList<>(List.of(strided ? "block" : "shape"));
    head.addAll(strided ? List.of("") : List.of("bytes", ""));
    ways().forEach(way -> head.add(way.title() + (way == ways().get(0) ? " [us]" : "")));
    head.addAll(strided ? List.of("contiguous/type", "hand/type", "type/" + base)
        : List.of("hand/type", "packed/type", "type/" + base));
    List<List<String>> rows = new ArrayList<>();
    for (Case one : found.cases()) {
      everybody().forEach(who -> rows.add(sentRow(one, who, strided)));
    }
    String caption = strided
        ? "Blocks of doubles, twice as far apart as long, 256 KiB a message: one way, median"
        : "Shapes of applications: one way, median";
    return new Grid(caption, head, rows);
  }

  private List<String> sentRow(Case one, String who, boolean strided) {
    List<String> row = new ArrayList<>(List.of(strided ? one.variety() : one.name()));
    row.addAll(strided ? List.of(who) : List.of("" + one.bytes(), who));
    for (Way way : ways()) {
      row.add(found.at(who, way, one).map(FoundText::micros).orElse(NONE));
    }
    Optional<Series> type = found.at(who, Way.TYPE, one);
    row.add(text(Found.ratio(found.at(who, strided ? Way.CONTIGUOUS : Way.HAND, one), type)));
    row.add(text(Found.ratio(found.at(who, strided ? Way.HAND : Way.PACKED, one), type)));
    String first = found.metered().contains(who) ? found.metered().get(0) : base; // time is not compared with CPU time
    row.add(text(Found.ratio(type, found.at(first, Way.TYPE, one))));
    return row;
  }

  private static String micros(Series series) {
    return String.format(Locale.ROOT, "%.2f%s", Found.micros(series), series.star());
  }

  private static String text(Optional<Ratio> ratio) {
    return ratio.map(Ratio::toString).orElse(NONE);
  }

  private Grid packGrid() {
    List<String> head = new ArrayList<>(List.of("shape", "bytes", LOOP_IN_C + " [us]"));
    for (String core : found.ours()) {
      head.addAll(List.of(core + " pack", LOOP_IN_C + "/pack", core + "'s loop in Java"));
    }
    List<List<String>> rows = new ArrayList<>();
    for (Case one : found.cases()) {
      Optional<Series> loop = found.at(LOOP_IN_C, one);
      List<String> row =
          new ArrayList<>(List.of(one.name(), "" + one.bytes(), loop.map(FoundText::micros).orElse(NONE)));
      for (String core : found.ours()) {
        Optional<Series> pack = found.at(core, Way.PACK, one);
        row.add(pack.map(FoundText::micros).orElse(NONE));
        row.add(text(Found.ratio(loop, pack)));
        row.add(found.at(core, Way.LOOP, one).map(FoundText::micros).orElse(NONE));
      }
      rows.add(row);
    }
    return new Grid("Packing alone, " + found.group().word() + ": median", head, rows);
  }

  /** A picture for each application, or of the blocks: times of all, relative to ours by type. */
  List<RatioChart> ratioCharts() {
    List<String> applications = found.cases().stream().map(Case::application).distinct().toList();
    return applications.stream().map(this::ratioChart).filter(chart -> !chart.curves().isEmpty()).toList();
  }

  private RatioChart ratioChart(String application) {
    List<Case> cases = found.cases().stream().filter(one -> one.application().equals(application)).toList();
    String one = alone() ? WayVariant.name(base, Way.PACK) : WayVariant.name(base, Way.TYPE);
    List<RatioCurve> curves = new ArrayList<>();
    for (String variant : variants()) {
      List<Point> points = new ArrayList<>();
      for (int column = 0; column < cases.size(); column++) {
        int at = column;
        Found.ratio(found.at(variant, cases.get(column)), found.at(one, cases.get(column)))
            .ifPresent(ratio -> points.add(new Point(at, ratio.low(), ratio.median(), ratio.high(), !ratio.warm())));
      }
      if (!points.isEmpty()) {
        curves.add(new RatioCurve(variant, role(variant), points));
      }
    }
    boolean strided = found.group() == Group.NONCONTIG;
    List<String> columns =
        cases.stream().map(each -> strided ? each.variety() : each.name().replaceFirst("^[^_/]*[_/]", "")).toList();
    return new RatioChart("%s%s: time, %s = 1".formatted(application, alone() ? ", packing alone" : "", one), one,
        strided ? "block [bytes]" : "shape", columns, curves);
  }

  /** Returns the variants that pictures show: not CPU time. */
  private List<String> variants() {
    return found.results().series().stream().map(Series::variant).distinct()
        .filter(variant -> found.metered().stream().noneMatch(each -> variant.startsWith(each + " ")))
        .toList();
  }

  private Role role(String variant) {
    if (variant.equals(LOOP_IN_C)) {
      return Role.FLOOR;
    }
    return found.peers().stream().anyMatch(peer -> variant.startsWith(peer + " ")) ? Role.PEER : Role.OURS;
  }

  /** Bandwidth over the size of a block, as [SCI-MPICH 2002, Figs. 7 and 10] have it. */
  List<Chart> charts() {
    if (alone() || found.group() != Group.NONCONTIG || found.cases().size() < 2) {
      return List.of();
    }
    return List.of(new Chart("Bandwidth of 256 KiB in blocks", new Chart.Axis("block [bytes]", 2),
        Chart.Axis.linear("bytes over one-way time [MiB/s]"), variants().stream().map(this::bandwidth).toList()));
  }

  private Curve bandwidth(String variant) {
    List<Case> cases = found.cases().stream().filter(one -> found.at(variant, one).isPresent()).toList();
    return new Curve(variant, variant.endsWith(Way.CONTIGUOUS.title()),
        cases.stream().map(one -> (double) one.number()).toList(),
        cases.stream().map(one -> one.bytes() / MIB / (found.at(variant, one).orElseThrow().nanos(50) / 1e9)).toList(),
        cases.stream().filter(one -> found.at(variant, one).orElseThrow().isCold()).map(one -> (double) one.number())
            .collect(Collectors.toSet()));
  }

  /** The answers in short, for the first of our cores. */
  List<String> said() {
    return said(found.ours().subList(0, 1));
  }

  /** Returns the sentences about the other cores. */
  List<String> saidOfOthers() {
    return said(found.ours().subList(1, found.ours().size()));
  }

  private List<String> said(List<String> cores) {
    List<String> lines = new ArrayList<>();
    for (String core : cores) {
      if (!alone()) {
        saySent(lines, core);
        continue;
      }
      saySlowest(lines, core + " pack, as a part of the " + LOOP_IN_C + "'s rate",
          one -> Found.ratio(found.at(LOOP_IN_C, one), found.at(core, Way.PACK, one)));
      if (!core.equals(base)) {
        saySlowest(lines, "%s pack, as a part of %s's rate".formatted(core, base),
            one -> Found.ratio(found.at(base, Way.PACK, one), found.at(core, Way.PACK, one)));
      }
    }
    return lines;
  }

  /** Series that a page shows when they are asked for: it begins with datatypes, and with what they compete with. */
  List<String> asides() {
    Set<String> first = new HashSet<>(List.of(LOOP_IN_C, WayVariant.name(base, Way.CONTIGUOUS),
        WayVariant.name(base, Way.HAND)));
    everybody().forEach(who -> first.addAll(List.of(WayVariant.name(who, Way.TYPE), WayVariant.name(who, Way.PACK))));
    return variants().stream().filter(variant -> !first.contains(variant)).toList();
  }

  private void saySent(List<String> lines, String core) {
    Function<Case, Optional<Series>> type = one -> found.at(core, Way.TYPE, one);
    saySlowest(lines, core + " by type, as a part of the rate of contiguous bytes",
        one -> Found.ratio(found.at(core, Way.CONTIGUOUS, one), type.apply(one)));
    saySlowest(lines, core + " by type, times faster than by hand",
        one -> Found.ratio(found.at(core, Way.HAND, one), type.apply(one)));
    saySlowest(lines, core + " by type, times faster than packed",
        one -> Found.ratio(found.at(core, Way.PACKED, one), type.apply(one)));
    saySlowest(lines, core + " by type, times faster than the better peer by type",
        one -> Found.ratio(found.betterPeer(Way.TYPE, one), type.apply(one)));
  }

  /** The geometric mean over the cases, and the worst three of them. */
  private void saySlowest(List<String> lines, String what, Function<Case, Optional<Ratio>> ratio) {
    record Told(Case one, double median) {}
    List<Case> cold = found.cases().stream().filter(one -> ratio.apply(one).stream().anyMatch(each -> !each.warm()))
        .toList();
    List<Told> told = found.cases().stream().filter(one -> !cold.contains(one))
        .flatMap(one -> ratio.apply(one).stream().map(each -> new Told(one, each.median())))
        .sorted((a, b) -> Double.compare(a.median, b.median))
        .toList();
    String notJudged = cold.isEmpty() ? ""
        : Series.NO_VERDICT.formatted(" on %d of %d".formatted(cold.size(), cold.size() + told.size()));
    if (told.isEmpty()) {
      if (!cold.isEmpty()) {
        lines.add("%s: %s: %s".formatted(found.group().word(), what, notJudged));
      }
      return;
    }
    double mean = Math.exp(told.stream().mapToDouble(each -> Math.log(each.median)).average().orElseThrow());
    lines.add(String.format(Locale.ROOT, "%s: %s: geometric mean %.2f, least %s; below 1 in %d of %d%s",
        found.group().word(), what, mean,
        told.stream().limit(3).map(each -> String.format(Locale.ROOT, "%.2f (%s)", each.median, each.one.name()))
            .collect(Collectors.joining(", ")),
        told.stream().filter(each -> each.median < 1).count(), told.size(),
        notJudged.isEmpty() ? "" : "; " + notJudged));
  }

  /** Figures, one a line, after a header: the bench of a line is its case. */
  List<String> csv() {
    return found.results().series().stream()
        .flatMap(one -> {
          Case sent = Cases.of(found.group(), one.plan().bytes());
          return Csv.lines(sent.name(), sent.bytes(), one).stream();
        })
        .toList();
  }
}
