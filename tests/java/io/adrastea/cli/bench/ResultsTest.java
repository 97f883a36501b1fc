package io.adrastea.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    assertTrue(note.contains("3 of 4 rounds"), note);
  }

  @Test
  void saysNothingWhenTheFloorStayed() {
    Series floor = Given.series(Kind.LATENCY, "floor", 8, 42, 44, 60, 43);
    Series moved = Given.series(Kind.LATENCY, "ffm", 8, 42, 440, 60, 43);
    assertTrue(Given.results(Kind.LATENCY, floor, moved).placements().isEmpty());
  }
}
