package io.adrastea.style;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A row of {@code docs/twins.txt}, whose head explains the format: files of C, classes of Java, and how they differ.
 */
final class TwinRow {
  private static final Pattern NAMED = Pattern.compile("(\\w+) = (\\w+)");
  private static final Pattern ALONE = Pattern.compile("(\\w+(?:, \\w+)*)(?: in (\\w+))?");
  private static final Pattern NAMES = Pattern.compile("\\w+(?:, \\w+)*");
  private static final Pattern LABEL = Pattern.compile("[a-z-]+ of \\w+");

  private static final String APART = "apart ";
  private static final Pattern SAID = Pattern.compile("Twin[\\s*]+of[\\s*]+io\\.adrastea\\.");

  private final String title;
  private final List<String> c = new ArrayList<>();
  private final List<String> java = new ArrayList<>();
  private final List<String> prefixes = new ArrayList<>();
  private final Map<String, String> named = new LinkedHashMap<>();
  private final Map<String, String> onlyC = new LinkedHashMap<>(); // to what its labels belong to; "": nothing
  private final Map<String, String> onlyJava = new LinkedHashMap<>();
  private final Set<String> order = new TreeSet<>();
  private final Set<String> labelsC = new TreeSet<>(); // "label of method"
  private final Set<String> labelsJava = new TreeSet<>();

  private TwinRow(String title) {
    this.title = title;
    String[] sides = title.split(" = ", -1);
    if (sides.length != 2) {
      throw new IllegalArgumentException("neither files = classes nor a line of a row: '" + title + "'");
    }
    c.addAll(Arrays.asList(sides[0].trim().split("\\s+")));
    java.addAll(Arrays.asList(sides[1].trim().split("\\s+")));
  }

  static List<TwinRow> all(List<String> lines) {
    List<TwinRow> rows = new ArrayList<>();
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#") || line.startsWith(APART)) {
        continue;
      }
      if (line.startsWith("  ")) {
        rows.getLast().add(line.trim());
      } else {
        rows.add(new TwinRow(line));
      }
    }
    return rows;
  }

  /**
   * Returns what is wrong with the table as a whole: files of C that say that they are twins and stand neither in a row
   * nor in a line that sets them apart, and such lines without need.
   *
   * @param texts of all files of C, by their paths below native
   */
  static List<String> leftOut(List<String> lines, Map<String, String> texts) {
    Set<String> unused = new TreeSet<>();
    for (String line : lines) {
      if (line.startsWith(APART)) {
        String[] parts = line.substring(APART.length()).split(": ", 2);
        if (parts.length != 2 || parts[1].isBlank()) {
          throw new IllegalArgumentException("no reason: '%s'".formatted(line));
        }
        unused.addAll(Arrays.asList(parts[0].split("\\s+")));
      }
    }
    Set<String> apart = Set.copyOf(unused);
    Set<String> inRows = new HashSet<>();
    all(lines).forEach(row -> inRows.addAll(row.c()));
    List<String> faults = new ArrayList<>();
    texts.forEach((file, text) -> {
      if (SAID.matcher(text).find() && !inRows.contains(file)) {
        List<String> fit = apart.stream().filter(file::startsWith).toList();
        fit.forEach(unused::remove);
        if (fit.isEmpty()) {
          faults.add(file + ": a twin that is not in the table");
        }
      }
    });
    unused.forEach(file -> faults.add("apart %s: not needed".formatted(file)));
    return faults;
  }

  private void add(String line) {
    String[] words = line.split(" ", 2);
    if (words[0].equals("strip")) {
      prefixes.addAll(Arrays.asList(words[1].split("\\s+")));
      return;
    }
    String[] parts = words[words.length - 1].split(": ", 2);
    if (parts.length != 2 || parts[1].isBlank()) {
      throw new IllegalArgumentException("%s: no reason: '%s'".formatted(title, line));
    }
    String what = parts[0];
    switch (words[0]) {
      case "named" -> {
        Matcher matcher = matched(NAMED, what, line);
        named.put(matcher.group(1), matcher.group(2));
      }
      case "c" -> addAlone(onlyC, what, line);
      case "java" -> addAlone(onlyJava, what, line);
      case "order" -> order.addAll(Arrays.asList(matched(NAMES, what, line).group().split(", ")));
      case "c-label" -> labelsC.add(matched(LABEL, what, line).group());
      case "java-label" -> labelsJava.add(matched(LABEL, what, line).group());
      default -> throw new IllegalArgumentException("%s: no kind of line: '%s'".formatted(title, line));
    }
  }

  private void addAlone(Map<String, String> alone, String what, String line) {
    Matcher matcher = matched(ALONE, what, line);
    for (String name : matcher.group(1).split(", ")) {
      alone.put(name, matcher.group(2) == null ? "" : matcher.group(2));
    }
  }

  private Matcher matched(Pattern pattern, String what, String line) {
    Matcher matcher = pattern.matcher(what);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("%s: not understood: '%s'".formatted(title, line));
    }
    return matcher;
  }

  List<String> c() {
    return c;
  }

  List<String> java() {
    return java;
  }

  /** The name that Java has by the rule: without the longest prefix of the row that fits, in camel case. */
  String camel(String name) {
    String prefix = "";
    for (String each : prefixes) {
      prefix = name.startsWith(each) && each.length() > prefix.length() ? each : prefix;
    }
    StringBuilder camel = new StringBuilder();
    for (String word : name.substring(prefix.length()).split("_")) {
      boolean first = camel.isEmpty();
      camel.append(first || word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return camel.toString();
  }

  /** What differs between the functions of C and the methods of Java without a line here, and lines without need. */
  List<String> faults(List<Function> functions, List<Function> methods) {
    List<String> faults = new ArrayList<>();
    Map<String, Set<String>> left = new LinkedHashMap<>(); // labels by Java's names, in the order of C
    Map<String, Set<String>> right = new LinkedHashMap<>();
    Set<String> namesC = new HashSet<>();
    Set<String> namesJava = new HashSet<>();
    functions.forEach(each -> namesC.add(each.name()));
    methods.forEach(each -> namesJava.add(each.name()));
    for (Function each : functions) {
      if (!onlyC.containsKey(each.name())) {
        add(left, named.getOrDefault(each.name(), camel(each.name())), each.labels(), "C", faults);
      }
    }
    for (Function each : methods) {
      boolean field = each.name().equals("new") && each.labels().isEmpty() && !named.containsValue("new");
      if (!onlyJava.containsKey(each.name()) && !field) { // a constructor that only sets fields is passed over
        add(right, each.name(), each.labels(), "Java", faults);
      }
    }
    Set<String> moreC = new TreeSet<>(); // "label of function"
    Set<String> moreJava = new TreeSet<>();
    functions.forEach(each -> addAlone(left, onlyC, each, moreC, faults));
    methods.forEach(each -> addAlone(right, onlyJava, each, moreJava, faults));
    left.keySet().stream().filter(name -> !right.containsKey(name)).forEach(name -> faults.add(name + ": in C alone"));
    right.keySet().stream().filter(name -> !left.containsKey(name)).forEach(
        name -> faults.add(name + ": in Java alone"));
    named.forEach((from, to) -> {
      if (!namesC.contains(from) || !namesJava.contains(to) || camel(from).equals(to)) {
        faults.add("named %s = %s: not needed".formatted(from, to));
      }
    });
    Set<String> mapped = new HashSet<>();
    namesC.forEach(each -> mapped.add(named.getOrDefault(each, camel(each))));
    namesJava.removeAll(named.values());
    onlyC.keySet().stream().filter(name -> !namesC.contains(name) || namesJava.contains(camel(name))).forEach(
        name -> faults.add("c %s: not needed".formatted(name)));
    onlyJava.keySet().stream().filter(name -> !namesJava.contains(name) || mapped.contains(name)).forEach(
        name -> faults.add("java %s: not needed".formatted(name)));
    compareOrder(List.copyOf(left.keySet()), List.copyOf(right.keySet()), faults);
    compareLabels(left, right, moreC, moreJava);
    tell(moreC, labelsC, "C", faults);
    tell(moreJava, labelsJava, "Java", faults);
    return faults.stream().map(fault -> title + ": " + fault).toList();
  }

  private static void add(
      Map<String, Set<String>> side, String name, Set<String> labels, String language, List<String> faults) {
    boolean apart = side.containsKey(name) && !name.equals(List.copyOf(side.keySet()).getLast());
    if (apart) {
      faults.add("%s: twice in %s, apart".formatted(name, language));
    }
    side.computeIfAbsent(name, key -> new TreeSet<>()).addAll(labels);
  }

  /** Counts the labels of a helper that one language has to the function that it stands in in the other. */
  private static void addAlone(
      Map<String, Set<String>> side, Map<String, String> alone, Function helper, Set<String> more,
      List<String> faults) {
    String in = alone.get(helper.name());
    if (in == null) {
      return;
    }
    if (in.isEmpty()) {
      helper.labels().forEach(label -> more.add(label + " of " + helper.name()));
    } else if (side.containsKey(in)) {
      side.get(in).addAll(helper.labels());
    } else {
      faults.add("%s: in %s, which is no function of both".formatted(helper.name(), in));
    }
  }

  private void compareOrder(List<String> left, List<String> right, List<String> faults) {
    for (String name : order) {
      if (without(left, right, name).equals(without(right, left, name))) {
        faults.add("order %s: not needed".formatted(name));
      }
    }
    List<String> of = without(left, right, "");
    List<String> with = without(right, left, "");
    for (int i = 0; i < Math.min(of.size(), with.size()); i++) {
      if (!of.get(i).equals(with.get(i))) {
        faults.add("%s: Java has %s in its place".formatted(of.get(i), with.get(i)));
        return;
      }
    }
  }

  /** The names that both sides have, without those whose order differs with a reason, but with the one given. */
  private List<String> without(List<String> names, List<String> others, String but) {
    return names.stream().filter(others::contains).filter(name -> !order.contains(name) || name.equals(but)).toList();
  }

  private static void compareLabels(
      Map<String, Set<String>> left, Map<String, Set<String>> right, Set<String> moreC, Set<String> moreJava) {
    left.forEach((name, labels) -> {
      Set<String> others = right.getOrDefault(name, labels);
      labels.stream().filter(each -> !others.contains(each)).forEach(each -> moreC.add(each + " of " + name));
      others.stream().filter(each -> !labels.contains(each)).forEach(each -> moreJava.add(each + " of " + name));
    });
  }

  private static void tell(Set<String> more, Set<String> allowed, String language, List<String> faults) {
    more.stream().filter(each -> !allowed.contains(each)).forEach(
        each -> faults.add("label %s: in %s alone".formatted(each, language)));
    allowed.stream().filter(each -> !more.contains(each)).forEach(
        each -> faults.add("%s-label %s: not needed".formatted(language.toLowerCase(), each)));
  }
}
