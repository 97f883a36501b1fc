package io.adrastea.cli.run;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hosts with room for ranks, in the order in which they are named. One that is named several times has room for all
 * that it is named with.
 *
 * @param slots how many ranks each takes, by its name
 */
record HostList(Map<String, Integer> slots) {
  /** A name, an address of IPv4, or one of IPv6 in brackets; and a number. An agent takes no name for an option. */
  private static final Pattern FORM = Pattern.compile("((?:[^\\s,:\\[\\]-][^\\s,:\\[\\]]*)|\\[[0-9A-Fa-f:.%]+])"
      + "(?::(\\d{1,9})|\\s+slots\\s*=\\s*(\\d{1,9}))?");

  /**
   * Ranks of a host.
   *
   * @param host its name
   * @param first the lowest
   * @param count how many, whose numbers follow each other
   */
  record Block(String host, int first, int count) {}

  /**
   * Reads the option.
   *
   * @throws IllegalArgumentException when a host is malformed
   */
  static HostList parse(String option) {
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (String word : option.split(",", -1)) {
      add(slots, word.strip(), "--hosts has",
          "hosts with commas between, each with the number of its ranks, as in a:4,b:4");
    }
    return new HostList(slots);
  }

  /**
   * Reads a file with a host in each line; what is behind a # is a comment.
   *
   * @throws IllegalArgumentException when it cannot be read, has none, or a line is malformed; with its number
   */
  static HostList read(Path file) {
    Map<String, Integer> slots = new LinkedHashMap<>();
    List<String> lines = lines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        add(slots, line, "--hostfile %s, line %d, is".formatted(file, i + 1),
            "a host in each line, with the number of its ranks, as a, a:4 or a slots=4, and # before a comment");
      }
    }
    if (slots.isEmpty()) {
      throw new IllegalArgumentException("--hostfile %s names no host; write one in each line, as a:4".formatted(file));
    }
    return new HostList(slots);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (MalformedInputException e) {
      throw new IllegalArgumentException("--hostfile %s is no text in UTF-8".formatted(file), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("--hostfile %s cannot be read: %s".formatted(file,
          Files.exists(file) ? e.getMessage() : "there is no such file"), e);
    }
  }

  private static void add(Map<String, Integer> slots, String word, String where, String allowed) {
    Matcher form = FORM.matcher(word);
    int number = 0;
    if (form.matches()) {
      String text = form.group(2) == null ? form.group(3) : form.group(2);
      number = text == null ? 1 : Integer.parseInt(text);
    }
    if (number < 1 || number > PartOptions.MOST_RANKS) {
      throw new IllegalArgumentException("%s '%s'; allowed are %s, and numbers from 1 to %d".formatted(where, word,
          allowed, PartOptions.MOST_RANKS));
    }
    slots.merge(form.group(1), number, Integer::sum);
  }

  /** How many ranks all take together. */
  int size() {
    return slots.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * Deals ranks to the hosts: as many as the first takes, then as many as the next does. Hosts for which none are left
   * have none.
   *
   * @throws IllegalArgumentException when they do not take so many
   */
  List<Block> deal(int ranks) {
    if (ranks > size()) {
      throw new IllegalArgumentException(
          "the job has %d ranks, and the hosts take %d together (%s); start fewer, or name larger numbers behind them"
              .formatted(ranks, size(), words()));
    }
    List<Block> blocks = new ArrayList<>();
    int first = 0;
    for (Map.Entry<String, Integer> host : slots.entrySet()) {
      int count = Math.min(host.getValue(), ranks - first);
      if (count > 0) {
        blocks.add(new Block(host.getKey(), first, count));
      }
      first += count;
    }
    return blocks;
  }

  /** Whether all of them are names of this machine that no other reaches it by. */
  boolean isNear() {
    return slots.keySet().stream().allMatch(host -> host.equals("localhost") || host.startsWith("127.")
        || host.equals("[::1]"));
  }

  private String words() {
    String all = String.join(",", slots.entrySet().stream().limit(8).map(host -> host.getKey() + ":" + host.getValue())
        .toList());
    return slots.size() > 8 ? all + ",..." : all;
  }
}
