package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench copy}: what it says of the library's routines; how fast they are is nobody's concern here. */
@Tag("spins")
class CopyBenchIT {
  private static final String[] QUICK = {"--rounds", "1", "--seconds", "0.005", "--warmup", "0.05"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void belowTheFloorStandTheRoutinesTheirLimitsAndWhetherTheChoiceIsGood() throws Exception {
    Outcome outcome = copy("--sizes", "64").exits(0);
    outcome.prints("floor", "routines memcpy, ", "limits   copy: memcpy, ", "limits   stream: memcpy, ",
        "first level ");
    outcome.prints("copied and read on one CPU", "copied out of the other CPU's cache", "chosen / best", "within 10 %");
    for (String verdict : lines(outcome, "within 10 %")) {
      assertTrue(verdict.matches("within 10 %(  +(yes|no)){4}"), verdict);
    }
    assertEquals(2, lines(outcome, "within 10 %").size());
  }

  @Test
  void eachRoutineHasFiguresAtEachSizeAndOneOfThemIsChosen() throws Exception {
    Path csv = directory.resolve("routines.csv");
    Outcome outcome = copy("--routines", "--sizes", "100,5000", "--csv", csv.toString()).exits(0);
    String[] routines = lines(outcome, "routines ").get(0).substring("routines ".length()).split(", ");
    List<String> wanted = new ArrayList<>();
    for (String test : List.of("copy-local", "copy-cross")) {
      for (int bytes : new int[] {100, 5000}) {
        for (String routine : routines) {
          wanted.add("%s,%s,%d,p50".formatted(test, routine, bytes));
        }
      }
    }
    List<String> found = Files.readAllLines(csv).stream().filter(line -> line.contains(",p50,")).toList();
    assertEquals(wanted, found.stream().map(line -> line.replaceAll("(,p50),.*", "$1")).toList());
    // The captions have one each.
    assertEquals(2 * 2, outcome.out().chars().filter(letter -> letter == '*').count() - 2);
  }

  @Test
  void theCacheEffectHasTheWalkUntouchedAfterRegularAndAfterNontemporalStores() throws Exception {
    Path page = directory.resolve("effect.html");
    Outcome outcome = copy("--cache-effect", "--sizes", "64K,1M", "--csv", "-", "--html", page.toString()).exits(0);
    List<String> wanted = new ArrayList<>();
    for (String test : List.of("walk", "walk-apart", "copy-hand")) {
      for (int bytes : new int[] {65536, 1048576}) {
        for (String variant : List.of("untouched", "regular", "nontemporal")) {
          if (!test.equals("copy-hand") || !variant.equals("untouched")) {
            wanted.add("%s,%s,%d,p50".formatted(test, variant, bytes));
          }
        }
      }
    }
    List<String> found = outcome.lines().stream().filter(line -> line.contains(",p50,")).toList();
    assertEquals(wanted, found.stream().map(line -> line.replaceAll("(,p50),.*", "$1")).toList());
    outcome.says("working set of ", "saved", "a stream takes"); // the tables are on the other stream
    assertTrue(Files.readString(page).contains("<th>nontemporal</th>"));
  }

  private static List<String> lines(Outcome outcome, String start) {
    return outcome.out().lines().filter(line -> line.startsWith(start)).toList();
  }

  private Outcome copy(String... options) throws Exception {
    try (Child child = Launch.adrastea(shm, "bench", "copy").quickThroughout().add(QUICK).add(options).start()) {
      Outcome outcome = child.input("").await();
      assertEquals(List.of(), child.living());
      return outcome;
    }
  }
}
