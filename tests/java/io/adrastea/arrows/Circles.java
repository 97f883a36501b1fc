package io.adrastea.arrows;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files that cannot be read one without the other. */
final class Circles {
  private static final Pattern INCLUDE = Pattern.compile("#\\s*include\\s*\"([a-z]+/\\w+)\\.h\"");
  private static final Pattern CALL = Pattern.compile("\\b(adr_\\w+)\\(");

  /** A function that other files can call: it begins a line and has a body. */
  private static final Pattern FUNCTION =
      Pattern.compile("^(?!static\\b)\\w[\\w *]*?\\b(adr_\\w+)\\([^;{}]*\\)\\s*\\{", Pattern.MULTILINE);

  private static final Pattern LITERAL = Pattern.compile("\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"", Pattern.DOTALL);

  private Circles() {}

  /** A C file and the header of its name, as {@code room/name}. */
  private static String unit(Source source) {
    return source.file().replaceAll(".*?([^/]+/[^/]+)\\.[ch]$", "$1");
  }

  private static Map<String, String> unitsOfFunctions(Collection<Source> sources) {
    Map<String, String> units = new HashMap<>();
    for (Source source : sources) {
      if (source.file().endsWith(".c")) {
        Matcher function = FUNCTION.matcher(source.code());
        while (function.find()) {
          units.put(function.group(1), unit(source));
        }
      }
    }
    return units;
  }

  /** Which units each one needs: it includes their header, or declares or calls a function of theirs. */
  private static Map<String, Set<String>> needs(Collection<Source> sources) {
    Map<String, String> functions = unitsOfFunctions(sources);
    Map<String, Set<String>> needs = new TreeMap<>();
    for (Source source : sources) {
      Set<String> needed = needs.computeIfAbsent(unit(source), unit -> new TreeSet<>());
      INCLUDE.matcher(source.code()).results().map(found -> found.group(1)).forEach(needed::add);
      CALL.matcher(source.code()).results().map(found -> functions.get(found.group(1)))
          .filter(unit -> unit != null).forEach(needed::add);
      needed.remove(unit(source));
    }
    return needs;
  }

  private static Set<String> reached(String from, Map<String, Set<String>> needs) {
    Set<String> reached = new TreeSet<>();
    Set<String> ahead = new TreeSet<>(needs.getOrDefault(from, Set.of()));
    while (!ahead.isEmpty()) {
      String next = ahead.iterator().next();
      ahead.remove(next);
      if (reached.add(next)) {
        ahead.addAll(needs.getOrDefault(next, Set.of()));
      }
    }
    return reached;
  }

  /** By room the units of C code that need themselves by way of others. */
  static Map<String, Set<String>> ofC(Collection<Source> sources) {
    Map<String, Set<String>> needs = needs(sources);
    Map<String, Set<String>> circles = new TreeMap<>();
    for (String unit : needs.keySet()) {
      if (reached(unit, needs).contains(unit)) {
        circles.computeIfAbsent(unit.replaceAll("/.*", ""), room -> new TreeSet<>()).add(unit);
      }
    }
    return circles;
  }

  private static String type(Source source) {
    return source.file().replaceAll(".*/|\\.java$", "");
  }

  /** By room the pairs of Java files that name each other. */
  static Map<String, Set<String>> ofJava(Collection<Source> sources) {
    Map<String, Map<String, String>> rooms = new TreeMap<>();
    for (Source source : sources) {
      rooms.computeIfAbsent(source.room(), room -> new TreeMap<>())
          .put(type(source), LITERAL.matcher(source.code()).replaceAll(" "));
    }
    Map<String, Set<String>> pairs = new TreeMap<>();
    rooms.forEach((room, codes) -> pairs.put(room, pairs(codes)));
    return pairs;
  }

  private static Set<String> pairs(Map<String, String> codes) {
    Map<String, Set<String>> named = new HashMap<>();
    codes.forEach((type, code) -> {
      Set<String> words = new TreeSet<>(List.of(code.split("\\W+")));
      words.retainAll(codes.keySet());
      named.put(type, words);
    });
    Set<String> pairs = new TreeSet<>();
    for (String type : codes.keySet()) {
      for (String other : named.get(type)) {
        if (type.compareTo(other) < 0 && named.get(other).contains(type)) {
          pairs.add(type + " and " + other);
        }
      }
    }
    return pairs;
  }
}
