package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench in-place} and {@code bench overlap}: which figures there are and where they go. */
@Tag("spins")
class LargeIT {
  private static final String[] QUICK = {"--rounds", "2", "--seconds", "0.02", "--warmup", "0.01"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void inPlaceStandsBesideABufferForEachCoreAndSize() throws Exception {
    Path csv = directory.resolve("figures.csv");
    Path html = directory.resolve("page.html");
    Outcome outcome = bench("in-place", "--sizes", "64K,1M", "--core", "ffm,java")
        .add("--csv", csv.toString(), "--html", html.toString())
        .run()
        .exits(0);
    outcome.prints("in place [us]", "into a buffer [us]");
    assertTrue( // figures so few are cold as a rule, and no verdict is given on those
        outcome.out().contains("java: in place 1048576 bytes take ") || outcome.out().contains("java: no verdict on "),
        outcome::toString);
    List<String> lines = Files.readAllLines(csv);
    for (String variant : List.of("ffm in place", "ffm into a buffer", "java in place")) {
      for (int bytes : new int[] {1 << 16, 1 << 20}) {
        String start = "in-place," + variant + "," + bytes + ",p50,";
        assertEquals(1, lines.stream().filter(line -> line.startsWith(start)).count(), start);
      }
    }
    assertTrue(Files.readString(html).contains("java in place"));
  }

  @Test
  void overlapHasTheTimesAloneAndTogetherAndSaysWhoseTheCpusAre() throws Exception {
    Outcome outcome =
        bench("overlap", "--sizes", "64K,256K", "--core", "java", "--cpus", twoCpus(), "--csv", "-")
            .run()
            .exits(0);
    outcome.says("transfer [us]", "compute [us]", "both, thread [us]", "hidden", " %");
    outcome.says("NO CPU OF ITS OWN");
    for (String part : List.of("transfer", "compute", "both", "both with thread")) {
      for (int bytes : new int[] {1 << 16, 1 << 18}) {
        String start = "overlap,java " + part + "," + bytes + ",p50,";
        assertEquals(
            1, outcome.lines().stream().filter(line -> line.startsWith(start)).count(), start);
      }
    }
  }

  /** The first two that are allowed, or the only one. */
  private static String twoCpus() throws Exception {
    String allowed =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("Cpus_allowed_list"))
            .map(line -> line.replaceAll(".*:\\s*", ""))
            .findFirst()
            .orElseThrow();
    String[] numbers = allowed.split("[,-]");
    return numbers.length == 1 ? numbers[0] : numbers[0] + "," + numbers[1];
  }

  private Launch bench(String what, String... words) {
    return Launch.adrastea(shm, "bench", what).quickThroughout().add(QUICK).add(words);
  }
}
