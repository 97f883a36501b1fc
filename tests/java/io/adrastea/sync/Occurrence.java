package io.adrastea.sync;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A SYNC label beside an access.
 *
 * @param file {@code queue/adr_mpsc_queue.h} (below native) or {@code queue.MpscQueue} (below io.adrastea)
 * @param order of the access that comes next, as C11 calls it; empty: there is none near
 */
record Occurrence(String label, String language, String file, String order) {
  private static final String WORD = "[a-z]+(?:-[a-z]+)*";
  private static final Pattern LABELS = Pattern.compile("SYNC (" + WORD + "(?:, " + WORD + ")*)");
  private static final Pattern ACCESS =
      Pattern.compile(
          "(?:load|store|swap|cas|add|or|and|order)_?(relaxed|acquire|release|acq_rel|Relaxed|Acquire|Release|AcqRel)");
  private static final int NEAR = 9; // lines from a label to its access
  private static final Path JAVA = Path.of("java/transport/src/main/java/io/adrastea");

  static List<Occurrence> all(Path root) throws IOException {
    List<Occurrence> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root.resolve("native"))) {
      for (Path file : files.filter(path -> path.toString().matches(".*\\.[ch]")).sorted().toList()) {
        all.addAll(in("C", root.resolve("native").relativize(file).toString(), Files.readAllLines(file)));
      }
    }
    try (Stream<Path> files = Files.walk(root.resolve(JAVA))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        String name = root.resolve(JAVA).relativize(file).toString();
        all.addAll(in("Java", name.substring(0, name.length() - 5).replace('/', '.'), Files.readAllLines(file)));
      }
    }
    return all;
  }

  static List<Occurrence> in(String language, String file, List<String> lines) {
    List<Occurrence> found = new ArrayList<>();
    for (int line = 0; line < lines.size(); line++) {
      Matcher labels = LABELS.matcher(lines.get(line));
      while (labels.find()) {
        for (String label : labels.group(1).split(", ")) {
          if (!label.equals("labels")) { // "the SYNC labels are the same"
            List<String> near = lines.subList(line, Math.min(line + NEAR, lines.size()));
            found.add(new Occurrence(label, language, file, order(near)));
          }
        }
      }
    }
    return found;
  }

  private static String order(List<String> lines) {
    for (String line : lines) {
      Matcher access = ACCESS.matcher(line);
      if (access.find()) {
        String order = access.group(1);
        return order.equals("AcqRel") ? "acq_rel" : order.toLowerCase();
      }
    }
    return "";
  }

  static TreeSet<String> labels(List<Occurrence> all) {
    TreeSet<String> labels = new TreeSet<>();
    all.forEach(each -> labels.add(each.label));
    return labels;
  }
}
