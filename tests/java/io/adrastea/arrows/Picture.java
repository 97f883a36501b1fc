package io.adrastea.arrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The rooms and arrows that are allowed: {@code docs/arrows.txt}, whose head explains the format. */
final class Picture {
  private final Map<String, Set<String>> arrows = new LinkedHashMap<>();
  private final List<Set<String>> siblings = new ArrayList<>();
  private final Map<String, Set<String>> only = new LinkedHashMap<>();

  /** Reads the lines of one language. */
  static Picture of(String language, Collection<String> lines) {
    Picture picture = new Picture();
    for (String line : lines) {
      String text = line.replaceFirst("#.*", "").trim();
      if (text.startsWith(language + ": ")) {
        picture.add(text.substring(language.length() + 2));
      }
    }
    return picture;
  }

  private void add(String text) {
    if (text.startsWith("siblings ")) {
      siblings.add(names(text.substring("siblings ".length())));
      return;
    }
    String[] sides = text.split("->", 2);
    if (sides.length != 2) {
      throw new IllegalArgumentException("neither an arrow nor siblings: '" + text + "'");
    }
    String from = sides[0].trim();
    boolean type = from.startsWith("only ");
    Set<String> before = (type ? only : arrows).put(type ? from.substring(5).trim() : from, names(sides[1]));
    if (before != null) {
      throw new IllegalArgumentException("twice: '" + from + "'");
    }
  }

  private static Set<String> names(String list) {
    Set<String> names = new LinkedHashSet<>(Arrays.asList(list.trim().split("\\s*,\\s*")));
    names.remove("");
    return names;
  }

  Set<String> rooms() {
    return arrows.keySet();
  }

  boolean allows(String from, String to) {
    return arrows.getOrDefault(from, Set.of()).contains(to);
  }

  /** Types that only some rooms may use. */
  Map<String, Set<String>> only() {
    return only;
  }

  /** What is wrong with the picture itself. */
  Set<String> faults() {
    Set<String> faults = new TreeSet<>();
    arrows.forEach(
        (from, targets) -> {
          for (String to : targets) {
            if (!arrows.containsKey(to)) {
              faults.add("%s -> %s: no such room".formatted(from, to));
            }
            if (siblings.stream().anyMatch(group -> group.contains(from) && group.contains(to))) {
              faults.add("%s -> %s: siblings never use each other".formatted(from, to));
            }
          }
        });
    Map<String, Boolean> done = new HashMap<>();
    arrows.keySet().forEach(room -> findCycle(room, new ArrayList<>(), done, faults));
    return faults;
  }

  /** Depth first; {@code done} holds false for rooms on the way, true for those left behind. */
  private void findCycle(String room, List<String> way, Map<String, Boolean> done, Set<String> faults) {
    Boolean state = done.get(room);
    if (state != null) {
      if (!state) {
        faults.add("cycle: " + String.join(" -> ", way.subList(way.indexOf(room), way.size())) + " -> " + room);
      }
      return;
    }
    done.put(room, false);
    way.add(room);
    arrows.getOrDefault(room, Set.of()).forEach(next -> findCycle(next, way, done, faults));
    way.removeLast();
    done.put(room, true);
  }
}
