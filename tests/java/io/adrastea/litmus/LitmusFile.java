package io.adrastea.litmus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A litmus test in herd7's format for C11, as far as the tests of this project go: atomic accesses with an order,
 * fences, and conditions on a register.
 *
 * @param initial value of each location
 * @param threads their statements, in order
 * @param condition after {@code exists}
 */
record LitmusFile(Map<String, Integer> initial, List<List<Statement>> threads, String condition) {
  private static final Pattern COMMENT = Pattern.compile("\\(\\*.*?\\*\\)", Pattern.DOTALL);
  private static final Pattern INITIAL = Pattern.compile("\\[(\\w+)]=(\\d+);");
  private static final Pattern THREAD =
      Pattern.compile("^P(\\d+) \\([^)]*\\) \\{$(.*?)^}$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern STORE =
      Pattern.compile("atomic_store_explicit\\((\\w+), (\\d+), memory_order_(\\w+)\\);");
  private static final Pattern LOAD =
      Pattern.compile("int (r\\d+) = atomic_load_explicit\\((\\w+), memory_order_(\\w+)\\);");
  private static final Pattern CHANGE =
      Pattern.compile("int (r\\d+) = atomic_(exchange|fetch_\\w+)_explicit\\((\\w+), (\\d+), memory_order_(\\w+)\\);");
  private static final Pattern CAS =
      Pattern.compile(
          "int (r\\d+) = atomic_compare_exchange_strong_explicit"
              + "\\((\\w+), (\\w+), (\\d+), memory_order_(\\w+), memory_order_(\\w+)\\);");
  private static final Pattern FENCE = Pattern.compile("atomic_thread_fence\\(memory_order_(seq_cst|release)\\);");
  private static final Pattern IF = Pattern.compile("if \\((r\\d+) == (\\d+)\\) \\{");

  /** What one line says. */
  enum Kind {
    STORE, LOAD,
    /** A read-modify-write: exchange, fetch_add, fetch_or, fetch_and. */
    CHANGE,
    /** Compare and exchange; the register tells whether it was made. */
    CAS, FENCE
  }

  /**
   * One access or fence.
   *
   * @param register that is set, or null
   * @param location that is accessed, or null
   * @param operation of a change: exchange, fetch_add, ...
   * @param expected by a CAS
   * @param value that is stored, or the operand of a change
   * @param order of the access, or of a CAS that is made
   * @param otherwise order of a CAS that fails
   * @param guards registers and the values that they must have for the statement to be reached
   */
  record Statement(
      Kind kind,
      String register,
      String location,
      String operation,
      int expected,
      int value,
      Order order,
      Order otherwise,
      Map<String, Integer> guards) {
    Statement relaxed() {
      return new Statement(kind, register, location, operation, expected, value, Order.RELAXED, Order.RELAXED, guards);
    }
  }

  /** A memory order, as C11 calls it. */
  enum Order {
    RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST;

    static Order of(String name) {
      return valueOf(name.toUpperCase());
    }

    boolean acquires() {
      return this == ACQUIRE || this == ACQ_REL || this == SEQ_CST;
    }

    boolean releases() {
      return this == RELEASE || this == ACQ_REL || this == SEQ_CST;
    }
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException when there is something in it that is not understood
   */
  static LitmusFile parse(String text) {
    String bare = COMMENT.matcher(text).replaceAll("");
    int exists = bare.indexOf("\nexists ");
    if (exists < 0) {
      throw new IllegalArgumentException("no line 'exists'");
    }
    Map<String, Integer> initial = new HashMap<>();
    INITIAL.matcher(bare).results().forEach(each -> initial.put(each.group(1), Integer.parseInt(each.group(2))));
    List<List<Statement>> threads = new ArrayList<>();
    Matcher thread = THREAD.matcher(bare.substring(0, exists + 1));
    while (thread.find()) {
      if (Integer.parseInt(thread.group(1)) != threads.size()) {
        throw new IllegalArgumentException("thread P" + thread.group(1) + " is out of order");
      }
      threads.add(statements(thread.group(2).strip().lines().map(String::strip).toList(), initial));
    }
    return new LitmusFile(initial, threads, bare.substring(exists + 8).strip());
  }

  private static List<Statement> statements(List<String> lines, Map<String, Integer> initial) {
    List<Statement> statements = new ArrayList<>();
    List<Map<String, Integer>> guards = new ArrayList<>(List.of(Map.of()));
    for (String line : lines) {
      Matcher branch = IF.matcher(line);
      if (branch.matches()) {
        Map<String, Integer> inner = new HashMap<>(guards.getLast());
        inner.put(branch.group(1), Integer.parseInt(branch.group(2)));
        guards.add(inner);
      } else if (line.equals("}")) {
        guards.removeLast();
      } else {
        statements.add(statement(line, initial, guards.getLast()));
      }
    }
    return statements;
  }

  private static Statement statement(String line, Map<String, Integer> initial, Map<String, Integer> guards) {
    Matcher of = STORE.matcher(line);
    if (of.matches()) {
      int value = Integer.parseInt(of.group(2));
      return new Statement(Kind.STORE, null, of.group(1), "", 0, value, Order.of(of.group(3)), null, guards);
    }
    of = LOAD.matcher(line);
    if (of.matches()) {
      return new Statement(Kind.LOAD, of.group(1), of.group(2), "", 0, 0, Order.of(of.group(3)), null, guards);
    }
    of = CHANGE.matcher(line);
    if (of.matches()) {
      int operand = Integer.parseInt(of.group(4));
      Order order = Order.of(of.group(5));
      return new Statement(Kind.CHANGE, of.group(1), of.group(3), of.group(2), 0, operand, order, null, guards);
    }
    of = CAS.matcher(line);
    if (of.matches()) {
      int expected = initial.get(of.group(3)); // a location of this thread's own
      int value = Integer.parseInt(of.group(4));
      Order order = Order.of(of.group(5));
      Order otherwise = Order.of(of.group(6));
      return new Statement(Kind.CAS, of.group(1), of.group(2), "", expected, value, order, otherwise, guards);
    }
    of = FENCE.matcher(line);
    if (of.matches()) {
      return new Statement(Kind.FENCE, null, null, "", 0, 0, Order.of(of.group(1)), null, guards);
    }
    throw new IllegalArgumentException("not understood: " + line);
  }
}
