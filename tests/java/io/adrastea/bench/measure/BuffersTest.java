package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuffersTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 64, 1001})
  void aPatternIsKnownAgainAndEveryWrongByteIsFound(int bytes) {
    MemorySegment memory = MemorySegment.ofArray(new byte[bytes]);
    Buffers.pattern(memory, 5);
    Buffers.checkPattern(memory, 5);
    for (int at = 0; at < bytes; at++) {
      byte right = memory.get(ValueLayout.JAVA_BYTE, at);
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) (right ^ 4));
      var refusal =
          assertThrows(IllegalStateException.class, () -> Buffers.checkPattern(memory, 5));
      assertTrue(refusal.getMessage().endsWith("wrong byte at " + at), refusal.getMessage());
      memory.set(ValueLayout.JAVA_BYTE, at, right);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 64})
  void thePatternOfAnotherSeedIsRefused(int bytes) {
    MemorySegment memory = MemorySegment.ofArray(new byte[bytes]);
    Buffers.pattern(memory, 1);
    assertThrows(IllegalStateException.class, () -> Buffers.checkPattern(memory, 2));
  }
}
