package io.adrastea.bench.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
import io.adrastea.topology.FakeMachine;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        "latency,ffm,8,at most,2,near,0,moon", "latency,ffm,8,at least,2,near,0,settings",
        "latency,ffm,8-,at most,2,near,0,floor", "latency,ffm,64-8,at most,2,near,0,floor",
        "latency,ffm,8-65,at most,2,near,0,floor", "latency,ffm,8-16-32,at most,2,near,0,floor"})
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
  void ranksThatChooseMayNotBeFarFromTheBestOfThoseThatAreForced() {
    Results results = new Results(Kind.LATENCY, List.of(series("floor", 10, 10, 10), series("ffm", 120, 130, 120),
        series("ffm/cell.bytes=4096", 100, 100, 100), series("ffm/lmt=cma", 300, 300, 50),
        series("java/lmt=ring", 1, 1, 1)));
    assertEquals("kept", word("latency,ffm,8,at most,1.2,near,0,settings", results));
    assertEquals("FELL: adrastea.cell.bytes=4096 takes less",
        word("latency,ffm,8,at most,1.1,near,0,settings", results));
    assertEquals("NOT MEASURED", word("latency,ffm,8,at most,1.1,near,0,settings", latency(100)));
    assertEquals("the best forced setting", Promise.parse("latency,ffm,8,at most,1.1,near,0,settings").reference());
  }

  @Test
  void threeQuartersOfTheRoundsHaveToBreakAPromiseAgainstSettings() {
    Results results = new Results(Kind.LATENCY, List.of(series("ffm", 100, 100, 120, 120, 120),
        series("ffm/cell.bytes=4096", 100, 100, 100, 100, 100)));
    assertEquals("kept", word("latency,ffm,8,at most,1.1,near,0,settings", results));
  }

  @Test
  void aPromiseOfManySizesHoldsAtEachByItself() {
    Promise promise = Promise.parse("bandwidth,ffm,512-4096,at most,1.1,near,0,settings");
    assertEquals(List.of(512, 1024, 2048, 4096), promise.sizes());
    assertTrue(promise.markdown().contains("| 512-4096 |"));
    Series auto = series(1024, "ffm", 120);
    Results results = new Results(Kind.BANDWIDTH, List.of(series(512, "ffm", 100), series(512, "ffm/lmt=ring", 100),
        auto, series(1024, "ffm/lmt=ring", 100)));
    assertEquals("kept", Verdict.of(promise, 512, results).word());
    Verdict fell = Verdict.of(promise, 1024, results);
    assertEquals("FELL: adrastea.lmt=ring takes less", fell.word());
    assertEquals("1024", fell.cells()[2]);
    assertEquals("512-4096", Verdict.notFor(Distance.FAR, promise).cells()[2]);
  }

  @Test
  void someSizesOfAPromiseCanBeJudgedAlone() {
    Promise promise = Promise.parse("bandwidth,ffm,512-4096,at most,1.1,near,0,settings");
    assertEquals(List.of(1024, 4096), promise.at(List.of(8, 1024, 4096, 8192)).orElseThrow().sizes());
    assertTrue(promise.at(List.of(8)).isEmpty());
  }

  /** Each value is one that a rank accepts, and not the one that it has anyway. */
  @Test
  void everyForcedSettingIsAllowedAndNamesItself() {
    for (Forced forced : Forced.all()) {
      String property = forced.setting().property();
      assertEquals(property + "=" + forced.value(), Forced.named("ffm" + forced.suffix()));
      assertEquals(Map.of(property, forced.value()), forced.options(Memory.NATIVE).properties());
      assertNotEquals(forced.setting().defaultValue(), forced.value());
      assertTrue(forced.concerns(forced.from()) && forced.concerns(forced.to()) && !forced.concerns(2 * forced.to()));
      forced.setting().require(forced.value(), "the guard");
    }
    List<String> names = Forced.all().stream().map(Forced::suffix).toList();
    assertEquals(names.size(), Set.copyOf(names).size());
    assertTrue(names.containsAll(List.of("/lmt=ring", "/box.message.bytes=1024")));
  }

  /** Ranks with a setting of the one are not measured with the other. */
  @Test
  void messagesAndCollectivesAreForcedBySettingsOfTheirOwn() {
    Promise collective = Promise.parse("bcast,ffm,512-4096,at most,1.1,near,0,settings");
    assertEquals("coll-bcast-moving", collective.kind().command());
    assertEquals("| bcast | ffm | 512-4096 | at most 1.1 | the best forced setting | near |", collective.markdown());
    assertEquals(List.of("/collective.way=stages", "/collective.way=direct"),
        Forced.all().stream().filter(forced -> forced.isFor(collective)).map(Forced::suffix).toList());
    Promise message = Promise.parse("latency,ffm,512-4096,at most,1.1,near,0,settings");
    assertTrue(Forced.all().stream().allMatch(forced -> forced.isFor(message) != forced.isFor(collective)));
    assertTrue(
        Forced.all().stream().noneMatch(
            forced -> forced.isFor(message) && forced.suffix().startsWith("/collective")));
  }

  @Test
  void theMedianOfTheRoundsDecides() {
    assertEquals("kept", word("latency,ffm,8,at most,2.0,near,0,floor", latency(190, 150, 900)));
  }

  @Test
  void whatWasNotMeasuredIsNotKept() {
    Verdict verdict = verdict("latency,java,8,at most,9.0,near,0,floor", latency(100));
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
    Verdict verdict = verdict("latency,ffm,8,at most,2.0,near,0,floor", latency(150));
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
    Judge judge = new Judge(new Judge.Scope(1, 1, List.of(), false), null, placement, out);
    List<Verdict> verdicts = judge.judge(List.of(promise)); // nothing is left to measure
    assertEquals(List.of("not made for this placement (siblings)"), verdicts.stream().map(Verdict::word).toList());
    assertFalse(verdicts.getFirst().fell());
  }

  /** However the CPUs lie: a machine, or a hypervisor, may tell otherwise than its caches do. */
  @Test
  void whatIsNotMadeForSoLowAFloorIsNamedAndNotJudged() {
    Verdict low = verdict("latency,ffm,8,at most,1.0,near,101,floor", latency(190));
    assertEquals("not made for a floor of 100 ns", low.word());
    assertFalse(low.fell());
    assertEquals("FELL", word("latency,ffm,8,at most,1.0,near,99,floor", latency(190)));
  }

  @Test
  void theLastLineCountsThePromisesThatAreMadeForTheseCpus() {
    Verdict kept = verdict("latency,ffm,8,at most,2.0,near,0,floor", latency(190));
    Verdict fell = verdict("latency,ffm,8,at most,1.0,near,0,floor", latency(190));
    Verdict other = Verdict.notFor(Distance.SIBLINGS, kept.promise());
    assertEquals("1 of 1 promises that are made for these CPUs are kept", GuardCommand.summary(List.of(kept)));
    assertEquals("1 of 2 promises that are made for these CPUs are kept; not made for them: 1",
        GuardCommand.summary(List.of(kept, fell, other)));
  }

  @Test
  void whatWasNotWarmIsNeitherKeptNorFellButNotJudged() {
    Results results = latency(150);
    Verdict kept = verdict("latency,ffm,8,at most,2.0,near,0,floor", results);
    results.series().getLast().addCompilers(600, 1000);
    for (String ratio : List.of("2.0", "1.0")) {
      Verdict cold = verdict("latency,ffm,8,at most,%s,near,0,floor".formatted(ratio), results);
      assertEquals("not judged: figures were not warm", cold.word());
      assertEquals("1.50*", cold.cells()[5]);
      assertFalse(cold.fell());
      assertEquals("1 of 2 promises that are made for these CPUs are kept; not judged: 1, since figures were not warm;"
          + " run it again where nothing else does", GuardCommand.summary(List.of(kept, cold)));
    }
  }

  private static String word(String promise, Results results) {
    return verdict(promise, results).word();
  }

  private static Verdict verdict(String promise, Results results) {
    return Verdict.of(Promise.parse(promise), 8, results);
  }

  /** A floor of 100 ns in every round. */
  private static Results latency(long... nanos) {
    long[] floor = new long[nanos.length];
    Arrays.fill(floor, 100);
    return new Results(
        Kind.LATENCY, new ArrayList<>(List.of(series("floor", floor), series("ffm", nanos))));
  }

  private static Series series(String variant, long... nanos) {
    return series(8, variant, nanos);
  }

  private static Series series(int bytes, String variant, long... nanos) {
    Series series =
        new Series(variant, new Plan(Kind.LATENCY, bytes, 0, 1, 1, Duration.ofMillis(1)));
    for (long one : nanos) {
      series.addRound(List.of(new long[] {one * Kind.LATENCY.messagesPerExchange()}));
    }
    return series;
  }
}
