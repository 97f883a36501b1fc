package io.adrastea.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands behind {@code exists}: registers and locations with values, joined by and, or, not, and parentheses. */
final class Condition {
  private static final Pattern TOKEN = Pattern.compile("\\s*(/\\\\|\\\\/|~|\\(|\\)|\\d+:r\\d+=\\d+|\\[\\w+]=\\d+)");

  private final List<String> tokens = new ArrayList<>();
  private int at;
  private Map<String, Integer> state;

  private Condition(String text) {
    Matcher token = TOKEN.matcher(text);
    int end = 0;
    while (token.find() && token.start() == end) {
      tokens.add(token.group(1));
      end = token.end();
    }
    if (!text.substring(end).isBlank()) {
      throw new IllegalArgumentException("not understood: " + text.substring(end));
    }
  }

  static Condition of(String text) {
    return new Condition(text);
  }

  /** Its propositions, as {@code 1:r0=1} or {@code [x]=2}. */
  List<String> propositions() {
    return tokens.stream().filter(Condition::isProposition).toList();
  }

  private static boolean isProposition(String token) {
    return token.contains("=");
  }

  /** Whether it holds at an end. */
  boolean holds(Map<String, Integer> end) {
    at = 0;
    state = end;
    boolean holds = or();
    if (at != tokens.size()) {
      throw new IllegalArgumentException("not understood: " + tokens);
    }
    return holds;
  }

  private boolean or() {
    boolean holds = and();
    while (at < tokens.size() && tokens.get(at).equals("\\/")) {
      at++;
      holds |= and();
    }
    return holds;
  }

  private boolean and() {
    boolean holds = not();
    while (at < tokens.size() && tokens.get(at).equals("/\\")) {
      at++;
      holds &= not();
    }
    return holds;
  }

  private boolean not() {
    String token = tokens.get(at++);
    if (token.equals("~")) {
      return !not();
    }
    if (token.equals("(")) {
      boolean holds = or();
      if (!tokens.get(at++).equals(")")) {
        throw new IllegalArgumentException("a parenthesis is missing: " + tokens);
      }
      return holds;
    }
    return isTrue(token, state);
  }

  /** A register of a statement that was not reached has the value 0. */
  static boolean isTrue(String proposition, Map<String, Integer> end) {
    String[] sides = proposition.split("=");
    return end.getOrDefault(sides[0], 0) == Integer.parseInt(sides[1]);
  }
}
