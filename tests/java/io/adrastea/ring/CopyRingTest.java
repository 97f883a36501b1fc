package io.adrastea.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.atomic.Words;
import io.adrastea.layout.CopyRingDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Java copy ring at every place of the ring. Twin of {@code tests/c/copy_ring_test.c}; both ends at once:
 * SpacesRingTest.
 */
class CopyRingTest {
  private static final int RING = 4096;
  private static final int CHUNK = 512;
  private static final int GUARD = 256;

  private final MemorySegment memory = Arena.ofAuto().allocate(CopyRingDescriptor.BYTES + RING + 2 * GUARD, 128);
  private final MemorySegment ring = memory.asSlice(GUARD, CopyRingDescriptor.BYTES + RING);

  private void begin(long position) {
    memory.fill((byte) 0xa5);
    Words.storeLong(ring, CopyRingDescriptor.FILLED_OFFSET, position);
    Words.storeLong(ring, CopyRingDescriptor.DRAINED_OFFSET, position);
  }

  private static byte[] stream(long position, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ((position + i) * 0x9e3779b97f4a7c15L >>> 56);
    }
    return bytes;
  }

  private int put(long filled, int length) {
    return CopyRing.put(ring, CHUNK, filled, MemorySegment.ofArray(stream(filled, length)), 0, length);
  }

  private int take(long drained, int length) {
    byte[] bytes = new byte[length];
    int taken = CopyRing.take(ring, CHUNK, drained, MemorySegment.ofArray(bytes), 0, length);
    assertEquals(-1, Arrays.mismatch(Arrays.copyOf(stream(drained, Math.max(taken, 0)), length), bytes));
    return taken;
  }

  private void assertGuarded() {
    for (int i = 0; i < GUARD; i++) {
      assertEquals((byte) 0xa5, memory.get(ValueLayout.JAVA_BYTE, i));
      assertEquals((byte) 0xa5, memory.get(ValueLayout.JAVA_BYTE, memory.byteSize() - GUARD + i));
    }
    for (long i = 8; i < CopyRingDescriptor.DRAINED_OFFSET; i++) {
      assertEquals((byte) 0xa5, ring.get(ValueLayout.JAVA_BYTE, i));
      assertEquals((byte) 0xa5, ring.get(ValueLayout.JAVA_BYTE, CopyRingDescriptor.DRAINED_OFFSET + i));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64, 65, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5, RING - 1, RING})
  void whatIsPutIsTakenAtEveryPlace(int size) {
    for (long begin = -RING; begin < RING; begin += 37) {
      begin(begin);
      assertEquals(size, put(begin, size));
      assertEquals(begin + size, Words.loadLong(ring, CopyRingDescriptor.FILLED_OFFSET));
      assertEquals(begin, Words.loadLong(ring, CopyRingDescriptor.DRAINED_OFFSET));
      assertEquals(size, take(begin, RING));
      assertEquals(begin + size, Words.loadLong(ring, CopyRingDescriptor.DRAINED_OFFSET));
      assertGuarded();
    }
  }

  @Test
  void onlyWhatWasGivenBackIsFilledAgain() {
    begin(0);
    assertEquals(RING, put(0, RING + 1));
    assertEquals(0, put(RING, 1));
    assertEquals(10, take(0, 10));
    assertEquals(10, put(RING, 100));
    assertEquals(RING, take(10, RING + 50));
    assertGuarded();
  }

  @Test
  void aChunkLargerThanTheRingIsTheRing() {
    begin(100);
    MemorySegment bytes = MemorySegment.ofArray(stream(100, RING));
    assertEquals(RING, CopyRing.put(ring, 4 * RING, 100, bytes, 0, RING));
    assertEquals(RING, take(100, RING));
    assertGuarded();
  }

  /** The second chunk cannot be copied any more: the first one has shown by then, the second never does. */
  @Test
  void chunksShowOneByOne() {
    begin(0);
    MemorySegment tooShort = MemorySegment.ofArray(stream(0, CHUNK + 1));
    assertThrows(IndexOutOfBoundsException.class, () -> CopyRing.put(ring, CHUNK, 0, tooShort, 0, 2 * CHUNK));
    assertEquals(CHUNK, Words.loadLong(ring, CopyRingDescriptor.FILLED_OFFSET));
    assertEquals(CHUNK, take(0, RING));
  }

  @Test
  void roomIsGivenBackChunkByChunk() {
    begin(0);
    put(0, RING);
    MemorySegment tooShort = MemorySegment.ofArray(new byte[CHUNK + 1]);
    assertThrows(IndexOutOfBoundsException.class, () -> CopyRing.take(ring, CHUNK, 0, tooShort, 0, RING));
    assertEquals(CHUNK, Words.loadLong(ring, CopyRingDescriptor.DRAINED_OFFSET));
  }
}
