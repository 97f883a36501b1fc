package io.adrastea.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTest {
  private static List<String> labels(int base, Double... values) {
    return new Scale(base, List.of(values), 0, 600)
        .ticks().stream().map(Scale.Tick::label).toList();
  }

  @Test
  void aLogAxisGivesEqualFactorsEqualRoom() {
    Scale scale = new Scale(10, List.of(10.0, 1000.0), 0, 100);
    assertEquals(0, scale.at(10), 0.01);
    assertEquals(50, scale.at(100), 0.01);
    assertEquals(100, scale.at(1000), 0.01);
  }

  @Test
  void sizesAreLabelledAsTheyAreGiven() {
    assertEquals(List.of("8", "512", "4K", "1M"), labels(2, 8.0, 512.0, 4096.0, 1048576.0));
    assertEquals(List.of("1000", "64K"), labels(2, 1000.0, 65536.0));
  }

  @Test
  void aDecimalAxisHasStepsOf125AndHoldsAllValues() {
    assertEquals(List.of("20", "50", "100", "200", "500"), labels(10, 42.0, 480.0));
    assertEquals(List.of("1k", "2k"), labels(10, 1000.0));
  }

  @Test
  void aWideDecimalAxisIsLabelledAtPowersOnly() {
    assertEquals(List.of("10", "100", "1k", "10k", "100k"), labels(10, 7.0, 123_456.0));
  }

  @Test
  void aLinearAxisBeginsAtZero() {
    assertTrue(labels(0, 42.0).containsAll(List.of("0", "10", "50")), labels(0, 42.0)::toString);
  }
}
