package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
  @Test
  void readsBytesAndPowersOf1024() {
    assertEquals(
        List.of(0, 8, 4096, 65536, 1 << 20, 1 << 30), Sizes.parse("0,8,4K,64k,1M,1G").bytes());
  }

  @Test
  void ordersSizesAndDropsRepetitions() {
    assertEquals(List.of(0, 8, 1024), Sizes.parse("1024, 8,0,1K").bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "8,", ",8", "x", "8 8", "-1", "1.5K", "8KB", "K", "0x10"})
  void refusesWhatIsNoSizeListAndShowsWhatIs(String list) {
    var refusal = assertThrows(IllegalArgumentException.class, () -> Sizes.parse(list));
    assertTrue(refusal.getMessage().contains("'" + list + "'"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("0,8,4K,1M"), refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1073741825", "2G", "1025M", "999999999999G"})
  void refusesSizesAboveTheLongestMessage(String list) {
    var refusal = assertThrows(IllegalArgumentException.class, () -> Sizes.parse(list));
    assertTrue(refusal.getMessage().contains("0 to 1G"), refusal.getMessage());
  }
}
