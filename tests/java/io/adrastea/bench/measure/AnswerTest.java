package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerTest {
  @Test
  void readsTheTimesOfTheBatches() throws BenchException {
    assertArrayEquals(new long[] {12, 34}, Answer.times("floor", "ns 12 34", 2));
  }

  @Test
  void aBatchShorterThanTheClockTakesOneNanosecond() throws BenchException {
    assertArrayEquals(new long[] {1, 1}, Answer.times("floor", "ns 0 -3", 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ns", "ns 1", "ns 1 2 3", "ms 1 2", "error too many bytes", "ns 1 x"})
  void refusesAnythingElseAndNamesWhoSaidIt(String line) {
    var refusal = assertThrows(BenchException.class, () -> Answer.times("rank 3", line, 2));
    assertTrue(refusal.getMessage().startsWith("rank 3 answered nonsense"), refusal.getMessage());
  }
}
