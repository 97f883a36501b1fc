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
 * An access to a word that threads or processes share, in a source text, with the SYNC labels that stand beside it.
 *
 * <p>
 * A label stands in the line of its access, or in a comment before it: then it belongs to the accesses of the first
 * statement that has any, and at most {@value #NEAR} lines of code, without comments, may lie between. So a second
 * access further down needs a label of its own.
 *
 * @param language C or Java
 * @param file {@code queue/adr_mpsc_queue.h} (below native) or {@code queue.MpscQueue} (below io.adrastea)
 * @param line counted from 1
 * @param operation load, store, swap, compare_exchange, cas, add, or, and, xor, fence; of a raw one its name
 * @param order as C11 calls it; of a fence "compiler", "store" or "seq_cst"
 * @param raw whether it goes past {@code adr_atomic.h} or {@code Words}, whose names tell the order
 * @param labels none: there is no label near it
 */
record Access(
    String language, String file, int line, String operation, String order, boolean raw, TreeSet<String> labels) {
  private static final int NEAR = 4;
  private static final String WORD = "[a-z]+(?:-[a-z]+)*";
  private static final Pattern LABELS = Pattern.compile("SYNC (" + WORD + "(?:, " + WORD + ")*)");
  private static final Pattern C =
      Pattern.compile(
          "\\badr_(load|store|swap|compare_exchange|cas|add|or|and|xor)_(relaxed|acquire|release|acq_rel|seq_cst)"
              + "_u(?:32|64)\\("
              + "|\\badr_(compiler|full|store)_fence\\("
              + "|\\b(atomic_\\w+|__atomic_\\w+|__sync_\\w+)\\(");
  private static final Pattern JAVA =
      Pattern.compile(
          "\\b(load|store|swap|compareExchange|cas|add|or|and|xor)(Relaxed|Acquire|Release|AcqRel|SeqCst)(?:Long)?\\("
              + "|\\bWords\\.(full|store)Fence\\("
              + "|\\.((?:get|set)(?:Acquire|Release|Volatile|Opaque)"
              + "|getAnd(?:Add|Set|Bitwise\\w+)(?:Acquire|Release)?"
              + "|compareAnd(?:Set|Exchange\\w*)|weakCompareAndSet\\w*"
              + "|(?:full|acquire|release|loadLoad|storeStore)Fence)\\(");

  boolean isOrdered() {
    return !order.equals("relaxed") && !order.equals("compiler");
  }

  /**
   * A call without a mode of a class of {@code java.util.concurrent.atomic}: sequentially consistent, and of this
   * process.
   */
  private boolean isOfAtomicClass(boolean handles) {
    return raw && language.equals("Java") && !handles && order.equals("acq_rel") && !operation.endsWith("Fence");
  }

  boolean releases() {
    return order.equals("release") || isBoth();
  }

  boolean acquires() {
    return order.equals("acquire") || isBoth();
  }

  /** A fence is no end of a hand-over. */
  private boolean isBoth() {
    return order.equals("acq_rel") || order.equals("seq_cst") && !operation.equals("fence");
  }

  /** A label in a comment, which belongs to the accesses that follow. */
  private static final class Pending {
    private final TreeSet<String> labels;
    private final int line;
    private int code; // lines of code since
    private boolean met;

    Pending(TreeSet<String> labels, int line) {
      this.labels = labels;
      this.line = line;
    }
  }

  /** What a text has: its accesses, and the labels in it that belong to none. */
  record Found(List<Access> accesses, List<String> idle) {
    static Found none() {
      return new Found(new ArrayList<>(), new ArrayList<>());
    }

    void add(Found other) {
      accesses.addAll(other.accesses);
      idle.addAll(other.idle);
    }
  }

  /** A source text, by its name as in {@link Access#file}. */
  record Source(String language, String name, List<String> lines) {}

  /** All of the core in C, the programs beside it, and the library, command line and benches in Java. */
  static List<Source> sources(Path root) throws IOException {
    List<Source> sources = new ArrayList<>();
    Path built = root.resolve("native/target");
    for (Path file : below(root.resolve("native"), ".*\\.[ch]")) {
      if (file.startsWith(built)) {
        continue; // what tests make of the sources
      }
      sources.add(new Source("C", root.resolve("native").relativize(file).toString(), Files.readAllLines(file)));
    }
    for (Path file : below(root.resolve("bench/native"), ".*\\.[ch]")) {
      sources.add(new Source("C", root.resolve("bench/native").relativize(file).toString(), Files.readAllLines(file)));
    }
    String made = "java/transport/target/generated-sources/fmpp"; // of templates
    for (String java : List.of("java/transport/src/main/java", made, "java/cli/src/main/java", "bench/src/main/java")) {
      Path folder = root.resolve(java).resolve("io/adrastea");
      for (Path file : below(folder, ".*\\.java")) {
        String name = folder.relativize(file).toString();
        String type = name.substring(0, name.length() - 5).replace('/', '.');
        sources.add(new Source("Java", type, Files.readAllLines(file)));
      }
    }
    return sources;
  }

  private static List<Path> below(Path folder, String name) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(path -> path.toString().matches(name)).sorted().toList();
    }
  }

  static Found all(Path root) throws IOException {
    Found all = Found.none();
    for (Source source : sources(root)) {
      all.add(in(source.language(), source.name(), source.lines()));
    }
    return all;
  }

  static Found in(String language, String file, List<String> lines) {
    Found found = Found.none();
    Text text = new Text();
    Pending pending = null;
    boolean handles = lines.stream().anyMatch(line -> line.contains("VarHandle"));
    for (int number = 1; number <= lines.size(); number++) {
      text.split(lines.get(number - 1));
      List<Access> here = ofLine(language, file, number, text.code);
      here.removeIf(access -> access.isOfAtomicClass(handles));
      TreeSet<String> labels = labels(text.comment);
      if (!labels.isEmpty() && !here.isEmpty()) {
        here.forEach(access -> access.labels.addAll(labels)); // they stand beside it
      } else if (!labels.isEmpty()) {
        if (pending != null && !pending.met && pending.code == 0) {
          pending.labels.addAll(labels); // one comment
        } else {
          note(pending, file, found);
          pending = new Pending(labels, number);
        }
      } else if (pending != null) {
        for (Access access : here) {
          access.labels.addAll(pending.labels);
          pending.met = true;
        }
      }
      found.accesses.addAll(here);
      pending = after(pending, text.code, file, found);
    }
    note(pending, file, found);
    return found;
  }

  /** What a label in a comment is good for after one more line. */
  private static Pending after(Pending pending, String code, String file, Found found) {
    if (pending == null || code.isBlank()) {
      return pending;
    }
    pending.code++;
    boolean ends = pending.met ? code.matches(".*[;{}]\\s*") : pending.code > NEAR;
    if (!ends) {
      return pending;
    }
    note(pending, file, found);
    return null;
  }

  private static void note(Pending pending, String file, Found found) {
    if (pending != null && !pending.met) {
      pending.labels.forEach(label -> found.idle.add("%s:%d: %s".formatted(file, pending.line, label)));
    }
  }

  private static TreeSet<String> labels(String comment) {
    TreeSet<String> labels = new TreeSet<>();
    Matcher matcher = LABELS.matcher(comment);
    while (matcher.find()) {
      for (String label : matcher.group(1).split(", ")) {
        if (!label.startsWith("label")) { // "the SYNC labels are the same"
          labels.add(label);
        }
      }
    }
    return labels;
  }

  private static List<Access> ofLine(String language, String file, int line, String code) {
    List<Access> accesses = new ArrayList<>();
    Matcher call = (language.equals("C") ? C : JAVA).matcher(code);
    while (call.find() && !code.startsWith("static inline")) { // a definition of adr_atomic.h
      String fence = call.group(3);
      String raw = call.group(4);
      String operation = fence != null ? "fence" : raw != null ? raw : call.group(1).replace("compareE", "compare_e");
      String order = raw != null ? rawOrder(raw) : orderOf(fence != null ? fence : call.group(2));
      accesses.add(new Access(language, file, line, operation, order, raw != null, new TreeSet<>()));
    }
    return accesses;
  }

  /** Returns the order of a mode of Java's VarHandle; in C it does not matter, since nothing raw is allowed there. */
  private static String rawOrder(String name) {
    if (name.endsWith("Opaque")) {
      return "relaxed";
    }
    return name.endsWith("Acquire") ? "acquire" : name.endsWith("Release") ? "release" : "acq_rel";
  }

  private static String orderOf(String name) {
    return switch (name) {
      case "AcqRel" -> "acq_rel";
      case "SeqCst", "full" -> "seq_cst";
      default -> name.toLowerCase();
    };
  }

  /** Tells code and comment apart, line by line. */
  private static final class Text {
    private boolean inside; // a comment of several lines
    private String code = "";
    private String comment = "";

    void split(String line) {
      StringBuilder codes = new StringBuilder();
      StringBuilder comments = new StringBuilder();
      boolean quoted = false;
      for (int at = 0; at < line.length(); at++) {
        if (inside) {
          boolean closes = line.startsWith("*/", at);
          comments.append(line.charAt(at));
          inside = !closes;
          at += closes ? 1 : 0;
        } else if (!quoted && line.startsWith("/*", at)) {
          inside = true;
          at++;
        } else if (!quoted && line.startsWith("//", at)) {
          comments.append(line, at, line.length());
          break;
        } else {
          quoted ^= line.charAt(at) == '"' && (at == 0 || line.charAt(at - 1) != '\\');
          codes.append(line.charAt(at));
        }
      }
      code = codes.toString();
      comment = comments.toString();
    }
  }
}
