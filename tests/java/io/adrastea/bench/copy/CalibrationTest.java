package io.adrastea.bench.copy;

import static io.adrastea.bench.copy.GivenCopies.results;
import static io.adrastea.bench.copy.GivenCopies.series;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.page.Grid;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CalibrationTest {
  private static Calibration calibration(CopyTest test, long wideNanosOfLongCopy) {
    Results measured =
        results(
            test,
            series(test, "memcpy", 100, 10, 10),
            series(test, "wide", 100, 20, 20),
            series(test, "memcpy", 4000, 400, 400),
            series(test, "wide", 4000, wideNanosOfLongCopy, wideNanosOfLongCopy));
    CopyTest other = test == CopyTest.LOCAL ? CopyTest.CROSS : CopyTest.LOCAL;
    Results same =
        results(
            other,
            measured.series().stream()
                .map(one -> series(other, one.variant(), one.plan().bytes(), 100))
                .toArray(Series[]::new));
    return new Calibration(
        List.of(100, 4000),
        List.of("memcpy", "wide"),
        Map.of(100, "memcpy", 4000, "wide"),
        Map.of(test, measured, other, same));
  }

  @Test
  void theChosenRoutineOfEachSizeIsMarked() {
    Grid grid = calibration(CopyTest.LOCAL, 200).grids().get(0);
    assertEquals(List.of("bytes", "100", "4000"), grid.head());
    assertEquals(List.of("memcpy", "*10000", "10000"), grid.rows().get(0));
    assertEquals(List.of("wide", "5000", "*20000"), grid.rows().get(1));
  }

  @Test
  void aChoiceAmongTheBestIsSaidToBe() {
    Grid grid = calibration(CopyTest.LOCAL, 440).grids().get(0);
    assertEquals(List.of("chosen / best", "1.00 +-0.00", "0.91 +-0.00"), grid.rows().get(2));
    assertEquals(List.of("within 10 %", "yes", "yes"), grid.rows().get(3));
  }

  @Test
  void aChoiceThatIsTooSlowIsSaidToBe() {
    Grid grid = calibration(CopyTest.CROSS, 500).grids().get(1);
    assertEquals(List.of("chosen / best", "1.00 +-0.00", "0.80 +-0.00"), grid.rows().get(2));
    assertEquals(List.of("within 10 %", "yes", "no"), grid.rows().get(3));
  }
}
