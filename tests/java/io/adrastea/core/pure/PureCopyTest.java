package io.adrastea.core.pure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PureCopyTest {
  private static final int BEFORE = 5;
  private static final int AFTER = 7;

  /** The bytes that arrive between guards, for each of the two functions. */
  private static byte[] copied(byte[] source, int from, int bytes, boolean stream) {
    byte[] destination = new byte[BEFORE + bytes + AFTER];
    MemorySegment to = MemorySegment.ofArray(destination);
    if (stream) {
      PureSpaces.INSTANCE.stream(MemorySegment.ofArray(source), from, to, BEFORE, bytes);
    } else {
      PureSpaces.INSTANCE.copy(MemorySegment.ofArray(source), from, to, BEFORE, bytes);
    }
    return destination;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20, (3 << 20) + 12345})
  void justTheBytesAskedForAreCopiedHoweverManyBlocksTheyAre(int bytes) {
    byte[] source = new byte[bytes + 3];
    new Random(bytes).nextBytes(source);
    byte[] wanted = new byte[BEFORE + bytes + AFTER];
    System.arraycopy(source, 3, wanted, BEFORE, bytes);
    assertArrayEquals(wanted, copied(source, 3, bytes, false));
    assertArrayEquals(wanted, copied(source, 3, bytes, true));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 3 << 20})
  void arraysOfAnyKindAreCopiedByTheByte(int bytes) {
    long[] source = new long[bytes / Long.BYTES];
    Arrays.setAll(source, i -> i * 0x0102030405060708L);
    double[] destination = new double[bytes / Long.BYTES];
    PureSpaces.INSTANCE.copy(MemorySegment.ofArray(source), 0, MemorySegment.ofArray(destination), 0,
        bytes / Long.BYTES * Long.BYTES);
    for (int i = 0; i < source.length; i++) {
      assertEquals(source[i], Double.doubleToRawLongBits(destination[i]));
    }
  }
}
