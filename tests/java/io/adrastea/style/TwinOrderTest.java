package io.adrastea.style;

import static io.adrastea.style.Sources.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Twins have the same functions in the same order with the same SYNC labels, but for what {@code docs/twins.txt} says.
 */
class TwinOrderTest {
  private static final Path C = ROOT.resolve("native");
  private static final Path JAVA = ROOT.resolve("java/transport/src/main/java/io/adrastea");

  private static final List<String> QUEUE_C =
      List.of(
          "static inline void adr_queue_put(struct adr_queue *queue) { /* SYNC link: release */",
          "  if (queue->full) { adr_stop(\"}\"); }",
          "}",
          "",
          "#define ADR_HALF(x) { x",
          "/* Takes one: SYNC link,",
          " * tail. */",
          "static __attribute__((cold)) bool adr_queue_take_one(enum adr_class class) {",
          "  return false;",
          "}");

  private static final List<String> QUEUE_JAVA =
      List.of(
          "/** SYNC none: a class. */",
          "final class Queue {",
          "  private final int[] a = {1};",
          "",
          "  Queue(int a) {",
          "    this.a = a;",
          "  }",
          "",
          "  @SuppressWarnings(\"(\")",
          "  void put() { // SYNC link: release",
          "    Runnable run = () -> {",
          "    };",
          "  }",
          "",
          "  // SYNC link, tail",
          "  boolean takeOne(List<Integer> of) {",
          "    return of.contains('}');",
          "  }",
          "}");

  private static final List<String> ROW = List.of("q/adr_queue.h = q.Queue", "  strip adr_queue_");

  private static List<String> faults(List<String> row, List<String> c, List<String> java) {
    return TwinRow.all(row).getFirst().faults(Function.ofC(c), Function.ofJava("Queue", java)).stream()
        .map(fault -> fault.replace("q/adr_queue.h = q.Queue: ", "")).toList();
  }

  private static List<String> with(List<String> lines, String... more) {
    return Stream.concat(lines.stream(), Stream.of(more)).toList();
  }

  /** The lines with two stretches of them exchanged; the ends are not in them. */
  private static List<String> swapped(List<String> lines, int first, int second, int end) {
    List<String> swapped = new ArrayList<>(lines.subList(0, first));
    swapped.addAll(lines.subList(second, end));
    swapped.addAll(lines.subList(first, second));
    swapped.addAll(lines.subList(end, lines.size()));
    return swapped;
  }

  private static List<String> changed(List<String> lines, String from, String to) {
    return lines.stream().map(line -> line.replace(from, to)).toList();
  }

  @Test
  void twinsHaveTheSameFunctionsInTheSameOrderWithTheSameLabels() throws IOException {
    List<TwinRow> rows = TwinRow.all(Files.readAllLines(ROOT.resolve("docs/twins.txt")));
    List<String> faults = new ArrayList<>();
    int functions = 0;
    for (TwinRow row : rows) {
      List<Function> c = new ArrayList<>();
      for (String file : row.c()) {
        c.addAll(Function.ofC(Files.readAllLines(C.resolve(file))));
      }
      List<Function> java = new ArrayList<>();
      for (String type : row.java()) {
        Path file = JAVA.resolve(type.replace('.', '/') + ".java");
        java.addAll(Function.ofJava(type.substring(type.lastIndexOf('.') + 1), Files.readAllLines(file)));
      }
      functions += c.size();
      faults.addAll(row.faults(c, java));
    }
    assertTrue(functions > 300, "functions found: " + functions);
    assertEquals("", String.join("\n", faults));
  }

  @Test
  void eachFileThatSaysThatItIsATwinIsInTheTable() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Path file : Sources.below(C, Pattern.compile(".*\\.[ch]"))) {
      texts.put(C.relativize(file).toString(), Files.readString(file));
    }
    assertTrue(texts.size() > 100, "files found: " + texts.size());
    List<String> table = Files.readAllLines(ROOT.resolve("docs/twins.txt"));
    assertEquals("", String.join("\n", TwinRow.leftOut(table, texts)));
  }

  @Test
  void functionsAreReadWithTheirLabels() {
    assertEquals(
        "[Function[name=adr_queue_put, labels=[link]], Function[name=adr_queue_take_one, labels=[link, tail]]]",
        Function.ofC(QUEUE_C).toString());
    assertEquals(
        "[Function[name=new, labels=[]], Function[name=put, labels=[link]],"
            + " Function[name=takeOne, labels=[link, tail]]]",
        Function.ofJava("Queue", QUEUE_JAVA).toString());
  }

  @Test
  void equalTwinsHaveNoFault() {
    assertEquals(List.of(), faults(ROW, QUEUE_C, QUEUE_JAVA));
  }

  @Test
  void aSwappedPairIsFound() {
    assertEquals(
        List.of("takeOne: Java has put in its place"), faults(ROW, swapped(QUEUE_C, 0, 5, 10), QUEUE_JAVA));
    List<String> java = swapped(QUEUE_JAVA, 8, 14, 18);
    assertEquals(List.of("put: Java has takeOne in its place"), faults(ROW, QUEUE_C, java));
    assertEquals(List.of(), faults(with(ROW, "  order put: a reason"), QUEUE_C, java));
  }

  @Test
  void aMissingFunctionIsFound() {
    List<String> c = QUEUE_C.subList(0, 4);
    assertEquals(List.of("takeOne: in Java alone"), faults(ROW, c, QUEUE_JAVA));
    assertEquals(
        List.of("label link of takeOne: in Java alone", "label tail of takeOne: in Java alone"),
        faults(with(ROW, "  java takeOne: a reason"), c, QUEUE_JAVA));
    assertEquals(
        List.of("label tail of put: in Java alone"),
        faults(with(ROW, "  java takeOne in put: a reason"), c, QUEUE_JAVA));
    assertEquals(
        List.of("takeOne: in find, which is no function of both"),
        faults(with(ROW, "  java takeOne in find: a reason"), c, QUEUE_JAVA));
    List<String> java = changed(QUEUE_JAVA, "takeOne", "takeFirst");
    assertEquals(List.of("takeOne: in C alone", "takeFirst: in Java alone"), faults(ROW, QUEUE_C, java));
    List<String> named = with(ROW, "  named adr_queue_take_one = takeFirst: a reason");
    assertEquals(List.of(), faults(named, QUEUE_C, java));
  }

  @Test
  void aLabelInAnotherFunctionIsFound() {
    List<String> java = changed(changed(QUEUE_JAVA, "SYNC link, tail", "SYNC link"), "SYNC link:", "SYNC link, tail:");
    assertEquals(
        List.of("label tail of takeOne: in C alone", "label tail of put: in Java alone"), faults(ROW, QUEUE_C, java));
    List<String> told = with(ROW, "  c-label tail of takeOne: a reason", "  java-label tail of put: a reason");
    assertEquals(List.of(), faults(told, QUEUE_C, java));
  }

  @Test
  void anExceptionThatIsNoLongerNeededIsFound() {
    List<String> row =
        with(
            ROW, "  named adr_queue_put = put: a reason", "  order put: a reason", "  c-label tail of put: a reason",
            "  java-label tail of put: a reason", "  c adr_queue_gone: a reason", "  java gone: a reason");
    assertEquals(
        List.of(
            "named adr_queue_put = put: not needed", "c adr_queue_gone: not needed", "java gone: not needed",
            "order put: not needed", "c-label tail of put: not needed", "java-label tail of put: not needed"),
        faults(row, QUEUE_C, QUEUE_JAVA));
    List<String> both = with(ROW, "  c adr_queue_put in takeOne: a reason", "  java put in takeOne: a reason");
    assertEquals(
        List.of("c adr_queue_put: not needed", "java put: not needed"), faults(both, QUEUE_C, QUEUE_JAVA));
  }

  @Test
  void methodsOfOneNameStandTogether() {
    List<String> java = new ArrayList<>(QUEUE_JAVA);
    java.addAll(18, List.of("", "  void takeOne() {", "  }"));
    assertEquals(List.of(), faults(ROW, QUEUE_C, java));
    java.addAll(21, List.of("", "  void put(int a) {", "  }"));
    assertEquals(List.of("put: twice in Java, apart"), faults(ROW, QUEUE_C, java));
  }

  @Test
  void aTwinThatIsNotInTheTableIsFound() {
    Map<String, String> texts = new TreeMap<>();
    texts.put("q/adr_queue.h", "/* Twin of io.adrastea.q.Queue. */");
    texts.put("q/adr_other.h", "/* A queue. Twin\n * of io.adrastea.q.Other. */");
    texts.put("q/adr_alone.h", "/* A queue. */");
    assertEquals(List.of("q/adr_other.h: a twin that is not in the table"), TwinRow.leftOut(ROW, texts));
    assertEquals(List.of(), TwinRow.leftOut(with(ROW, "apart q/: a reason"), texts));
    assertEquals(
        List.of("apart q/adr_alone.h: not needed", "apart r/: not needed"),
        TwinRow.leftOut(with(ROW, "apart q/adr_other.h q/adr_alone.h r/: a reason"), texts));
    assertThrows(IllegalArgumentException.class, () -> TwinRow.leftOut(List.of("apart q/"), texts));
  }

  @Test
  void anExceptionNeedsItsReason() {
    for (String line : List.of("  java put", "  java put: ", "  order: a reason", "  c-label put: a", "  other a: b")) {
      assertThrows(IllegalArgumentException.class, () -> TwinRow.all(with(ROW, line)), line);
    }
    assertThrows(IllegalArgumentException.class, () -> TwinRow.all(List.of("q/adr_queue.h")));
  }
}
