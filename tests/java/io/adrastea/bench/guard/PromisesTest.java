package io.adrastea.bench.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.bench.measure.CpuPair.Distance;
import io.adrastea.bench.measure.CpuPair;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Plan;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.measure.Ways;
import io.adrastea.topology.FakeMachine;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PromisesTest {
  @TempDir
  Path sys;

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
      strings = {"", "latency,ffm,8,at most,2", "latency,ffm,8,at most,2,nowhere,0,floor",
        "latency,ffm,8,at most,2,near,few,floor",
        "copy,ffm,8,at most,2,near,0,floor", "latency,ffm,8,about,2,near,0,floor", "latency,ffm,8,at most,2,near,0",
        "latency,ffm,8,at most,2,near,0,moon", "latency,ffm,8,at least,2,near,0,ways"})
  void aLineThatPromisesNothingIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> Promise.parse(line));
  }

  @Test
  void aTimeMayBeBelowItsBoundAndARateAbove() {
    assertEquals("kept", word("latency,ffm,8,at most,2.0,near,0,floor", latency(190)));
    assertEquals("FELL", word("latency,ffm,8,at most,2.0,near,0,floor", latency(210)));
    assertEquals("FELL", word("latency,ffm,8,at least,2.0,near,0,floor", latency(190)));
    assertEquals("kept", word("latency,ffm,8,at least,2.0,near,0,floor", latency(210)));
  }

  @Test
  void theWayThatIsTakenMayNotBeFarFromTheBestOfThoseThatAreForced() {
    Results results = new Results(Kind.LATENCY, List.of(series("floor", 10, 10, 10), series("ffm", 100, 130, 120),
        series("ffm/ring", 100, 100, 100), series("ffm/cma", 300, 300, 50), series("java/ring", 1, 1, 1)));
    assertEquals("kept", word("latency,ffm,8,at most,1.2,near,0,ways", results));
    assertEquals("FELL", word("latency,ffm,8,at most,1.1,near,0,ways", results));
    assertEquals("NOT MEASURED", word("latency,ffm,8,at most,1.1,near,0,ways", latency(100)));
    assertEquals(List.of("ffm at 8: 1.20 +-0.07 x the best forced way (ffm/ring)"), Ways.lines(results));
    assertEquals("the best forced way", Promise.parse("latency,ffm,8,at most,1.1,near,0,ways").reference());
    assertTrue(Ways.all().containsAll(List.of("cma", "ring")) && !Ways.all().contains("auto"));
  }

  @Test
  void theMedianOfTheRoundsDecides() {
    assertEquals("kept", word("latency,ffm,8,at most,2.0,near,0,floor", latency(190, 150, 900)));
  }

  @Test
  void whatWasNotMeasuredIsNotKept() {
    Verdict verdict = Verdict.of(Promise.parse("latency,java,8,at most,9.0,near,0,floor"), latency(100));
    assertEquals("NOT MEASURED", verdict.word());
    assertTrue(verdict.fell());
    Results noFloor = new Results(Kind.LATENCY, List.of(series("ffm", 100)));
    assertEquals("NOT MEASURED", word("latency,ffm,8,at most,9.0,near,0,floor", noFloor));
  }

  @Test
  void aVariantNamesACoreAndWhereItsMessagesLie() {
    Promise shared = Promise.parse("bandwidth,ffm-shared,1048576,at least,1.0,near,0,floor");
    assertEquals("ffm", shared.core());
    assertEquals(Memory.SHARED, shared.memory());
    Promise polled = Promise.parse("rate,ffm-shared poll,8,at least,0.5,near,0,floor");
    assertEquals("ffm-shared ffm", polled.ranks() + " " + polled.core());
    assertEquals(Memory.SHARED, polled.memory());
    Promise plain = Promise.parse("bandwidth,ffm,1048576,at least,0.5,near,0,floor");
    assertEquals("ffm", plain.core());
    assertEquals(Memory.NATIVE, plain.memory());
  }

  @Test
  void aRowNamesThePromiseAndWhatWasMeasured() {
    Verdict verdict = Verdict.of(Promise.parse("latency,ffm,8,at most,2.0,near,0,floor"), latency(150));
    assertEquals(
        List.of("latency", "ffm", "8", "at most 2.0", "the floor", "1.50", "kept"),
        Arrays.asList(verdict.cells()));
    assertEquals("| latency | ffm | 8 | at most 2.0 | the floor | near |", verdict.promise().markdown());
  }

  @Test
  void aPromiseSaysWhatItIsMadeFor() {
    assertEquals("near, far; floor of 40 ns and more",
        Promise.parse("latency,ffm,8,at most,2.0,far near,40,floor").madeFor());
    assertEquals("any two CPUs",
        Promise.parse("latency,ffm,8,at most,2.0,siblings near far unknown,0,floor").madeFor());
  }

  /** A machine whose first two CPUs are of one core. */
  @Test
  void whatIsNotMadeForTwoSiblingsOfACoreIsNamedAndNotJudged() throws Exception {
    FakeMachine.server(sys);
    Distance placement = CpuPair.of(0, 16, sys).distance();
    Promise promise = Promise.parse("latency,ffm,8,at most,2.5,near far,40,floor");
    PrintWriter out = new PrintWriter(Writer.nullWriter());
    List<Verdict> verdicts = new Judge(1, null, placement, out).judge(List.of(promise)); // nothing is left to measure
    assertEquals(List.of("not made for this placement (siblings)"), verdicts.stream().map(Verdict::word).toList());
    assertFalse(verdicts.getFirst().fell());
  }

  /** However the CPUs lie: a machine, or a hypervisor, may tell otherwise than its caches do. */
  @Test
  void whatIsNotMadeForSoLowAFloorIsNamedAndNotJudged() {
    Verdict low = Verdict.of(Promise.parse("latency,ffm,8,at most,1.0,near,101,floor"), latency(190));
    assertEquals("not made for a floor of 100 ns", low.word());
    assertFalse(low.fell());
    assertEquals("FELL", word("latency,ffm,8,at most,1.0,near,99,floor", latency(190)));
  }

  @Test
  void theLastLineCountsThePromisesThatAreMadeForTheseCpus() {
    Verdict kept = Verdict.of(Promise.parse("latency,ffm,8,at most,2.0,near,0,floor"), latency(190));
    Verdict fell = Verdict.of(Promise.parse("latency,ffm,8,at most,1.0,near,0,floor"), latency(190));
    Verdict other = Verdict.notFor(Distance.SIBLINGS, kept.promise());
    assertEquals("1 of 1 promises that are made for these CPUs are kept", GuardCommand.summary(List.of(kept)));
    assertEquals("1 of 2 promises that are made for these CPUs are kept; not made for them: 1",
        GuardCommand.summary(List.of(kept, fell, other)));
  }

  @Test
  void whatWasNotWarmIsNeitherKeptNorFellButNotJudged() {
    Results results = latency(150);
    Verdict kept = Verdict.of(Promise.parse("latency,ffm,8,at most,2.0,near,0,floor"), results);
    results.series().getLast().addCompilers(600, 1000);
    for (String ratio : List.of("2.0", "1.0")) {
      Verdict cold = Verdict.of(Promise.parse("latency,ffm,8,at most,%s,near,0,floor".formatted(ratio)), results);
      assertEquals("not judged: figures were not warm", cold.word());
      assertEquals("1.50*", cold.cells()[5]);
      assertFalse(cold.fell());
      assertEquals("1 of 2 promises that are made for these CPUs are kept; not judged: 1, since figures were not warm;"
          + " run it again where nothing else does", GuardCommand.summary(List.of(kept, cold)));
    }
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
