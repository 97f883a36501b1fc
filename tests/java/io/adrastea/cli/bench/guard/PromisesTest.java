package io.adrastea.cli.bench.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.cli.bench.Kind;
import io.adrastea.cli.bench.Memory;
import io.adrastea.cli.bench.Plan;
import io.adrastea.cli.bench.Results;
import io.adrastea.cli.bench.Series;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PromisesTest {
  @Test
  void theDocumentHasThePromisesOfTheGuardAndNoOthers() throws Exception {
    Path document = Path.of(System.getProperty("adrastea.root"), "docs", "performance.md");
    assumeTrue(Files.exists(document), "there is no docs/performance.md yet");
    List<String> promised =
        Files.readAllLines(document).stream()
            .filter(line -> line.contains("| at most ") || line.contains("| at least "))
            .toList();
    assertEquals(
        Promises.all().stream().map(Promise::markdown).toList(),
        promised,
        "print the table anew: bin/adrastea bench guard --list");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "latency,ffm,8,at most", "rate,ffm,8,at most,2", "latency,ffm,8,about,2"})
  void aLineThatPromisesNothingIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> Promise.parse(line));
  }

  @Test
  void aTimeMayBeBelowItsBoundAndARateAbove() {
    assertEquals("kept", word("latency,ffm,8,at most,2.0", latency(190)));
    assertEquals("FELL", word("latency,ffm,8,at most,2.0", latency(210)));
    assertEquals("FELL", word("latency,ffm,8,at least,2.0", latency(190)));
    assertEquals("kept", word("latency,ffm,8,at least,2.0", latency(210)));
  }

  @Test
  void theMedianOfTheRoundsDecides() {
    assertEquals("kept", word("latency,ffm,8,at most,2.0", latency(190, 150, 900)));
  }

  @Test
  void whatWasNotMeasuredIsNotKept() {
    Verdict verdict = Verdict.of(Promise.parse("latency,java,8,at most,9.0"), latency(100));
    assertEquals("NOT MEASURED", verdict.word());
    assertFalse(verdict.kept());
    Results noFloor = new Results(Kind.LATENCY, List.of(series("ffm", 100)));
    assertEquals("NOT MEASURED", word("latency,ffm,8,at most,9.0", noFloor));
  }

  @Test
  void aVariantNamesACoreAndWhereItsMessagesLie() {
    Promise shared = Promise.parse("bandwidth,ffm-shared,1048576,at least,1.0");
    assertEquals("ffm", shared.core());
    assertEquals(Memory.SHARED, shared.memory());
    Promise plain = Promise.parse("bandwidth,ffm,1048576,at least,0.5");
    assertEquals("ffm", plain.core());
    assertEquals(Memory.NATIVE, plain.memory());
  }

  @Test
  void aRowNamesThePromiseAndWhatWasMeasured() {
    Verdict verdict = Verdict.of(Promise.parse("latency,ffm,8,at most,2.0"), latency(150));
    assertEquals(
        List.of("latency", "ffm", "8", "at most 2.0", "1.50", "kept"),
        Arrays.asList(verdict.cells()));
    assertTrue(verdict.promise().markdown().equals("| latency | ffm | 8 | at most 2.0 |"));
  }

  private static String word(String promise, Results results) {
    return Verdict.of(Promise.parse(promise), results).word();
  }

  /** A floor of 100 ns in every round. */
  private static Results latency(long... nanos) {
    long[] floor = new long[nanos.length];
    Arrays.fill(floor, 100);
    return new Results(
        Kind.LATENCY, new ArrayList<>(List.of(series("floor", floor), series("ffm", nanos))));
  }

  private static Series series(String variant, long... nanos) {
    Series series =
        new Series(variant, new Plan(Kind.LATENCY, 8, 0, 1, 1, Duration.ofMillis(1)));
    for (long one : nanos) {
      series.addRound(List.of(new long[] {one * Kind.LATENCY.messagesPerExchange()}));
    }
    return series;
  }
}
