package io.adrastea.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contents tell every wrong byte. */
class ContentsTest {
  private static final long FIRST = 0x123456789ABCDEFL;

  private static MemorySegment filled(int bytes) {
    MemorySegment memory = MemorySegment.ofArray(new byte[bytes]);
    Contents.fill(memory, FIRST, 0);
    return memory;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 64, 1001})
  void whatWasFilledIsRightAndEachByteThatChangesIsFound(int bytes) {
    MemorySegment memory = filled(bytes);
    byte[] array = (byte[]) memory.heapBase().orElseThrow();
    assertEquals(-1, Contents.mismatch(memory, FIRST, 0));
    for (int at = 0; at < bytes; at++) {
      array[at] ^= 1;
      assertEquals(at, Contents.mismatch(memory, FIRST, 0));
      array[at] ^= 1;
    }
  }

  @Test
  void partsFilledByThemselvesMakeTheWhole() {
    MemorySegment memory = MemorySegment.ofArray(new byte[100]);
    Contents.fill(memory.asSlice(0, 40), FIRST, 0);
    Contents.fill(memory.asSlice(40, 60), FIRST, 40);
    assertEquals(-1, filled(100).mismatch(memory));
    assertEquals(-1, Contents.mismatch(memory.asSlice(40, 60), FIRST, 40));
  }

  @Test
  void anotherMessageAndAnotherPlaceOfTheSameOneAreWrong() {
    MemorySegment memory = filled(64);
    assertTrue(Contents.mismatch(memory, FIRST + 1, 0) >= 0);
    assertEquals(8, Contents.mismatch(memory.asSlice(8, 56), FIRST, 0) + 8);
  }
}
