package io.adrastea.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What docs/memory-model.md says of one label.
 *
 * @param ends files that have it
 * @param only the one language that has it; empty: both
 * @param orders begins with "relaxed" when the label is no release that pairs with an acquire
 * @param litmus files in tests/litmus
 * @param differs what the one language has more of than the other, such as "C load acquire", and how many; each counts
 * only with a reason
 * @param templates files that the header and sources of libshmem are made of and that have it
 * @param words of the argument
 */
record Entry(
    String label,
    TreeSet<String> ends,
    String only,
    String orders,
    TreeSet<String> litmus,
    TreeMap<String, Integer> differs,
    TreeSet<String> templates,
    int words) {
  private static final Pattern SURPLUS = Pattern.compile("`((?:C|Java) \\w+ \\w+)` ×(\\d+)");
  private static final int REASON = 5; // words of a reason at least
  private static final Pattern HEADING = Pattern.compile("### `([a-z-]+)`");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  static List<Entry> all(List<String> lines) {
    List<Entry> entries = new ArrayList<>();
    for (int line = 0; line < lines.size(); line++) {
      Matcher heading = HEADING.matcher(lines.get(line));
      if (heading.matches()) {
        int end = line + 1;
        while (end < lines.size() && !lines.get(end).startsWith("#")) {
          end++;
        }
        entries.add(of(heading.group(1), unwrapped(lines.subList(line + 1, end))));
      }
    }
    return entries;
  }

  /** Lines of which each begins a paragraph's line or a point: the indented ones go on with the one before. */
  private static List<String> unwrapped(List<String> lines) {
    List<String> whole = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("  ") && !whole.isEmpty()) {
        whole.add(whole.removeLast() + " " + line.strip());
      } else {
        whole.add(line);
      }
    }
    return whole;
  }

  private static Entry of(String label, List<String> lines) {
    String only = point(lines, "Only");
    List<String> argument = lines.stream().filter(line -> !line.startsWith("- ")).toList();
    return new Entry(
        label,
        quoted(point(lines, "Ends")),
        only.isEmpty() ? "" : only.split("\\W")[0],
        point(lines, "Orders"),
        quoted(point(lines, "Litmus")),
        differs(point(lines, "Differs")),
        quoted(point(lines, "Templates")),
        String.join(" ", argument).trim().split("\\s+").length);
  }

  private static String point(List<String> lines, String name) {
    String start = "- " + name + ": ";
    List<String> points = lines.stream().filter(line -> line.startsWith(start)).toList();
    return points.isEmpty() ? "" : points.getFirst().substring(start.length());
  }

  private static TreeMap<String, Integer> differs(String point) {
    TreeMap<String, Integer> surplus = new TreeMap<>();
    int because = point.indexOf(", because ");
    if (because >= 0 && point.substring(because + 10).trim().split("\\s+").length >= REASON) {
      SURPLUS.matcher(point).results().forEach(each -> surplus.put(each.group(1), Integer.parseInt(each.group(2))));
    }
    return surplus;
  }

  private static TreeSet<String> quoted(String text) {
    TreeSet<String> names = new TreeSet<>();
    QUOTED.matcher(text).results().forEach(result -> names.add(result.group(1)));
    return names;
  }
}
