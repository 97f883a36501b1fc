package io.adrastea.config;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The values that a setting may have: a check, and a sentence for messages. */
final class Rule {
  private static final int MOST_PORT = 65_535;

  private final Predicate<String> check;
  private final String words; // with a %s for the unit
  private final int least; // of the numbers
  private final int most;

  private Rule(Predicate<String> check, String words) {
    this(check, words, 0, 0);
  }

  private Rule(Predicate<String> check, String words, int least, int most) {
    this.check = check;
    this.words = words;
    this.least = least;
    this.most = most;
  }

  /** Allows everything: paths, and what the reader of the setting checks itself. */
  static Rule any() {
    return new Rule(text -> true, "");
  }

  /** Allows what matches a pattern. */
  static Rule pattern(String pattern, String words) {
    return new Rule(text -> text.matches(pattern), words);
  }

  /** Allows one of these words, in upper or lower case. */
  static Rule word(String... words) {
    List<String> all = List.of(words);
    int last = all.size() - 1;
    String list = String.join(", ", all.subList(0, last)) + " and " + all.get(last);
    return new Rule(text -> all.contains(text.toLowerCase(Locale.ROOT)), "allowed are " + list);
  }

  /** Allows a host and a port, with a colon between them; an IPv6 address is in brackets. */
  static Rule hostAndPort() {
    return new Rule(Rule::isHostAndPort, "allowed is <host>:<port>, with IPv6 as [<address>]:<port>");
  }

  static Rule whole(int least, int most) {
    String words = "allowed is a whole number from %d to %d (%%s)".formatted(least, most);
    return new Rule(text -> isWhole(text, least, most), words, least, most);
  }

  static Rule wholeOrAuto(int least, int most) {
    return new Rule(
        text -> text.equalsIgnoreCase("auto") || isWhole(text, least, most),
        "allowed is auto or a whole number from %d to %d (bytes)".formatted(least, most),
        least,
        most);
  }

  static Rule power(int least, int most) {
    String words = "allowed are powers of two from %d to %d (%%s)".formatted(least, most);
    return new Rule(text -> isPower(text, least, most), words, least, most);
  }

  /** Allows a power of two, and 0 for none. */
  static Rule powerOrNone(int least, int most) {
    return new Rule(
        text -> isWhole(text, 0, 0) || isPower(text, least, most),
        "allowed are 0 and powers of two from %d to %d (%%s)".formatted(least, most),
        least,
        most);
  }

  boolean allows(String text) {
    return check.test(text);
  }

  /** The sentence that says what is allowed. */
  String words(String unit) {
    return words.formatted(unit);
  }

  /** The least number that is allowed, beside 0 for none; 0 where numbers are not what it is about. */
  int least() {
    return least;
  }

  /** The greatest number that is allowed; 0 where numbers are not what it is about. */
  int most() {
    return most;
  }

  private static boolean isWhole(String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      return number >= least && number <= most;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean isHostAndPort(String text) {
    return text.matches("([0-9A-Za-z._-]{1,255}|\\[[0-9A-Za-z:.%_-]{1,255}\\]):[0-9]{1,5}")
        && isWhole(text.substring(text.lastIndexOf(':') + 1), 1, MOST_PORT);
  }

  private static boolean isPower(String text, int least, int most) {
    return isWhole(text, least, most) && Integer.bitCount(Integer.parseInt(text)) == 1;
  }
}
