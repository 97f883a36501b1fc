package io.adrastea.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The SYNC labels of the code against {@code docs/memory-model.md} and {@code tests/litmus}. */
class SyncLabelsTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));
  private static final Path LITMUS = ROOT.resolve("tests/litmus");
  private static final int ARGUMENT = 25; // words that an argument has at least

  private static List<Entry> entries() throws IOException {
    return Entry.all(Files.readAllLines(ROOT.resolve("docs/memory-model.md")));
  }

  private static List<String> faults(List<Occurrence> code, List<Entry> entries) {
    List<String> faults = new ArrayList<>();
    Set<String> told = entries.stream().map(Entry::label).collect(Collectors.toCollection(TreeSet::new));
    TreeSet<String> untold = Occurrence.labels(code);
    untold.removeAll(told);
    untold.forEach(label -> faults.add(label + " has no entry"));
    for (Entry entry : entries) {
      List<Occurrence> of = code.stream().filter(each -> each.label().equals(entry.label())).toList();
      if (of.isEmpty()) {
        faults.add(entry.label() + " is gone from the code");
      } else {
        faults.addAll(faults(entry, of));
      }
    }
    return faults;
  }

  private static List<String> faults(Entry entry, List<Occurrence> of) {
    List<String> faults = new ArrayList<>();
    Set<String> files = of.stream().map(Occurrence::file).collect(Collectors.toCollection(TreeSet::new));
    if (!files.equals(entry.ends())) {
      faults.add("%s is in %s, its entry says %s".formatted(entry.label(), files, entry.ends()));
    }
    Set<String> languages = of.stream().map(Occurrence::language).collect(Collectors.toCollection(TreeSet::new));
    Set<String> wanted = entry.only().isEmpty() ? Set.of("C", "Java") : Set.of(entry.only());
    if (!languages.equals(wanted)) {
      faults.add("%s is in %s, wanted in %s".formatted(entry.label(), languages, new TreeSet<>(wanted)));
    }
    for (String language : languages) {
      Set<String> orders =
          of.stream().filter(each -> each.language().equals(language)).map(Occurrence::order).collect(Collectors.toSet());
      boolean pairs = orders.contains("acq_rel") || orders.contains("acquire") && orders.contains("release");
      if (!pairs && !entry.orders().startsWith("relaxed")) {
        faults.add("%s has one end only in %s: %s".formatted(entry.label(), language, orders));
      }
    }
    return faults;
  }

  private static void assertNone(List<String> lines) {
    assertEquals("", String.join("\n", lines));
  }

  @Test
  void everyLabelHasBothEndsAnEntryAndTheSameTwin() throws IOException {
    assertNone(faults(Occurrence.all(ROOT), entries()));
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

  @Test
  void aFaultIsFound() {
    List<String> release = List.of("/* SYNC a-b: release */", "adr_store_release_u64(&x, 1);");
    List<String> acquire = List.of("// SYNC a-b: acquire", "loadAcquireLong(memory, x);", "// SYNC c: acq_rel", "swapAcqRel(memory, x, 1);");
    List<Occurrence> code = new ArrayList<>(Occurrence.in("C", "q/a.h", release));
    code.addAll(Occurrence.in("Java", "q.A", acquire));
    List<String> page =
        List.of("### `a-b`", "- Ends: `q/a.h`, `q.A`", "- Orders: release, acquire", "### `d`", "- Ends: `q.D`", "- Orders: acq_rel");
    assertEquals(
        List.of(
            "c has no entry",
            "a-b has one end only in C: [release]",
            "a-b has one end only in Java: [acquire]",
            "d is gone from the code"),
        faults(code, Entry.all(page)));
  }

  @Test
  void aLabelOfOneLanguageOrInAnotherFileIsFound() {
    List<Occurrence> code = Occurrence.in("Java", "q.A", List.of("// SYNC c: acq_rel", "swapAcqRel(memory, x, 1);"));
    List<String> page = List.of("### `c`", "- Ends: `q.B`", "- Orders: acq_rel");
    assertEquals(
        List.of("c is in [q.A], its entry says [q.B]", "c is in [Java], wanted in [C, Java]"), faults(code, Entry.all(page)));
    List<String> only = List.of("### `c`", "- Ends: `q.A`", "- Only: Java, which alone does that", "- Orders: acq_rel");
    assertEquals(List.of(), faults(code, Entry.all(only)));
  }
}
