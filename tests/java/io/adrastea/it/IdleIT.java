package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A rank that waits leaves its CPU to others, in whatever it waits. How little it takes is measured by {@code bench waiting}; here is
 * decided that it sleeps: one that yields or spins takes all of a CPU that is free.
 */
class IdleIT {
  private static final int WAITS = 7;

  @RegisterExtension final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @CsvSource({"ffm, 5", "jni, 5", "java, 20", "'ffm,java', 20", "'java,ffm', 20"})
  void aRankThatWaitsSleeps(String cores, double mostPercent) throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "2", "--core", cores, "--", "java", "io.adrastea.it.IdleRank").run().exits(0);
    List<String> waits = outcome.lines().stream().filter(line -> line.startsWith("[1] ")).toList();
    assertEquals(WAITS, waits.size(), outcome::toString);
    for (String wait : waits) {
      double percent = Double.parseDouble(wait.substring(wait.lastIndexOf(' ') + 1));
      assertTrue(percent <= mostPercent, () -> "a CPU's percentage that a wait took: " + waits);
    }
  }
}
