package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {
  private static final Plan ROUND_TRIPS = new Plan(Kind.LATENCY, 8, 2, 3, 10, Duration.ZERO);

  @Test
  void countsNeitherTheLeadNorTheWayBack() {
    Series series = new Series("ffm", ROUND_TRIPS);
    series.addRound(List.of(new long[] {90_000, 90_000, 1000, 1200, 1400}));
    assertEquals(60, series.nanos(50), 0.1);
    assertEquals(70, series.nanos(99), 0.1);
    assertEquals(60, series.meanNanos(), 0.1);
  }

  @Test
  void mergesTheBatchesOfAllPairs() {
    Series series = new Series("ffm", ROUND_TRIPS);
    series.addRound(
        List.of(new long[] {1, 1, 1000, 1000, 1000}, new long[] {1, 1, 1600, 1600, 1800}));
    assertEquals(50, series.nanos(50), 0.1);
    assertEquals(90, series.nanos(99), 0.1);
  }

  @Test
  void keepsTheMedianOfEachRound() {
    Series series = Given.series(Kind.LATENCY, "ffm", 8, 40, 200, 50);
    assertEquals(List.of(40.0, 200.0, 50.0), series.medians());
  }

  @Test
  void givesRatesOfAStream() {
    Series series = Given.series(Kind.BANDWIDTH, "java", 1000, 100);
    assertEquals(1e7, series.messagesPerSecond(), 1e4);
    assertEquals(1e4, series.megabytesPerSecond(), 10);
  }

  @Test
  void figuresAreNotWarmOnceCompilersWorkedForMoreThanIsTakenForIdle() {
    Series series = Given.series(Kind.LATENCY, "java", 8, 100);
    series.addCompilers(145, 1000);
    assertFalse(series.isCold());
    series.addCompilers(160, 1000);
    assertTrue(series.isCold());
    assertEquals("*", series.star());
  }
}
