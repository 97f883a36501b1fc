package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code bench waiting} as a program: a line for each core, with figures that can be. */
@Tag("spins")
class WaitingBenchIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @Test
  void tellsTheCpuOfAWaitAndHowSoonItEnds() throws Exception {
    Outcome outcome = Launch.adrastea(shm, "bench", "waiting", "--rounds", "1", "--core", "ffm,java").run().exits(0);
    List<String[]> rows =
        outcome.lines().stream()
            .filter(line -> line.matches("(ffm|java) .*[0-9.]+$"))
            .map(line -> line.split(" +"))
            .toList();
    assertEquals(List.of("ffm", "java"), rows.stream().map(row -> row[0]).toList(), outcome::toString);
    for (String[] row : rows) {
      double percent = Double.parseDouble(row[1]);
      double median = Double.parseDouble(row[2]);
      double late = Double.parseDouble(row[4]);
      assertTrue(percent > 0 && percent < 50, () -> "a waiting rank sleeps: " + outcome);
      assertTrue(median > 0 && median <= late, outcome::toString);
    }
  }
}
