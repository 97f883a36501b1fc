package io.adrastea.vectors;

import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.segment.Geometry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One file of {@code tests/vectors}, taken apart; its {@code README.md} explains the format.
 *
 * @param file where it is
 * @param lines its operations
 */
record Script(Path file, List<Line> lines) {
  private static final Map<String, Long> CONSTANTS =
      Map.ofEntries(
          Map.entry("GONE", -3L),
          Map.entry("AGAIN", -11L),
          Map.entry("BUSY", -16L),
          Map.entry("EINVAL", -22L),
          Map.entry("NOMSG", -42L),
          Map.entry("CORRUPT", -71L),
          Map.entry("MSGSIZE", -90L),
          Map.entry("LINK_PENDING", -115L),
          Map.entry("FIRST", 1L),
          Map.entry("NEXT", 2L),
          Map.entry("ABORT", 3L),
          Map.entry("WANTED", 2L),
          Map.entry("NO_ROOM", -28L),
          Map.entry("NONE", -1L));
  private static final Pattern NAME =
      Pattern.compile("(cell|area|recvq|freeq|box|boxentry|rank)\\((\\d+)(?:,(\\d+))?\\)");

  /**
   * One operation.
   *
   * @param number of the line in its file
   * @param words the operation's name and its arguments
   * @param wanted what must come out
   */
  record Line(int number, List<String> words, List<String> wanted) {}

  static Script read(Path file) throws IOException {
    List<Line> lines = new ArrayList<>();
    List<String> texts = Files.readAllLines(file);
    for (int number = 1; number <= texts.size(); number++) {
      String text = texts.get(number - 1).replaceFirst("#.*", "").trim();
      if (!text.isEmpty()) {
        String[] sides = text.split(" = ");
        lines.add(new Line(number, words(sides[0]), sides.length == 1 ? List.of() : words(sides[1])));
      }
    }
    return new Script(file, lines);
  }

  private static List<String> words(String text) {
    return Arrays.asList(text.trim().split(" +"));
  }

  /** The value of a word: a sum of numbers and names. */
  static long value(String word, Geometry geometry) {
    return Arrays.stream(word.split("\\+")).mapToLong(term -> term(term, geometry)).sum();
  }

  private static long term(String term, Geometry geometry) {
    if (term.equals("barrier")) {
      return SegmentHeaderDescriptor.BARRIER_OFFSET;
    }
    Long constant = CONSTANTS.get(term);
    if (constant != null) {
      return constant;
    }
    Matcher name = NAME.matcher(term);
    return name.matches() ? offset(name, geometry) : number(term);
  }

  private static long number(String term) {
    return term.startsWith("0x") ? Long.parseUnsignedLong(term.substring(2), 16) : Long.parseLong(term);
  }

  private static long offset(Matcher name, Geometry geometry) {
    int rank = Integer.parseInt(name.group(2));
    return switch (name.group(1)) {
      case "cell" -> geometry.cellOffset(rank, Integer.parseInt(name.group(3)));
      case "box" -> geometry.boxRingOffset(rank, Integer.parseInt(name.group(3)));
      case "boxentry" -> geometry.boxEntryOffset(rank, Integer.parseInt(name.group(3)));
      case "rank" -> geometry.rankEntryOffset(rank);
      case "area" -> geometry.rankAreaOffset(rank);
      case "recvq" -> geometry.receiveQueueOffset(rank);
      case "freeq" -> geometry.freeQueueOffset(rank);
      default -> geometry.rankAreaOffset(rank) + 512;
    };
  }
}
