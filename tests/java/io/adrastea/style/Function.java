package io.adrastea.style;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A function of a C file or a method of a Java class, with the SYNC labels in it and in the comment right before it.
 *
 * @param name as the file has it; of a constructor {@code new}
 */
record Function(String name, TreeSet<String> labels) {
  private static final String WORD = "[a-z]+(?:-[a-z]+)*";
  private static final Pattern LABELS = Pattern.compile("SYNC (" + WORD + "(?:, " + WORD + ")*)");
  private static final Pattern ANNOTATION = Pattern.compile("@\\w+(\\([^)]*\\))?|__attribute__\\(\\(.*?\\)\\)");
  private static final Pattern TYPE = Pattern.compile(".*\\b(class|record|interface|enum)\\s+\\w+.*");
  private static final Pattern HEAD = Pattern.compile("[^=(]*?(\\w+)\\s*\\([^=]*");

  /** Returns the functions that a C file defines, in source order. */
  static List<Function> ofC(List<String> lines) {
    return new Reader(0, "").read(lines);
  }

  /** Returns the methods of the class that a Java file holds, in source order; not those of classes inside it. */
  static List<Function> ofJava(String type, List<String> lines) {
    return new Reader(1, type).read(lines);
  }

  static TreeSet<String> labelsIn(String text) {
    TreeSet<String> labels = new TreeSet<>();
    Matcher matcher = LABELS.matcher(text);
    while (matcher.find()) {
      for (String label : matcher.group(1).split(", ")) {
        if (!label.startsWith("label")) { // "the SYNC labels are the same"
          labels.add(label);
        }
      }
    }
    return labels;
  }

  /** Reads one file, character by character: what stands between braces, without comments and literals. */
  private static final class Reader {
    private final int level; // of braces, at which functions are defined
    private final String type;
    private final List<Function> functions = new ArrayList<>();
    private final StringBuilder head = new StringBuilder(); // code since the last statement or block at the level
    private final StringBuilder comments = new StringBuilder(); // since then
    private String name; // of the function that is being read; null: none
    private int depth;

    Reader(int level, String type) {
      this.level = level;
      this.type = type;
    }

    List<Function> read(List<String> lines) {
      String text = String.join("\n", lines) + "\n";
      int at = 0;
      while (at < text.length()) {
        int end = at + 1;
        if (text.startsWith("/*", at)) {
          end = behind(text, "*/", at + 2);
          comments.append(text, at, end);
        } else if (text.startsWith("//", at)) {
          end = behind(text, "\n", at) - 1;
          comments.append(text, at + 2, end).append(' ');
        } else if (text.startsWith("\"\"\"", at)) {
          end = behind(text, "\"\"\"", at + 3);
        } else if (text.charAt(at) == '"' || text.charAt(at) == '\'') {
          end = behindLiteral(text, at);
        } else if (text.charAt(at) == '#' && (at == 0 || text.charAt(at - 1) == '\n')) {
          end = behindDirective(text, at);
        } else if (text.startsWith("\n\n", at) && name == null && head.toString().isBlank()) {
          comments.setLength(0); // what stands apart is not the comment of a function
        } else {
          code(text.charAt(at));
        }
        at = end;
      }
      return functions;
    }

    private static int behind(String text, String mark, int from) {
      int at = text.indexOf(mark, from);
      return at < 0 ? text.length() : at + mark.length();
    }

    private static int behindLiteral(String text, int from) {
      int at = from + 1;
      while (at < text.length() && text.charAt(at) != text.charAt(from)) {
        at += text.charAt(at) == '\\' ? 2 : 1;
      }
      return at + 1;
    }

    private static int behindDirective(String text, int from) {
      int end = text.indexOf('\n', from);
      while (text.charAt(end - 1) == '\\' && end + 1 < text.length()) {
        end = text.indexOf('\n', end + 1);
      }
      return end;
    }

    private void code(char c) {
      if (c == '{') {
        if (depth == level) {
          name = nameIn(head.toString());
        }
        head.setLength(0);
        if (depth < level) {
          comments.setLength(0); // of the class
        }
        depth++;
      } else if (c == '}') {
        depth--;
        if (depth == level) {
          end();
        }
      } else if (c == ';' && depth == level) {
        end();
      } else if (depth <= level) {
        head.append(c);
      }
    }

    private void end() {
      if (name != null) {
        TreeSet<String> labels = labelsIn(comments.toString().replaceAll("\\s*\n[ *]*", " "));
        Function last = functions.isEmpty() ? null : functions.getLast();
        if (last != null && last.name.equals(name)) {
          last.labels.addAll(labels); // methods of one name that stand together count as one
        } else {
          functions.add(new Function(name, labels));
        }
      }
      name = null;
      head.setLength(0);
      comments.setLength(0);
    }

    private String nameIn(String code) {
      String bare = ANNOTATION.matcher(code.replace('\n', ' ')).replaceAll("").trim();
      Matcher matcher = HEAD.matcher(bare);
      boolean isType = level > 0 && TYPE.matcher(bare.split("\\(", 2)[0]).matches(); // C has enum in parameters
      if (isType || !matcher.matches()) {
        return null;
      }
      return matcher.group(1).equals(type) ? "new" : matcher.group(1);
    }
  }
}
