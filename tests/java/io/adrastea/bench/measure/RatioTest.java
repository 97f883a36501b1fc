package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RatioTest {
  @Test
  void dividesWithinTheRoundSoThatDriftCancels() {
    // The machine became five times slower in between: the ratio of the medians would be 1.0 or 10.
    Ratio ratio = Ratio.of(List.of(80.0, 400.0, 80.0), List.of(40.0, 200.0, 40.0));
    assertEquals(2, ratio.median(), 1e-9);
    assertEquals(0, ratio.spread(), 1e-9);
  }

  @Test
  void spreadIsHalfOfTheRangeOfTheMiddleHalf() {
    Ratio ratio = Ratio.of(List.of(1.0, 2.0, 3.0, 4.0, 100.0), List.of(1.0, 1.0, 1.0, 1.0, 1.0));
    assertEquals(3, ratio.median(), 1e-9);
    assertEquals(1, ratio.spread(), 1e-9);
    assertEquals("3.00 +-1.00", ratio.toString());
  }

  @Test
  void oneRoundHasNoSpread() {
    assertEquals("1.87", Ratio.of(List.of(187.0), List.of(100.0)).toString());
  }
}
