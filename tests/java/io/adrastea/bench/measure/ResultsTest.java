package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {
  @Test
  void latencyIsSoManyTimesTheFloorOfItsSize() {
    Series ffm = Given.series(Kind.LATENCY, "ffm", 64, 100, 500);
    Results results =
        Given.results(
            Kind.LATENCY,
            Given.series(Kind.LATENCY, "floor", 8, 10, 10),
            Given.series(Kind.LATENCY, "floor", 64, 50, 250),
            ffm);
    assertEquals(2, results.ratio(ffm).orElseThrow().median(), 0.01);
  }

  @Test
  void bandwidthIsAPartOfTheFloors() {
    Series ffm = Given.series(Kind.BANDWIDTH, "ffm", 64, 100);
    Results results =
        Given.results(Kind.BANDWIDTH, Given.series(Kind.BANDWIDTH, "floor", 64, 50), ffm);
    assertEquals(0.5, results.ratio(ffm).orElseThrow().median(), 0.01);
  }

  @Test
  void figuresThatWereNotWarmHaveStarsAndALegendAndNoVerdictOnTheirWays() {
    Series ffm = Given.series(Kind.LATENCY, "ffm", 64, 100);
    Series ring = Given.series(Kind.LATENCY, "ffm/ring", 64, 50);
    Results results = Given.results(Kind.LATENCY, Given.series(Kind.LATENCY, "floor", 64, 50), ffm, ring);
    assertTrue(results.legend().isEmpty());
    assertEquals("2.00", results.ratio(ffm).orElseThrow().toString());
    assertEquals(List.of("ffm at 64: 2.00 x the best forced way (ffm/ring)"), Ways.lines(results));
    ring.addCompilers(501, 1000);
    assertEquals("1.00*", results.ratio(ring).orElseThrow().toString());
    assertEquals("2.00", results.ratio(ffm).orElseThrow().toString());
    assertEquals("50.0*", Table.cells(results, ring)[3]);
    assertTrue(results.legend().orElseThrow().startsWith("*  "));
    assertEquals(List.of("ffm at 64: no verdict on its way: figures were not warm (*)"), Ways.lines(results));
    assertTrue(BenchPage.of(results, List.of("title")).html().contains("title=\"ffm/ring, 64: 50*\""));
  }

  @Test
  void thereIsNoRatioWithoutAFloorOfThatSize() {
    Series ffm = Given.series(Kind.LATENCY, "ffm", 64, 100);
    assertTrue(Given.results(Kind.LATENCY, ffm).ratio(ffm).isEmpty());
  }

  @Test
  void anEmptyMessageHasNoRateToCompare() {
    Series ffm = Given.series(Kind.BANDWIDTH, "ffm", 0, 100);
    Results results =
        Given.results(Kind.BANDWIDTH, Given.series(Kind.BANDWIDTH, "floor", 0, 50), ffm);
    assertTrue(results.ratio(ffm).isEmpty());
  }

  @Test
  void saysWhenTheFloorMovedBetweenRounds() {
    String note =
        Given.results(Kind.LATENCY, Given.series(Kind.LATENCY, "floor", 8, 42, 44, 200, 43))
            .placements()
            .orElseThrow();
    assertTrue(note.contains("near in 3 of 4 rounds, far in 1"), note);
  }

  @Test
  void saysSoWhenTheFloorStayed() {
    Series floor = Given.series(Kind.LATENCY, "floor", 8, 42, 44, 60, 43);
    Series moved = Given.series(Kind.LATENCY, "ffm", 8, 42, 440, 60, 43);
    Results results = Given.results(Kind.LATENCY, floor, moved);
    String note = results.placements().orElseThrow();
    assertTrue(note.contains("the same in all rounds (4)"), note);
  }

  @Test
  void aPlacementHasRatiosOfItsOwn() {
    Series ffm = Given.series(Kind.LATENCY, "ffm", 8, 80, 600, 80);
    Results results =
        Given.results(
            Kind.LATENCY, Given.series(Kind.LATENCY, "floor", 8, 40, 200, 40), ffm);
    assertEquals(List.of(List.of(0, 2), List.of(1)), results.groups().rounds());
    assertEquals(2, results.ratio(ffm, 0).orElseThrow().median(), 0.01);
    assertEquals(3, results.ratio(ffm, 1).orElseThrow().median(), 0.01);
  }

  @Test
  void withoutAFloorThereAreNoPlacements() {
    Series ffm = Given.series(Kind.LATENCY, "ffm", 8, 80, 600);
    assertTrue(Given.results(Kind.LATENCY, ffm).placements().isEmpty());
  }
}
