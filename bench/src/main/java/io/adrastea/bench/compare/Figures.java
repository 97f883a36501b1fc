package io.adrastea.bench.compare;

import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The figures of a comparison as its CSV holds them, so that a page can be drawn again without measuring. */
record Figures(List<Entry> entries) {
  private static final int FIELDS = 6;

  /** Copies the list. */
  Figures {
    entries = List.copyOf(entries);
  }

  /**
   * What was measured of one variant at one size.
   *
   * @param bench as in {@code latency}
   * @param metrics by their names in the CSV, without those of single rounds
   * @param rounds the median of each round in ns per message; none where the file does not tell
   */
  record Entry(String bench, String variant, int bytes, Map<String, Double> metrics, List<Double> rounds) {
    OptionalDouble metric(String name) {
      Double value = metrics.get(name);
      return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** True when less is better. */
    boolean isTime() {
      return !metrics.containsKey("msgps");
    }

    /** Whether compilers were still at work in much of the time. */
    boolean isCold() {
      return Series.isCold(metrics.getOrDefault(Csv.COMPILING, 0.0));
    }

    /** What ratios are taken of: the median of each round, or the one of all rounds. */
    List<Double> medians() {
      return rounds.isEmpty() ? List.of(metrics.get("p50")) : rounds;
    }
  }

  private record Key(String bench, String variant, int bytes) {}

  /**
   * Reads the lines of a CSV, its head first; above it may stand comments, which tell of the {@link #origin}.
   *
   * @throws IllegalArgumentException when a line is not one of a comparison; the message names it
   */
  static Figures of(List<String> lines) {
    int head = origin(lines).size();
    if (lines.size() == head || !lines.get(head).equals(Csv.HEADER)) {
      throw new IllegalArgumentException(
          "the first line that is no comment must be '%s'; figures are what --csv has written".formatted(Csv.HEADER));
    }
    Map<Key, Entry> entries = new LinkedHashMap<>();
    for (int number = head + 2; number <= lines.size(); number++) {
      read(number, lines.get(number - 1), entries);
    }
    for (Entry entry : entries.values()) {
      if (!entry.metrics.containsKey("p50")) {
        throw new IllegalArgumentException("%s of %s at %d bytes has no p50; figures are what --csv has written"
            .formatted(entry.bench, entry.variant, entry.bytes));
      }
    }
    return new Figures(List.copyOf(entries.values()));
  }

  /** The comments above the head of a CSV, which tell when and where its figures were taken; none of an old file. */
  static List<String> origin(List<String> lines) {
    return lines.stream().takeWhile(line -> line.startsWith(Csv.COMMENT)).toList();
  }

  private static void read(int number, String line, Map<Key, Entry> entries) {
    String[] fields = line.split(",", -1);
    try {
      if (fields.length != FIELDS) {
        throw new NumberFormatException(fields.length + " fields");
      }
      Key key = new Key(fields[0], fields[1], Integer.parseInt(fields[2]));
      Entry entry = entries.computeIfAbsent(key,
          one -> new Entry(one.bench, one.variant, one.bytes, new HashMap<>(), new ArrayList<>()));
      double value = Double.parseDouble(fields[4]);
      if (fields[3].startsWith(Csv.ROUND)) {
        entry.rounds.add(value);
      } else {
        entry.metrics.put(fields[3], value);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "line %d is '%s', but a line is '%s' with numbers for bytes and value".formatted(number, line, Csv.HEADER),
          e);
    }
  }

  /** The names of the benches, in the order of the file. */
  List<String> benches() {
    return entries.stream().map(Entry::bench).distinct().toList();
  }

  /** What one bench found. */
  List<Entry> of(String bench) {
    return entries.stream().filter(entry -> entry.bench.equals(bench)).toList();
  }
}
