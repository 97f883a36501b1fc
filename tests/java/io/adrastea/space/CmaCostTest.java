package io.adrastea.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.Cores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From how many bytes on a collective takes one copy by the system; C: cma_cost_test.c has the same cases. */
class CmaCostTest {
  /** Nanoseconds of copies of 16 and of 128 KiB by the system, and by the core. */
  @ParameterizedTest
  @CsvSource({
    "1600, 9000, 600, 5600, 8194", // asking takes as long as so many bytes more
    "2716, 12600, 280, 3000, 524288", // each byte takes longer than three copies of it
    "1600, 9000, 600, 3200, 155688", "1600, 9000, 600, 3110, 479042",
    "1000, 9000, 600, 5600, 0", // as long a copy costs as much for each byte: asking costs nothing
    "0, 0, 0, 0, 0"})
  void oneCopyByTheSystemPaysFromWhereItTakesLessThanThreeWithinAProcess(
      long shortByCma, long longByCma, long shortHere, long longHere, long least) {
    assertEquals(least, new CmaCost(shortByCma, longByCma, shortHere, longHere).leastBytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void whatWasMeasuredIsBetweenNoneAndMost(String core) {
    CmaCost cost = CmaCost.measure(Cores.choose(core).spaces());
    assertTrue(cost.leastBytes() >= 0 && cost.leastBytes() <= CmaCost.MOST_BY_STAGES, cost.toString());
  }

  /** A core that cannot ask the system at all. */
  @Test
  void whereTheSystemRefusesNothingIsPreferred() {
    assertEquals(0, CmaCost.measure(Cores.choose("java").spaces()).leastBytes());
  }
}
