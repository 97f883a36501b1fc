package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Standard input, output and error of a job. */
class OutputIT {
  private static final int RANKS = 4;
  private static final int LINES = 100;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @Test
  void linesOfSeveralRanksStayWholeAndCarryTheirRank() throws Exception {
    // each line is written in three pieces, so that pieces of different ranks meet
    String script =
        "i=0; while [ $i -lt 100 ]; do printf 'rank %s ' $ADRASTEA_RANK; printf 'line %s' $i; echo"
            + " ' end'; i=$((i+1)); done";
    Outcome outcome = run("" + RANKS, script).exits(0);
    for (int rank = 0; rank < RANKS; rank++) {
      String label = "[" + rank + "] ";
      List<String> lines = outcome.lines().stream().filter(line -> line.startsWith(label)).toList();
      assertEquals(LINES, lines.size(), outcome::toString);
      for (int i = 0; i < LINES; i++) {
        assertEquals("%srank %d line %d end".formatted(label, rank, i), lines.get(i));
      }
    }
    assertEquals(RANKS * LINES, outcome.lines().size(), outcome::toString);
  }

  @Test
  void aLastLineWithoutAnEndIsNotMixedWithAnother() throws Exception {
    Outcome outcome =
        run("2", "printf 'only %s' $ADRASTEA_RANK; printf 'error %s' $ADRASTEA_RANK >&2").exits(0);
    assertEquals(List.of("[0] only 0", "[1] only 1"), outcome.lines().stream().sorted().toList());
    assertEquals(List.of("[0] error 0", "[1] error 1"), outcome.err().lines().sorted().toList());
  }

  @ParameterizedTest
  @CsvSource({"1,auto,false", "2,auto,true", "1,always,true", "2,never,false"})
  void labelsComeWithSeveralRanksOrAsAskedFor(String ranks, String label, boolean labelled)
      throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", ranks, "--label", label, "--", "echo", "text")
            .run()
            .exits(0);
    String first = labelled ? "[0] text" : "text";
    assertTrue(outcome.lines().contains(first), outcome::toString);
    assertEquals(labelled, outcome.out().contains("["), outcome::toString);
  }

  @Test
  void rankZeroReadsTheInputAndTheOthersReadNothing() throws Exception {
    try (Child job = Launch.adrastea(shm, "run", "-n", "3", "--", "cat").start()) {
      Outcome outcome = job.input("first\nsecond\n").await().exits(0);
      assertEquals(List.of("[0] first", "[0] second"), outcome.lines());
    }
  }

  @Test
  void aJobWhoseReaderHasGoneEnds() throws Exception {
    // `head` leaves after one line; the ranks would write for ever
    Launch pipe = Launch.command("sh", "-c", "\"$@\" | head -n 1", "sh");
    try (Child child =
        pipe.add(Launch.javaProgram().toString(), "-jar", Launch.jar().toString())
            .add("run", "-n", "2", "--", "yes", "again")
            .set("shm.dir", shm.path())
            .start()) {
      Outcome outcome = child.input("").await().exits(0);
      assertEquals(1, outcome.lines().size(), outcome::toString);
      assertFalse(outcome.err().contains("Exception"), outcome::toString);
      child.awaitNobody();
    }
  }

  private Outcome run(String ranks, String script) throws Exception {
    return Launch.adrastea(shm, "run", "-n", ranks, "--", "sh", "-c", script).run();
  }
}
