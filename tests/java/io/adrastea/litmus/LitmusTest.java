package io.adrastea.litmus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.litmus.LitmusFile.Kind;
import io.adrastea.litmus.LitmusFile.Order;
import io.adrastea.litmus.LitmusFile.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The litmus tests of the memory orders, {@code tests/litmus}: the outcome that a test forbids is in no execution that
 * C11 allows, and is in one as soon as any of its orders is relaxed, or a fence is left out. An order that may be
 * relaxed without that is named by the test, with the reason.
 */
class LitmusTest {
  private static final Path LITMUS = Path.of(System.getProperty("adrastea.root")).resolve("tests/litmus");
  private static final Pattern SPARE =
      Pattern.compile("^ \\* Spare: (P\\d \\d+(?:, P\\d \\d+)*): (.*)$", Pattern.MULTILINE);
  private static final int REASON = 5; // words of a reason at least
  private static final String WEAKER = ".weaker.litmus";

  static List<String> strong() throws IOException {
    return names().stream().filter(name -> !name.endsWith(WEAKER)).toList();
  }

  static List<String> weaker() throws IOException {
    return names().stream().filter(name -> name.endsWith(WEAKER)).toList();
  }

  private static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(LITMUS)) {
      Stream<String> names = files.map(file -> file.getFileName().toString());
      return names.filter(name -> name.endsWith(".litmus")).sorted().toList();
    }
  }

  private static boolean isReached(LitmusFile test) {
    return Executions.ends(test).stream().anyMatch(Condition.of(test.condition())::holds);
  }

  @ParameterizedTest
  @MethodSource("strong")
  void whatIsForbiddenHappensInNoExecution(String name) throws IOException {
    assertEquals(false, isReached(LitmusFile.parse(Files.readString(LITMUS.resolve(name)))));
  }

  @ParameterizedTest
  @MethodSource("weaker")
  void whatAWeakerTwinAllowsHappens(String name) throws IOException {
    assertTrue(strong().contains(name.replace(WEAKER, ".litmus")), "the twin of no test");
    assertEquals(true, isReached(LitmusFile.parse(Files.readString(LITMUS.resolve(name)))));
  }

  /**
   * Places of the statements whose order can be relaxed, one at a time, and the bad outcome stays away: {@code P0 1} is
   * the first one of P0.
   */
  private static TreeSet<String> spare(LitmusFile test) {
    TreeSet<String> spare = new TreeSet<>();
    for (int thread = 0; thread < test.threads().size(); thread++) {
      for (int at = 0; at < test.threads().get(thread).size(); at++) {
        if (test.threads().get(thread).get(at).order() != Order.RELAXED && !isReached(weakened(test, thread, at))) {
          spare.add("P%d %d".formatted(thread, at + 1));
        }
      }
    }
    return spare;
  }

  private static LitmusFile weakened(LitmusFile test, int thread, int at) {
    List<List<Statement>> threads = new ArrayList<>(test.threads());
    List<Statement> statements = new ArrayList<>(threads.get(thread));
    Statement statement = statements.remove(at);
    if (statement.kind() != Kind.FENCE) {
      statements.add(at, statement.relaxed());
    }
    threads.set(thread, statements);
    return new LitmusFile(test.initial(), threads, test.condition());
  }

  /** Returns the spare orders that the test names, each group with its reason. */
  private static TreeSet<String> namedSpare(String text) {
    TreeSet<String> named = new TreeSet<>();
    Matcher spare = SPARE.matcher(text);
    while (spare.find()) {
      assertTrue(spare.group(2).split("\\s+").length >= REASON, "no reason: " + spare.group());
      named.addAll(List.of(spare.group(1).split(", ")));
    }
    return named;
  }

  @ParameterizedTest
  @MethodSource("strong")
  void eachOrderIsNeededOrNamedAsSpare(String name) throws IOException {
    String text = Files.readString(LITMUS.resolve(name));
    LitmusFile test = LitmusFile.parse(text);
    assertEquals(namedSpare(text), spare(test));
    long ordered = test.threads().stream().flatMap(List::stream).filter(each -> each.order() != Order.RELAXED).count();
    boolean hasTwin = names().contains(name.replace(".litmus", WEAKER));
    assertTrue(ordered > spare(test).size() || hasTwin, "no order is needed: it cannot fail");
  }

  /**
   * With every order relaxed each part of the condition is true in one execution and false in another: a slip of the
   * pen would not be.
   */
  @ParameterizedTest
  @MethodSource("strong")
  void eachPartOfTheConditionMatters(String name) throws IOException {
    LitmusFile test = LitmusFile.parse(Files.readString(LITMUS.resolve(name)));
    Stream<Statement> all = test.threads().stream().flatMap(List::stream);
    boolean decidesAtomicity = all.allMatch(each -> each.order() == Order.RELAXED);
    List<List<Statement>> relaxed =
        test.threads().stream()
            .map(thread -> thread.stream().filter(each -> each.kind() != Kind.FENCE).map(Statement::relaxed).toList())
            .toList();
    Set<Map<String, Integer>> ends = Executions.ends(new LitmusFile(test.initial(), relaxed, test.condition()));
    for (String part : Condition.of(test.condition()).propositions()) {
      assertTrue(ends.stream().anyMatch(end -> Condition.isTrue(part, end)), part + " never holds");
      assertTrue(ends.stream().anyMatch(end -> !Condition.isTrue(part, end)), part + " always holds");
    }
    assertEquals(!decidesAtomicity, ends.stream().anyMatch(Condition.of(test.condition())::holds));
  }

  // ---- the checker itself

  private static String thread(int number, String... lines) {
    return "P%d (atomic_int* x) {\n  %s\n}\n".formatted(number, String.join("\n  ", lines));
  }

  private static boolean isReached(String exists, String... threads) {
    String first = "C t\n{ [x]=0; [y]=0; }\n";
    return isReached(LitmusFile.parse(first + String.join("\n", threads) + "\nexists " + exists + "\n"));
  }

  private static String store(String location, int value, String order) {
    return "atomic_store_explicit(%s, %d, memory_order_%s);".formatted(location, value, order);
  }

  private static String load(String register, String location, String order) {
    return "int %s = atomic_load_explicit(%s, memory_order_%s);".formatted(register, location, order);
  }

  private static final String FENCE = "atomic_thread_fence(memory_order_seq_cst);";
  private static final String BOTH_OLD = "(0:r0=0 /\\ 1:r1=0)";

  @ParameterizedTest
  @CsvSource({"release,acquire,false", "relaxed,acquire,true", "release,relaxed,true", "relaxed,relaxed,true"})
  void aMessageIsPassedByReleaseAndAcquireAlone(String release, String acquire, boolean lost) {
    String giver = thread(0, store("x", 1, "relaxed"), store("y", 1, release));
    String taker = thread(1, load("r0", "y", acquire), load("r1", "x", "relaxed"));
    assertEquals(lost, isReached("(1:r0=1 /\\ 1:r1=0)", giver, taker));
  }

  @Test
  void aStoreIsPassedByALaterLoadUnlessBothSidesFence() {
    for (int fences = 0; fences < 4; fences++) {
      String[] first = {store("x", 1, "release"), (fences & 1) != 0 ? FENCE : "", load("r0", "y", "acquire")};
      String[] second = {store("y", 1, "release"), (fences & 2) != 0 ? FENCE : "", load("r1", "x", "acquire")};
      String one = thread(0, Stream.of(first).filter(line -> !line.isEmpty()).toArray(String[]::new));
      String other = thread(1, Stream.of(second).filter(line -> !line.isEmpty()).toArray(String[]::new));
      assertEquals(fences != 3, isReached(BOTH_OLD, one, other), "fences " + fences);
    }
  }

  @Test
  void aStoreIsPassedByALaterLoadUnlessAllFourAreSequentiallyConsistent() {
    for (int all = 0; all < 16; all++) {
      String[] orders = new String[4];
      for (int at = 0; at < orders.length; at++) {
        orders[at] = (all >> at & 1) != 0 ? "seq_cst" : at % 2 == 0 ? "release" : "acquire";
      }
      String one = thread(0, store("x", 1, orders[0]), load("r0", "y", orders[1]));
      String other = thread(1, store("y", 1, orders[2]), load("r1", "x", orders[3]));
      assertEquals(all != 15, isReached(BOTH_OLD, one, other), List.of(orders).toString());
    }
  }

  @Test
  void sequentiallyConsistentReadersAgreeOnTwoLocations() {
    String order = "seq_cst";
    String[] threads = {
      thread(0, store("x", 1, order)),
      thread(1, store("y", 1, order)),
      thread(2, load("r0", "x", order), load("r1", "y", order)),
      thread(3, load("r2", "y", order), load("r3", "x", order))};
    String disagree = "(2:r0=1 /\\ 2:r1=0 /\\ 3:r2=1 /\\ 3:r3=0)";
    assertEquals(false, isReached(disagree, threads));
    threads[0] = thread(0, store("x", 1, "release"));
    assertTrue(isReached(disagree, threads));
  }

  /** One of release stands for a store of release, and orders neither loads nor stores with loads behind it. */
  @Test
  void aFenceOfReleaseOrdersWhatIsBeforeItWithStores() {
    String release = "atomic_thread_fence(memory_order_release);";
    String old = "(1:r0=1 /\\ 1:r1=0)";
    String giver = thread(0, store("x", 1, "relaxed"), release, store("y", 1, "relaxed"));
    String bare = thread(0, store("x", 1, "relaxed"), store("y", 1, "relaxed"));
    String taker = thread(1, load("r0", "y", "acquire"), load("r1", "x", "relaxed"));
    assertEquals(false, isReached(old, giver, taker));
    assertTrue(isReached(old, bare, taker));
    assertTrue(isReached(old, giver, thread(1, load("r0", "y", "relaxed"), release, load("r1", "x", "relaxed"))));
    assertTrue(isReached(BOTH_OLD, thread(0, store("x", 1, "relaxed"), release, load("r0", "y", "relaxed")),
        thread(1, store("y", 1, "relaxed"), release, load("r1", "x", "relaxed"))));
  }

  @Test
  void twoReadersAgreeOnOneLocationAndOnTwoOnlyWithFences() {
    String first = thread(0, store("x", 1, "release"));
    String second = thread(1, store("y", 1, "release"));
    String disagree = "(2:r0=1 /\\ 2:r1=0 /\\ 3:r2=1 /\\ 3:r3=0)";
    String acquire = "acquire";
    assertTrue(
        isReached(
            disagree,
            first,
            second,
            thread(2, load("r0", "x", acquire), load("r1", "y", acquire)),
            thread(3, load("r2", "y", acquire), load("r3", "x", acquire))));
    assertEquals(
        false,
        isReached(
            disagree,
            first,
            second,
            thread(2, load("r0", "x", acquire), FENCE, load("r1", "y", acquire)),
            thread(3, load("r2", "y", acquire), FENCE, load("r3", "x", acquire))));
    String other = thread(1, store("x", 2, "relaxed"));
    assertEquals(
        false,
        isReached(
            "(2:r0=1 /\\ 2:r1=2 /\\ 3:r2=2 /\\ 3:r3=1)",
            thread(0, store("x", 1, "relaxed")),
            other,
            thread(2, load("r0", "x", "relaxed"), load("r1", "x", "relaxed")),
            thread(3, load("r2", "x", "relaxed"), load("r3", "x", "relaxed"))));
  }

  @Test
  void aReadModifyWriteContinuesAReleaseAndAStoreDoesNot() {
    String giver = thread(0, store("x", 1, "relaxed"), store("y", 1, "release"));
    String taker = thread(2, load("r0", "y", "acquire"), load("r1", "x", "relaxed"));
    String lost = "(2:r0=2 /\\ 2:r1=0 /\\ 1:r2=1)";
    String add = "int r2 = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);";
    assertEquals(false, isReached(lost, giver, thread(1, add), taker));
    String write = thread(1, load("r2", "y", "relaxed"), store("y", 2, "relaxed"));
    assertTrue(isReached(lost, giver, write, taker));
  }

  @Test
  void readModifyWritesAreAtomic() {
    String[] threads = new String[3];
    for (int thread = 0; thread < threads.length; thread++) {
      threads[thread] = thread(thread, "int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);");
    }
    assertTrue(isReached("([x]=3)", threads));
    assertEquals(false, isReached("(~([x]=3))", threads));
  }

  @Test
  void aLoadIsMadeAfterALaterStoreAndNoValueComesOutOfThinAir() {
    String exists = "(0:r0=1 /\\ 1:r1=1)";
    String first = thread(0, load("r0", "x", "relaxed"), store("y", 1, "relaxed"));
    String depends = thread(1, load("r1", "y", "relaxed"), "if (r1 == 1) {", store("x", 1, "relaxed"), "}");
    assertTrue(isReached(exists, first, depends));
    String too = thread(0, load("r0", "x", "relaxed"), "if (r0 == 1) {", store("y", 1, "relaxed"), "}");
    assertEquals(false, isReached(exists, too, depends));
  }

  @Test
  void whatIsNotUnderstoodIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> isReached("(0:r0=0)", thread(0, "x = 1;")));
    assertThrows(IllegalArgumentException.class, () -> isReached("(0:r0=0 and 0:r1=0)", thread(0, FENCE)));
  }
}
