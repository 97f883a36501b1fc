package io.adrastea.bench.large;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.bench.measure.KindVariant;
import io.adrastea.bench.measure.Plan;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargeReportTest {
  private final List<Series> series = new ArrayList<>();

  /** Rounds of one batch of one exchange each. */
  private LargeReportTest add(Part part, int bytes, long... nanos) {
    Plan plan = new Plan(part.kind(), bytes, 0, 1, 1, Duration.ofMillis(1));
    Series one = new Series(KindVariant.name("ffm", part.title()), plan);
    for (long round : nanos) {
      one.addRound(List.of(new long[] {round}));
    }
    series.add(one);
    return this;
  }

  private Results results() {
    return new Results(series.get(0).plan().kind(), series);
  }

  @Test
  void whatIsHiddenIsWhatBothTogetherTookLess() {
    add(Part.TRANSFER, 1000, 1000, 1000, 1000);
    add(Part.COMPUTE, 1000, 1000, 1000, 1000);
    add(Part.BOTH, 1000, 2000, 1250, 1200);
    add(Part.THREAD, 1000, 3000, 3000, 1000);
    assertEquals(
        List.of(List.of("1000", "ffm", "1.00", "1.00", "1.25", "75 %", "3.00", "-100 %")),
        new OverlapCommand().report(results()).table().rows());
  }

  @Test
  void inPlaceStandsBesideTheSameIntoABuffer() {
    add(Part.IN_PLACE, 1000, 500, 500).add(Part.COPIED, 1000, 1000, 1000);
    add(Part.IN_PLACE, 2000, 550, 550).add(Part.COPIED, 2000, 2200, 2200);
    LargeReport report = new InPlaceCommand().report(results());
    assertEquals(
        List.of(
            List.of("1000", "ffm", "0.50", "1.00", "2.00 +-0.00"),
            List.of("2000", "ffm", "0.55", "2.20", "4.00 +-0.00")),
        report.table().rows());
    assertEquals(
        List.of("ffm: in place 2000 bytes take 1.10 +-0.00 times as long as 1000"), report.said());
    assertEquals(List.of(0.5, 0.55), report.chart().curves().get(0).y());
  }
}
