package io.adrastea.bench.measure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The results as comma-separated values: one figure a line. Names hold no comma and no quote. */
public final class Csv {
  public static final String HEADER = "bench,variant,bytes,metric,value,unit";

  /** What a line above the head begins with, which tells of the origin of the figures. */
  public static final String COMMENT = "#";

  /** What the metric of one round's median begins with; the number of the round follows, from 1. */
  public static final String ROUND = "round-";

  /** The metric of the part of a figure's time that compilers have worked: of one of 0 there is no line. */
  public static final String COMPILING = "compiling";

  private Csv() {}

  /** The figures of several runs, under one head. */
  public static List<String> lines(Collection<Results> results) {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    results.forEach(one -> lines.addAll(lines(one).stream().skip(1).toList()));
    return lines;
  }

  public static List<String> lines(Results results) {
    List<String> lines = new ArrayList<>();
    lines.add(HEADER);
    for (Series series : results.series()) {
      if (!results.kind().isTime()) {
        lines.add(line(series, "MBps", series.megabytesPerSecond(), "MB/s"));
        lines.add(line(series, "msgps", series.messagesPerSecond(), "messages/s"));
      }
      lines.add(line(series, "p50", series.nanos(50), "ns"));
      lines.add(line(series, "p99", series.nanos(99), "ns"));
      lines.add(line(series, "p999", series.nanos(99.9), "ns"));
      lines.add(line(series, "max", series.maxNanos(), "ns"));
      lines.add(line(series, "mean", series.meanNanos(), "ns"));
      addCompiling(lines, series.plan().kind().command(), series.plan().bytes(), series);
    }
    return lines;
  }

  /**
   * Figures of one series under another name than that of its kind, with the medians of its rounds; without a head.
   *
   * @param bench what was measured
   * @param bytes of a message
   */
  public static List<String> lines(String bench, int bytes, Series series) {
    List<String> lines = new ArrayList<>();
    lines.add(line(bench, series.variant(), bytes, "p50", series.nanos(50), "ns"));
    lines.add(line(bench, series.variant(), bytes, "p99", series.nanos(99), "ns"));
    lines.add(line(bench, series.variant(), bytes, "mean", series.meanNanos(), "ns"));
    addCompiling(lines, bench, bytes, series);
    for (int round = 0; round < series.medians().size(); round++) {
      lines.add(line(bench, series.variant(), bytes, ROUND + (round + 1), series.medians().get(round), "ns"));
    }
    return lines;
  }

  private static void addCompiling(List<String> lines, String bench, int bytes, Series series) {
    if (series.compiling() > 0) {
      lines.add(line(bench, series.variant(), bytes, COMPILING, series.compiling(), "part"));
    }
  }

  /** The median of each round, without a head: what ratios within rounds are taken of. */
  public static List<String> rounds(Results results) {
    List<String> lines = new ArrayList<>();
    for (Series series : results.series()) {
      for (int round = 0; round < series.medians().size(); round++) {
        lines.add(line(series, ROUND + (round + 1), series.medians().get(round), "ns"));
      }
    }
    return lines;
  }

  private static String line(Series series, String metric, double value, String unit) {
    return line(series.plan().kind().command(), series.variant(), series.plan().bytes(), metric, value, unit);
  }

  /** One figure. */
  public static String line(String bench, String variant, int bytes, String metric, double value, String unit) {
    return String.format(Locale.ROOT, "%s,%s,%d,%s,%.2f,%s", bench, variant, bytes, metric, value, unit);
  }
}
