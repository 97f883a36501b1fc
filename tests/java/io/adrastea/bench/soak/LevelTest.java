package io.adrastea.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** When a figure counts as growing. */
class LevelTest {
  private static Level of(int samples, IntToLongFunction sample) {
    Level level = new Level("heap", "KiB", 100);
    for (int i = 0; i < samples; i++) {
      level.add(sample.applyAsLong(i));
    }
    return level;
  }

  @Test
  void aFigureThatGoesOnGrowingIsTold() {
    Optional<String> told = of(300, i -> 1000 + 10 * i).grown();
    assertEquals(
        "heap grows: at most 2990 KiB in the second third of the run, 4000 in the middle of the last",
        of(300, i -> i < 100 ? 0 : i < 200 ? 1000 + 10 * i : 4000).grown().orElseThrow());
    assertFalse(told.isPresent(), "a quarter more is within the bound");
    assertTrue(of(300, i -> (long) i * i).grown().isPresent());
  }

  @Test
  void growthAtTheBeginningIsNoGrowth() {
    assertFalse(of(30, i -> i < 10 ? 1000 * i : 10_000).grown().isPresent());
  }

  @Test
  void whatSwingsIsLevel() {
    assertFalse(of(100, i -> 1000 + i % 7 * 300).grown().isPresent());
  }

  @Test
  void oneHighFigureAtTheEndIsNoGrowth() {
    assertFalse(of(100, i -> i == 95 ? 1_000_000 : 1000).grown().isPresent());
  }

  @Test
  void fewSamplesTellNothing() {
    Level level = of(5, i -> 1000L * i * i * i);
    assertFalse(level.tells());
    assertFalse(level.grown().isPresent());
  }
}
