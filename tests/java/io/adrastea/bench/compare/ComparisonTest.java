package io.adrastea.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Plan;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of the peers: ratios to the best of our cores and to the floor. */
class ComparisonTest {
  private static final Set<String> CORES = Set.of("ffm", "java");

  /** A series with one batch of one exchange in each round. */
  private static Series series(Kind kind, String variant, int bytes, long... nanos) {
    Series series = new Series(variant, new Plan(kind, bytes, 0, 1, 1, Duration.ofMillis(1)));
    for (long one : nanos) {
      series.addRound(List.of(new long[] {one * kind.messagesPerExchange()}));
    }
    return series;
  }

  private static List<List<String>> rows(Kind kind, Series... series) {
    return new Comparison(new Results(kind, Arrays.asList(series)), CORES).rows();
  }

  @Test
  void shouldTellHowManyTimesSlowerThanTheBestCoreAndTheFloor() {
    List<List<String>> rows =
        rows(
            Kind.LATENCY,
            series(Kind.LATENCY, "floor", 8, 50),
            series(Kind.LATENCY, "ffm", 8, 100),
            series(Kind.LATENCY, "java", 8, 120),
            series(Kind.LATENCY, "openmpi", 8, 300));
    assertEquals(List.of("openmpi", "8", "300.0", "300.0", "3.00", "6.00"), rows.get(3));
    assertEquals(List.of("ffm", "8", "100.0", "100.0", "1.00", "2.00"), rows.get(1));
  }

  @Test
  void shouldTakeTheBestCoreOfEachSize() {
    List<List<String>> rows =
        rows(
            Kind.LATENCY,
            series(Kind.LATENCY, "ffm", 8, 100),
            series(Kind.LATENCY, "java", 8, 200),
            series(Kind.LATENCY, "ffm", 64, 400),
            series(Kind.LATENCY, "java", 64, 200),
            series(Kind.LATENCY, "tcp", 64, 1000));
    assertEquals("5.00", rows.get(4).get(4));
  }

  @Test
  void shouldTakeRatiosWithinEachRound() {
    List<List<String>> rows =
        rows(
            Kind.LATENCY,
            series(Kind.LATENCY, "ffm", 8, 100, 1000, 100),
            series(Kind.LATENCY, "pipe", 8, 200, 2000, 200));
    assertEquals("2.00 +-0.00", rows.get(1).get(4));
  }

  @Test
  void shouldTellThePartOfTheRateForABandwidth() {
    List<List<String>> rows =
        rows(
            Kind.BANDWIDTH,
            series(Kind.BANDWIDTH, "ffm", 1000, 100),
            series(Kind.BANDWIDTH, "pipe", 1000, 400));
    assertEquals(List.of("pipe", "1000", "2500", "2500000", "0.25", "-"), rows.get(1));
  }

  @Test
  void shouldTellThePartOfTheFloorForARate() {
    List<List<String>> rows =
        rows(
            Kind.RATE,
            series(Kind.RATE, "floor", 8, 10),
            series(Kind.RATE, "ffm", 8, 50),
            series(Kind.RATE, "java", 8, 40),
            series(Kind.RATE, "mpich", 8, 200));
    assertEquals(List.of("ffm", "8", "160.0", "20000000", "0.80", "0.20"), rows.get(1));
    assertEquals(List.of("mpich", "8", "40.0", "5000000", "0.20", "0.050"), rows.get(3));
  }

  @Test
  void shouldHaveNoRatioWhereNoCoreWasMeasured() {
    List<List<String>> rows = rows(Kind.BARRIER, series(Kind.BARRIER, "mpich", 0, 700));
    assertEquals(List.of("mpich", "0", "700.0", "700.0", "-", "-"), rows.get(0));
  }
}
