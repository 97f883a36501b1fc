package io.adrastea.litmus;

import io.adrastea.litmus.LitmusFile.Kind;
import io.adrastea.litmus.LitmusFile.Order;
import io.adrastea.litmus.LitmusFile.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * All executions of a litmus test that C11 allows, found by trying: what each read reads, from which write, and in
 * which order the writes of each location come. The model is RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing
 * Sequential Consistency in C/C++11, PLDI 2017) with these axioms:
 *
 * <ul>
 * <li>coherence: what happens before does not come after in the order of the writes, nor in what reads tell of it;
 * <li>atomicity: a read-modify-write follows immediately on the write that it reads;
 * <li>fences and accesses that are sequentially consistent have an order that agrees with all that;
 * <li>no value out of thin air: reads-from, and what depends on a read by a condition, make no circle.
 * </ul>
 *
 * <p>
 * It is weaker than RC11 in two things. A release sequence is continued by read-modify-writes alone, as in C++20. And a
 * load may be made after a store that does not depend on it (RC11 forbids a circle of reads-from and program order):
 * compilers and AArch64 do that.
 */
final class Executions {
  private static final int INITIAL = -1; // the thread of the first values

  /** An access or a fence in one execution; a read-modify-write is one event. */
  private record Event(
      int thread, String location, Integer read, Integer written, Order order, Set<Integer> depends) {
    boolean isFence() {
      return location == null;
    }

    boolean changes() {
      return read != null && written != null;
    }
  }

  /** What one thread does when its reads have certain values. */
  private record Trace(List<Event> events, Map<String, Integer> registers) {}

  private final LitmusFile test;
  private final Map<String, TreeSet<Integer>> values; // that a location can have
  private final Set<Map<String, Integer>> ends = new HashSet<>();

  private List<Event> events; // of the execution being tried
  private int[] readsFrom;
  private Map<String, List<Integer>> writes; // of each location, in their order

  private Executions(LitmusFile test) {
    this.test = test;
    this.values = valuesOf(test);
  }

  /** How the test can end: the registers, as {@code 1:r0}, and the last values of the locations, as {@code [x]}. */
  static Set<Map<String, Integer>> ends(LitmusFile test) {
    Executions executions = new Executions(test);
    executions.choose(0, new ArrayList<>());
    return executions.ends;
  }

  private static Map<String, TreeSet<Integer>> valuesOf(LitmusFile test) {
    Map<String, TreeSet<Integer>> values = new HashMap<>();
    test.initial().forEach((location, value) -> values.put(location, new TreeSet<>(Set.of(value))));
    Stream<Statement> statements = test.threads().stream().flatMap(List::stream);
    List<Statement> all = statements.filter(each -> each.location() != null).toList();
    for (int round = 0; round <= all.size(); round++) { // one change can build on another
      for (Statement each : all) {
        TreeSet<Integer> known = values.get(each.location());
        if (each.kind() == Kind.STORE || each.kind() == Kind.CAS) {
          known.add(each.value());
        } else if (each.kind() == Kind.CHANGE && round < count(all, each)) {
          new ArrayList<>(known).forEach(before -> known.add(changed(each, before)));
        }
      }
    }
    return values;
  }

  private static long count(List<Statement> all, Statement like) {
    return all.stream().filter(each -> each.kind() == Kind.CHANGE && each.location().equals(like.location())).count();
  }

  private static int changed(Statement change, int before) {
    return switch (change.operation()) {
      case "exchange" -> change.value();
      case "fetch_add" -> before + change.value();
      case "fetch_or" -> before | change.value();
      case "fetch_and" -> before & change.value();
      default -> throw new IllegalArgumentException("not understood: " + change.operation());
    };
  }

  // ---- what is tried

  private void choose(int thread, List<Trace> traces) {
    if (thread == test.threads().size()) {
      tryTraces(traces);
      return;
    }
    List<Trace> all = new ArrayList<>();
    trace(thread, 0, new ArrayList<>(), new HashMap<>(), new HashMap<>(), all);
    for (Trace trace : all) {
      traces.add(trace);
      choose(thread + 1, traces);
      traces.removeLast();
    }
  }

  /** All traces of a thread that begin with these events. */
  private void trace(
      int thread,
      int at,
      List<Event> begun,
      Map<String, Integer> registers,
      Map<String, Integer> setAt,
      List<Trace> all) {
    List<Statement> statements = test.threads().get(thread);
    if (at == statements.size()) {
      all.add(new Trace(List.copyOf(begun), Map.copyOf(registers)));
      return;
    }
    Statement next = statements.get(at);
    if (!next.guards().entrySet().stream().allMatch(each -> each.getValue().equals(registers.get(each.getKey())))) {
      trace(thread, at + 1, begun, registers, setAt, all);
      return;
    }
    Set<Integer> depends = new HashSet<>();
    next.guards().keySet().forEach(register -> depends.add(setAt.get(register)));
    if (next.kind() == Kind.STORE || next.kind() == Kind.FENCE) {
      Integer written = next.kind() == Kind.STORE ? next.value() : null;
      begun.add(new Event(thread, next.location(), null, written, next.order(), depends));
      trace(thread, at + 1, begun, registers, setAt, all);
      begun.removeLast();
      return;
    }
    for (int read : values.get(next.location())) {
      begun.add(reading(thread, next, read, depends));
      registers.put(next.register(), next.kind() == Kind.CAS ? (read == next.expected() ? 1 : 0) : read);
      setAt.put(next.register(), begun.size() - 1);
      trace(thread, at + 1, begun, registers, setAt, all);
      begun.removeLast();
      registers.remove(next.register());
    }
  }

  private static Event reading(int thread, Statement next, int read, Set<Integer> depends) {
    Integer written = null;
    Order order = next.order();
    if (next.kind() == Kind.CHANGE) {
      written = changed(next, read);
    } else if (next.kind() == Kind.CAS) {
      written = read == next.expected() ? next.value() : null;
      order = written == null ? next.otherwise() : order;
    }
    return new Event(thread, next.location(), read, written, order, depends);
  }

  private void tryTraces(List<Trace> traces) {
    events = new ArrayList<>();
    for (Map.Entry<String, Integer> first : test.initial().entrySet()) {
      events.add(new Event(INITIAL, first.getKey(), null, first.getValue(), Order.RELAXED, Set.of()));
    }
    for (Trace trace : traces) {
      int first = events.size();
      for (Event each : trace.events()) {
        Set<Integer> depends = new HashSet<>();
        each.depends().forEach(at -> depends.add(first + at));
        events.add(new Event(each.thread(), each.location(), each.read(), each.written(), each.order(), depends));
      }
    }
    readsFrom = new int[events.size()];
    writes = new HashMap<>();
    chooseWrites(0, traces);
  }

  /** Tries the read of event {@code at}, and of those behind it. */
  private void chooseWrites(int at, List<Trace> traces) {
    if (at == events.size()) {
      orderWrites(new ArrayList<>(test.initial().keySet()), 0, traces);
      return;
    }
    Event event = events.get(at);
    readsFrom[at] = -1;
    if (event.read() == null) {
      chooseWrites(at + 1, traces);
      return;
    }
    for (int from = 0; from < events.size(); from++) {
      Event write = events.get(from);
      if (from != at && event.location().equals(write.location()) && event.read().equals(write.written())) {
        readsFrom[at] = from;
        chooseWrites(at + 1, traces);
      }
    }
  }

  private void orderWrites(List<String> locations, int next, List<Trace> traces) {
    if (next == locations.size()) {
      if (isAllowed()) {
        ends.add(end(traces));
      }
      return;
    }
    List<Integer> left = new ArrayList<>();
    List<Integer> ordered = new ArrayList<>();
    for (int at = 0; at < events.size(); at++) {
      Event event = events.get(at);
      if (locations.get(next).equals(event.location()) && event.written() != null) {
        (event.thread() == INITIAL ? ordered : left).add(at);
      }
    }
    writes.put(locations.get(next), ordered);
    orderWrites(ordered, left, locations, next, traces);
  }

  private void orderWrites(
      List<Integer> ordered, List<Integer> left, List<String> locations, int next, List<Trace> traces) {
    if (left.isEmpty()) {
      orderWrites(locations, next + 1, traces);
      writes.put(locations.get(next), ordered);
      return;
    }
    for (int write : List.copyOf(left)) {
      if (events.get(write).changes() && readsFrom[write] != ordered.getLast()) {
        continue; // atomicity
      }
      ordered.add(write);
      left.remove((Integer) write);
      orderWrites(ordered, left, locations, next, traces);
      left.add(write);
      ordered.removeLast();
    }
  }

  private Map<String, Integer> end(List<Trace> traces) {
    Map<String, Integer> end = new HashMap<>();
    for (int thread = 0; thread < traces.size(); thread++) {
      for (Map.Entry<String, Integer> register : traces.get(thread).registers().entrySet()) {
        end.put(thread + ":" + register.getKey(), register.getValue());
      }
    }
    writes.forEach((location, ordered) -> end.put("[" + location + "]", events.get(ordered.getLast()).written()));
    return end;
  }

  // ---- what is allowed

  private boolean isAllowed() {
    int count = events.size();
    boolean[][] happensBefore = new boolean[count][count];
    boolean[][] comesAfter = new boolean[count][count]; // in the order of writes, and in what reads tell
    boolean[][] causes = new boolean[count][count];
    for (int from = 0; from < count; from++) {
      for (int to = 0; to < count; to++) {
        happensBefore[from][to] = isBefore(from, to);
      }
      for (int read : events.get(from).depends()) {
        causes[read][from] = true;
      }
      if (readsFrom[from] >= 0) {
        causes[readsFrom[from]][from] = true;
        comesAfter[readsFrom[from]][from] = true;
        synchronize(from, happensBefore);
      }
    }
    for (List<Integer> ordered : writes.values()) {
      for (int earlier = 0; earlier < ordered.size(); earlier++) {
        for (int later = earlier + 1; later < ordered.size(); later++) {
          comesAfter[ordered.get(earlier)][ordered.get(later)] = true;
          for (int read = 0; read < count; read++) {
            boolean missed = readsFrom[read] == ordered.get(earlier) && read != ordered.get(later);
            comesAfter[read][ordered.get(later)] |= missed;
          }
        }
      }
    }
    close(happensBefore);
    close(comesAfter);
    close(causes);
    return isIrreflexive(happensBefore)
        && isIrreflexive(causes)
        && isCoherent(happensBefore, comesAfter)
        && isSequential(happensBefore, comesAfter);
  }

  /** Whether an event is before another one in the program's order; the first values come before all. */
  private boolean isBefore(int from, int to) {
    Event first = events.get(from);
    Event second = events.get(to);
    return first.thread() == INITIAL
        ? second.thread() != INITIAL
        : first.thread() == second.thread() && from < to;
  }

  /**
   * What {@code read} synchronizes with: the heads of the release sequences that it reads from, and fences on both
   * sides.
   */
  private void synchronize(int read, boolean[][] happensBefore) {
    for (int head = readsFrom[read]; head >= 0; head = events.get(head).changes() ? readsFrom[head] : -1) {
      for (int from = 0; from < events.size(); from++) {
        boolean releases = from == head ? events.get(head).order().releases() : isFence(from) && isBefore(from, head);
        for (int to = 0; releases && to < events.size(); to++) {
          boolean acquires = to == read ? events.get(read).order().acquires() : isWhole(to) && isBefore(read, to);
          happensBefore[from][to] |= acquires;
        }
      }
    }
  }

  private boolean isFence(int event) {
    return events.get(event).isFence();
  }

  /** Whether it is a fence that is sequentially consistent; one of release orders only what is before it. */
  private boolean isWhole(int event) {
    return isFence(event) && events.get(event).order() == Order.SEQ_CST;
  }

  private static boolean isCoherent(boolean[][] happensBefore, boolean[][] comesAfter) {
    for (int from = 0; from < happensBefore.length; from++) {
      for (int to = 0; to < happensBefore.length; to++) {
        if (happensBefore[from][to] && comesAfter[to][from] || comesAfter[from][to] && from == to) {
          return false;
        }
      }
    }
    return true;
  }

  /** The order of all that is sequentially consistent: {@code psc} of RC11. */
  private boolean isSequential(boolean[][] happensBefore, boolean[][] comesAfter) {
    int count = events.size();
    boolean[][] sequential = new boolean[count][count];
    boolean[][] before = sequentialBefore(happensBefore, comesAfter);
    for (int from = 0; from < count; from++) {
      for (int to = 0; to < count; to++) {
        boolean fences = isWhole(from) && isWhole(to);
        boolean ordered = happensBefore[from][to] || leads(from, to, happensBefore, comesAfter);
        sequential[from][to] = fences && ordered || isBase(from, to, before, happensBefore);
      }
    }
    close(sequential);
    return isIrreflexive(sequential);
  }

  /** {@code psc_base}: of the accesses themselves, and of what fences are before and behind. */
  private boolean isBase(int from, int to, boolean[][] before, boolean[][] happensBefore) {
    if (events.get(from).order() != Order.SEQ_CST || events.get(to).order() != Order.SEQ_CST) {
      return false;
    }
    for (int first = 0; first < events.size(); first++) {
      for (int second = 0; second < events.size(); second++) {
        boolean begins = first == from || isFence(from) && happensBefore[from][first];
        boolean ends = second == to || isFence(to) && happensBefore[second][to];
        if (begins && ends && before[first][second]) {
          return true;
        }
      }
    }
    return false;
  }

  /** {@code scb}: the orders that the one of all that is sequentially consistent agrees with. */
  private boolean[][] sequentialBefore(boolean[][] happensBefore, boolean[][] comesAfter) {
    int count = events.size();
    boolean[][] before = new boolean[count][count];
    for (int from = 0; from < count; from++) {
      for (int to = 0; to < count; to++) {
        before[from][to] =
            isInProgramOrder(from, to)
                || isOfOneLocation(from, to) && (happensBefore[from][to] || comesAfter[from][to] && writes(to))
                || isAround(from, to, happensBefore);
      }
    }
    return before;
  }

  private boolean isInProgramOrder(int from, int to) {
    return events.get(from).thread() == events.get(to).thread() && from < to;
  }

  private boolean writes(int event) {
    return events.get(event).written() != null;
  }

  private boolean isOfOneLocation(int from, int to) {
    return !isFence(from) && events.get(from).location().equals(events.get(to).location());
  }

  /** Whether one event happens before another between two steps of the program to other locations. */
  private boolean isAround(int from, int to, boolean[][] happensBefore) {
    for (int first = 0; first < events.size(); first++) {
      for (int second = 0; second < events.size(); second++) {
        if (isInProgramOrder(from, first) && !isOfOneLocation(from, first) && happensBefore[first][second]
            && isInProgramOrder(second, to) && !isOfOneLocation(second, to)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean leads(int from, int to, boolean[][] happensBefore, boolean[][] comesAfter) {
    for (int first = 0; first < happensBefore.length; first++) {
      for (int second = 0; second < happensBefore.length; second++) {
        if (happensBefore[from][first] && comesAfter[first][second] && happensBefore[second][to]) {
          return true;
        }
      }
    }
    return false;
  }

  private static void close(boolean[][] relation) {
    for (int over = 0; over < relation.length; over++) {
      for (int from = 0; from < relation.length; from++) {
        for (int to = 0; relation[from][over] && to < relation.length; to++) {
          relation[from][to] |= relation[over][to];
        }
      }
    }
  }

  private static boolean isIrreflexive(boolean[][] relation) {
    for (int at = 0; at < relation.length; at++) {
      if (relation[at][at]) {
        return false;
      }
    }
    return true;
  }
}
