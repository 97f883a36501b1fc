package io.adrastea.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The ordered accesses of the code and their SYNC labels, against {@code docs/memory-model.md} and {@code
 * tests/litmus}.
 */
class SyncLabelsTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));
  private static final Path LITMUS = ROOT.resolve("tests/litmus");
  private static final int ARGUMENT = 25; // words that an argument has at least

  /** Files whose accesses are no end of anything, with the reason. */
  private static final Map<String, String> DEFINITIONS =
      Map.of(
          "base/adr_atomic.h", "the accesses themselves are made there",
          "atomic.Words", "the accesses themselves are made there",
          "agrona.SegmentBuffer", "the order is what the user of the buffer asks for");

  /** Other files that may go past {@code Words}, with the reason. */
  private static final Map<String, String> RAW =
      Map.of(
          "wait.Gate", "a field of an object of this process, opaque",
          "shared.SharedReach", "references to objects of this process");

  private static final Pattern TEMPLATE_LABELS = Pattern.compile("SYNC ([a-z-]+(?:, [a-z-]+)*)");
  private static final Pattern COMPILER_ORDER =
      Pattern.compile("__ATOMIC_(?:RELAXED|CONSUME|ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)");

  /** Programs beside the core, in C alone. */
  private static final Set<String> PROGRAMS = Set.of("copies", "counts", "floor", "pool");

  private static List<Entry> entries() throws IOException {
    return Entry.all(Files.readAllLines(ROOT.resolve("docs/memory-model.md")));
  }

  private static boolean isOfProgram(Access access) {
    return PROGRAMS.contains(access.file().split("/")[0]);
  }

  private static List<String> faults(Access.Found code, List<Entry> entries) {
    List<String> faults = new ArrayList<>();
    code.idle().forEach(label -> faults.add(label + " stands beside no access"));
    Set<String> told = entries.stream().map(Entry::label).collect(Collectors.toSet());
    TreeSet<String> untold = new TreeSet<>();
    for (Access access : code.accesses()) {
      String place = "%s:%d: %s %s".formatted(access.file(), access.line(), access.operation(), access.order());
      if (!DEFINITIONS.containsKey(access.file())) {
        if (access.isOrdered() && access.labels().isEmpty()) {
          faults.add(place + " has no label");
        }
        if (access.raw() && !RAW.containsKey(access.file())) {
          faults.add(place + " goes past adr_atomic.h or Words");
        }
      }
      untold.addAll(access.labels());
    }
    untold.removeAll(told);
    untold.forEach(label -> faults.add(label + " has no entry"));
    entries.forEach(entry -> faults.addAll(faults(entry, code.accesses())));
    return faults;
  }

  private static List<String> faults(Entry entry, List<Access> code) {
    List<Access> of = code.stream().filter(each -> each.labels().contains(entry.label())).toList();
    if (of.isEmpty()) {
      return List.of(entry.label() + " is gone from the code");
    }
    List<String> faults = new ArrayList<>();
    Set<String> files = of.stream().map(Access::file).collect(Collectors.toCollection(TreeSet::new));
    if (!files.equals(entry.ends())) {
      faults.add("%s is in %s, its entry says %s".formatted(entry.label(), files, entry.ends()));
    }
    Set<String> languages = of.stream().map(Access::language).collect(Collectors.toCollection(TreeSet::new));
    Set<String> wanted = entry.only().isEmpty() ? Set.of("C", "Java") : Set.of(entry.only());
    if (!languages.equals(wanted)) {
      faults.add("%s is in %s, wanted in %s".formatted(entry.label(), languages, new TreeSet<>(wanted)));
    }
    boolean relaxed = entry.orders().startsWith("relaxed");
    boolean fences = entry.orders().startsWith("fences"); // around accesses of the program, which are the ends
    for (Access access : of) {
      if (fences && !access.operation().equals("fence")) {
        faults.add("%s: %s is a %s, its entry says fences".formatted(access.file(), entry.label(), access.operation()));
      }
      if (access.isOrdered() == relaxed) {
        faults.add(
            "%s: %s is %s, its entry says %s"
                .formatted(access.file(), entry.label(), access.order(), entry.orders()));
      }
    }
    for (String language : languages) {
      List<Access> ends = of.stream().filter(each -> each.language().equals(language)).toList();
      boolean both = ends.stream().anyMatch(Access::releases) && ends.stream().anyMatch(Access::acquires);
      if (!relaxed && !fences && !both) {
        faults.add("%s has one end only in %s: %s".formatted(entry.label(), language, counts(ends)));
      }
    }
    if (wanted.size() == 2) {
      Map<String, Integer> surplus = surplus(of.stream().filter(each -> !isOfProgram(each)).toList());
      if (!surplus.equals(entry.differs())) {
        faults.add(
            "%s: more in one language are %s, its entry gives a reason for %s"
                .formatted(entry.label(), surplus, entry.differs()));
      }
    }
    return faults;
  }

  private static TreeMap<String, Integer> counts(List<Access> ends) {
    TreeMap<String, Integer> counts = new TreeMap<>();
    ends.forEach(each -> counts.merge(each.operation() + " " + each.order(), 1, Integer::sum));
    return counts;
  }

  /** What the one language has more of than the other. */
  private static TreeMap<String, Integer> surplus(List<Access> of) {
    Map<String, Integer> c = counts(of.stream().filter(each -> each.language().equals("C")).toList());
    Map<String, Integer> java = counts(of.stream().filter(each -> each.language().equals("Java")).toList());
    TreeSet<String> ends = new TreeSet<>(c.keySet());
    ends.addAll(java.keySet());
    TreeMap<String, Integer> surplus = new TreeMap<>();
    for (String end : ends) {
      int more = c.getOrDefault(end, 0) - java.getOrDefault(end, 0);
      if (more != 0) {
        surplus.put((more > 0 ? "C " : "Java ") + end, Math.abs(more));
      }
    }
    return surplus;
  }

  private static void assertNone(List<String> lines) {
    assertEquals("", String.join("\n", lines));
  }

  @Test
  void everyOrderedAccessHasALabelAndEveryLabelBothEndsAnEntryAndTheSameTwin() throws IOException {
    assertNone(faults(Access.all(ROOT), entries()));
  }

  /**
   * What the templates of libshmem lack. They go by the compiler's own accesses, since programs include what is made of
   * them. A label there holds up to the next one, and inside a function not beyond its end.
   *
   * @param templates lines of each, by its name
   */
  private static List<String> faultsOfTemplates(Map<String, List<String>> templates, List<Entry> entries) {
    List<String> faults = new ArrayList<>();
    TreeMap<String, Set<String>> files = new TreeMap<>(); // by label
    templates.forEach((file, lines) -> {
      Set<String> labels = Set.of();
      boolean inside = false; // of a function
      for (int number = 1; number <= lines.size(); number++) {
        String line = lines.get(number - 1);
        Matcher label = TEMPLATE_LABELS.matcher(line);
        if (label.find()) {
          labels = Set.of(label.group(1).split(", "));
          inside = line.startsWith("  ");
        } else if (inside && line.equals("}")) {
          labels = Set.of();
        }
        Matcher order = COMPILER_ORDER.matcher(line);
        while (order.find()) {
          boolean relaxed = order.group().equals("__ATOMIC_RELAXED");
          if (relaxed != labels.isEmpty()) {
            faults.add("%s:%d: %s, with the labels %s".formatted(file, number, order.group(), new TreeSet<>(labels)));
          }
          labels.forEach(each -> files.computeIfAbsent(each, none -> new TreeSet<>()).add(file));
        }
      }
    });
    for (Entry entry : entries) {
      Set<String> found = files.getOrDefault(entry.label(), Set.of());
      if (!found.equals(entry.templates())) {
        faults.add("%s is in the templates %s, its entry says %s".formatted(entry.label(), found, entry.templates()));
      }
      files.remove(entry.label());
    }
    files.keySet().forEach(label -> faults.add(label + " has no entry"));
    return faults;
  }

  private static Map<String, List<String>> templates() throws IOException {
    TreeMap<String, List<String>> templates = new TreeMap<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("native/libshmem"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".in")).toList()) {
        if (!file.endsWith("shmem.h.in")) { // the accesses of others are made there
          templates.put(file.getFileName().toString(), Files.readAllLines(file));
        }
      }
    }
    return templates;
  }

  @Test
  void everyOrderedAccessOfATemplateHasALabelAndEachChangeIsFound() throws IOException {
    List<Entry> entries = entries();
    Map<String, List<String>> templates = templates();
    assertNone(faultsOfTemplates(templates, entries));
    int changes = 0;
    for (Map.Entry<String, List<String>> template : templates.entrySet()) {
      for (int line = 0; line < template.getValue().size(); line++) {
        String before = template.getValue().get(line);
        String after = before.replaceFirst("SYNC ([a-z-]+)", "$1")
            .replaceFirst("__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)", "__ATOMIC_RELAXED");
        if (!after.equals(before)) {
          Map<String, List<String>> changed = new TreeMap<>(templates);
          List<String> lines = new ArrayList<>(template.getValue());
          lines.set(line, after);
          changed.put(template.getKey(), lines);
          assertNotEquals(List.of(), faultsOfTemplates(changed, entries), template.getKey() + ": " + after);
          changes++;
        }
      }
    }
    assertTrue(changes >= 30, "changes made: " + changes);
  }

  @Test
  void everyEntryArguesAndNamesItsLitmusTests() throws IOException {
    List<String> faults = new ArrayList<>();
    TreeSet<String> named = new TreeSet<>();
    for (Entry entry : entries()) {
      if (entry.words() < ARGUMENT || entry.orders().isEmpty() || entry.litmus().isEmpty()) {
        faults.add(entry.label() + " has no argument, no orders or no litmus test");
      }
      named.addAll(entry.litmus());
    }
    assertNone(faults);
    assertEquals(litmusTests(), named);
  }

  private static TreeSet<String> litmusTests() throws IOException {
    try (Stream<Path> files = Files.list(LITMUS)) {
      Stream<String> names = files.map(file -> file.getFileName().toString());
      return names.filter(name -> name.endsWith(".litmus")).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void everyLitmusTestNamesTheForbiddenAndTheAllowedOutcome() throws IOException {
    for (String file : litmusTests()) {
      String text = Files.readString(LITMUS.resolve(file));
      assertTrue(text.startsWith("C " + file.replace(".litmus", "") + "\n"), file);
      assertTrue(text.contains("\n * Forbidden: ") && text.contains("\n * Allowed: "), file);
      assertTrue(text.contains("\nP0 (") && text.contains("\nP1 (") && text.contains("\nexists ("), file);
    }
  }

  /** All lines of the code that {@code of} matches are changed, one at a time; each change must be told as a fault. */
  private static void assertEachChangeIsAFault(Pattern of, UnaryOperator<String> change, int least) throws IOException {
    Access.Found code = Access.all(ROOT);
    List<Entry> entries = entries();
    assertNone(faults(code, entries)); // else a change would show nothing
    int changes = 0;
    for (Access.Source source : Access.sources(ROOT)) {
      if (DEFINITIONS.containsKey(source.name())) {
        continue;
      }
      for (int line = 0; line < source.lines().size(); line++) {
        String before = source.lines().get(line);
        String after = change.apply(before);
        if (!of.matcher(before).find() || after.equals(before)) {
          continue;
        }
        List<String> lines = new ArrayList<>(source.lines());
        lines.set(line, after);
        Access.Found changed = Access.Found.none();
        code.accesses().stream().filter(each -> !each.file().equals(source.name())).forEach(changed.accesses()::add);
        changed.add(Access.in(source.language(), source.name(), lines));
        assertNotEquals(List.of(), faults(changed, entries), "%s:%d: %s".formatted(source.name(), line + 1, after));
        changes++;
      }
    }
    assertTrue(changes >= least, "changes made: " + changes);
  }

  @Test
  void aLabelThatIsTakenAwayIsFoundWhereverItStands() throws IOException {
    assertEachChangeIsAFault(Pattern.compile("SYNC [a-z]+-"), line -> line.replaceFirst("SYNC ([a-z-]+)", "$1"), 100);
  }

  @Test
  void anOrderThatIsWeakenedIsFoundWhereverItStands() throws IOException {
    UnaryOperator<String> weaken =
        line -> line.replaceFirst("(adr_\\w+?_)(?:acquire|release|acq_rel|seq_cst)(_u\\d+\\()", "$1relaxed$2")
            .replaceFirst(
                "(load|store|swap|compareExchange|cas|add|or|and|xor)(?:Acquire|Release|AcqRel|SeqCst)((?:Long)?\\()",
                "$1Relaxed$2");
    assertEachChangeIsAFault(Pattern.compile("[({=!?: ]"), weaken, 100);
  }

  private static Access.Found of(String language, String file, String... lines) {
    return Access.in(language, file, List.of(lines));
  }

  @Test
  void aFaultIsFound() {
    Access.Found code = of("C", "q/a.h", "/* SYNC a-b: release */", "adr_store_release_u64(&x, 1);");
    code.add(of("Java", "q.A", "// SYNC a-b: acquire", "loadAcquireLong(memory, x);"));
    code.add(of("Java", "q.A", "// SYNC c: acq_rel", "swapAcqRel(memory, x, 1);"));
    List<String> first = List.of("### `a-b`", "- Ends: `q/a.h`, `q.A`", "- Orders: release, acquire");
    List<String> second = List.of("### `d`", "- Ends: `q.D`", "- Orders: acq_rel");
    List<Entry> page = Entry.all(Stream.of(first, second).flatMap(List::stream).toList());
    assertEquals(
        List.of(
            "c has no entry",
            "a-b has one end only in C: {store release=1}",
            "a-b has one end only in Java: {load acquire=1}",
            "a-b: more in one language are {C store release=1, Java load acquire=1}, its entry gives a reason for {}",
            "d is gone from the code"),
        faults(code, page));
  }

  @Test
  void fencesAloneHaveNoEnds() {
    List<Entry> page = Entry.all(List.of("### `f`", "- Ends: `q/a.h`", "- Only: C, because", "- Orders: fences"));
    assertEquals(List.of(), faults(of("C", "q/a.h", "adr_full_fence(); /* SYNC f: full */"), page));
    assertEquals(
        List.of("q/a.h: f is a store, its entry says fences"),
        faults(of("C", "q/a.h", "adr_store_release_u64(&x, 1); /* SYNC f: release */"), page));
  }

  @Test
  void aLabelOfOneLanguageOrInAnotherFileIsFound() {
    Access.Found code = of("Java", "q.A", "// SYNC c: acq_rel", "swapAcqRel(memory, x, 1);");
    List<Entry> both = Entry.all(List.of("### `c`", "- Ends: `q.B`", "- Orders: acq_rel"));
    assertEquals(
        List.of(
            "c is in [q.A], its entry says [q.B]",
            "c is in [Java], wanted in [C, Java]",
            "c: more in one language are {Java swap acq_rel=1}, its entry gives a reason for {}"),
        faults(code, both));
    List<Entry> only = Entry.all(List.of("### `c`", "- Ends: `q.A`", "- Only: Java, alone", "- Orders: acq_rel"));
    assertEquals(List.of(), faults(code, only));
  }

  @Test
  void anEndThatOnlyOneTwinHasNeedsItsReason() {
    String swap = "adr_swap_acq_rel_u64(&x, 1); /* SYNC c */";
    Access.Found code = of("C", "q/a.h", swap, "adr_load_acquire_u64(&x); /* SYNC c */");
    code.add(of("Java", "q.A", "swapAcqRelLong(memory, x, 1); // SYNC c"));
    List<String> entry = new ArrayList<>(List.of("### `c`", "- Ends: `q/a.h`, `q.A`", "- Orders: acq_rel"));
    List<String> fault = List.of("c: more in one language are {C load acquire=1}, its entry gives a reason for {}");
    assertEquals(fault, faults(code, Entry.all(entry)));
    entry.add("- Differs: `C load acquire` ×1, because");
    assertEquals(fault, faults(code, Entry.all(entry)));
    entry.set(3, "- Differs: `C load acquire` ×1, because only C looks at it from outside");
    assertEquals(List.of(), faults(code, Entry.all(entry)));
  }

  @Test
  void anAccessWithoutALabelAndALabelWithoutAnAccessAreFound() {
    assertFaults(of("C", "q/a.h", "return adr_load_acquire_u32(&x);"), "q/a.h:1: load acquire has no label");
    assertFaults(of("Java", "q.A", "if (Words.casAcqRel(memory, x, 0, 1)) {"), "q.A:1: cas acq_rel has no label");
    assertFaults(of("C", "q/a.h", "adr_full_fence();"), "q/a.h:1: fence seq_cst has no label");
    assertFaults(of("Java", "q.A", "Words.fullFence();"), "q.A:1: fence seq_cst has no label");
    assertFaults(of("C", "q/a.h", "adr_store_fence();"), "q/a.h:1: fence store has no label");
    assertFaults(of("Java", "q.A", "Words.storeFence();"), "q.A:1: fence store has no label");
    assertFaults(
        of("C", "q/a.h", "x = atomic_load(&y);"),
        "q/a.h:1: atomic_load acq_rel has no label",
        "q/a.h:1: atomic_load acq_rel goes past adr_atomic.h or Words");
    assertFaults(
        of("Java", "q.A", "VarHandle X;", "x = (int) X.getVolatile(this);"),
        "q.A:2: getVolatile acq_rel has no label",
        "q.A:2: getVolatile acq_rel goes past adr_atomic.h or Words");
    assertFaults(of("Java", "q.A", "AtomicBoolean said;", "said.compareAndSet(false, true);"));
    assertFaults(of("C", "q/a.h", "/* SYNC c: acquire */", "return x;"), "q/a.h:1: c stands beside no access");
    String load = "a = adr_load_acquire_u32(&x);";
    assertFaults(
        of("C", "q/a.h", "/* SYNC c: acquire */", load, load), "q/a.h:3: load acquire has no label", "c has no entry");
  }

  private static void assertFaults(Access.Found code, String... faults) {
    assertEquals(List.of(faults), faults(code, List.of()));
  }
}
