package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What touching takes alone, told before a run. */
class TouchCostTest {
  @Test
  void shouldTellALineForEachVariantInItsOwnLanguage() {
    Results results = Given.results(Kind.TOUCH, Given.series(Kind.TOUCH, "floor", 8, 2, 2, 3),
        Given.series(Kind.TOUCH, "ffm", 8, 4), Given.series(Kind.TOUCH, "floor", 65536, 900),
        Given.series(Kind.TOUCH, "ffm", 65536, 1000));
    assertEquals(List.of("alone    touching takes C [ns], written and read by one CPU: 2.0 at 8, 900.0 at 64K",
        "alone    touching takes ffm [ns], written and read by one CPU: 4.0 at 8, 1000 at 64K"),
        TouchCost.lines(results));
  }

  @Test
  void shouldMeasureNothingWhereNothingIsTouched() throws Exception {
    assertEquals(List.of(), TouchCost.lines(Kind.BARRIER, List.of(0), List.of()));
    assertEquals(List.of(), TouchCost.lines(Kind.LATENCY.untouched(), List.of(8), List.of()));
  }
}
