package io.adrastea.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Values as JSON [RFC 8259] writes them. */
final class Json {
  private static final Set<String> NUMBERS = Set.of("bytes", "value"); // columns of the CSV
  private static final String NUMBER = "-?(0|[1-9][0-9]*)(\\.[0-9]+)?"; // NaN is not valid

  private Json() {}

  /** A string, quoted. */
  static String text(String value) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char one = value.charAt(i);
      if (one == '"' || one == '\\') {
        text.append('\\').append(one);
      } else if (one < ' ') {
        text.append("\\u%04x".formatted((int) one));
      } else {
        text.append(one);
      }
    }
    return text.append('"').toString();
  }

  /** One figure as an object. A value that is no number is null. */
  static String object(List<String> names, String[] fields) {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String value = NUMBERS.contains(names.get(i)) ? fields[i].matches(NUMBER) ? fields[i] : "null" : text(fields[i]);
      members.add(text(names.get(i)) + ": " + value);
    }
    return "{" + String.join(", ", members) + "}";
  }

  /** A line for each value, with commas between them. */
  static List<String> parted(String indent, List<String> values) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      lines.add(indent + values.get(i) + (i + 1 < values.size() ? "," : ""));
    }
    return lines;
  }
}
