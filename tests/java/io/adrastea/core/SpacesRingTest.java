package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import io.adrastea.layout.CopyRingDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A copy ring whose writer is of one kind of core, and whose reader is of each kind. */
@Tag("loops")
@EveryCore
class SpacesRingTest extends SpacesContract {
  private static final int RING = 4096;
  private static final int CHUNK = 512;
  private static final int MESSAGE = 100_003;
  private static final long FILLED = CopyRingDescriptor.FILLED_OFFSET;
  private static final long DRAINED = CopyRingDescriptor.DRAINED_OFFSET;

  private final MemorySegment ring = ring(RING);

  private static MemorySegment ring(int bytes) {
    return Arena.ofAuto().allocate(CopyRingDescriptor.BYTES + bytes, 128);
  }

  private void startAt(long position) {
    Words.storeLong(ring, FILLED, position);
    Words.storeLong(ring, DRAINED, position);
  }

  /** Takes turns: puts some, takes some. */
  private void carry(MemorySegment source, Spaces reader, MemorySegment destination, int length) {
    long filled = Words.loadLong(ring, FILLED);
    long drained = filled;
    long begin = filled;
    while (drained - begin < length) {
      filled +=
          spaces().put(ring, CHUNK, filled, source, 3 + filled - begin, Math.min(1777, length - (filled - begin)));
      drained += reader.take(ring, CHUNK, drained, destination, 5 + drained - begin,
          Math.min(911, length - (drained - begin)));
    }
    assertEquals(filled, Words.loadLong(ring, FILLED));
    assertEquals(drained, Words.loadLong(ring, DRAINED));
  }

  @ParameterizedTest
  @MethodSource("cores")
  void carriesMemoryOfAnyKindToAnyOther(String other) {
    Spaces reader = Cores.choose(other).spaces();
    startAt(-1000);
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (MemorySegment source : buffers(MESSAGE + 10, confined, shared)) {
        filled(source);
        for (MemorySegment destination : buffers(MESSAGE + 10, confined, shared)) {
          carry(source, reader, destination, MESSAGE);
          assertMoved(source, 3, destination, 5, MESSAGE);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cores")
  void carriesWhileBothEndsCopy(String other) throws InterruptedException {
    MemorySegment source = filled(Arena.ofAuto().allocate(LARGE));
    MemorySegment destination = MemorySegment.ofArray(new byte[LARGE]);
    Thread writer = Thread.ofPlatform().daemon().start(() -> putAll(source));
    Spaces reader = Cores.choose(other).spaces();
    for (long drained = 0; drained < LARGE;) {
      int taken = reader.take(ring, CHUNK, drained, destination, drained, LARGE - drained);
      assertTrue(taken >= 0, "status " + taken);
      drained += taken;
      if (taken == 0) {
        Thread.yield();
      }
    }
    writer.join();
    assertMoved(source, 0, destination, 0, LARGE);
  }

  private void putAll(MemorySegment source) {
    for (long filled = 0; filled < LARGE;) {
      int put = spaces().put(ring, CHUNK, filled, source, filled, LARGE - filled);
      if (put < 0) {
        throw new AssertionError("status " + put);
      }
      filled += put;
      if (put == 0) {
        Thread.yield();
      }
    }
  }

  @Test
  void oneCallMovesAtMost64KiB() {
    MemorySegment large = ring(1 << 18);
    for (MemorySegment buffer : List.of(MemorySegment.ofArray(new byte[1 << 18]), Arena.global().allocate(1 << 18))) {
      Words.storeLong(large, FILLED, 0);
      Words.storeLong(large, DRAINED, 0);
      assertEquals(Spaces.MOST_PER_CALL, spaces().put(large, CHUNK, 0, buffer, 0, 1 << 18));
      assertEquals(Spaces.MOST_PER_CALL, spaces().put(large, CHUNK, Spaces.MOST_PER_CALL, buffer, 0, 1 << 18));
      assertEquals(Spaces.MOST_PER_CALL, spaces().take(large, CHUNK, 0, buffer, 0, 1 << 18));
    }
  }

  @Test
  void fullTakesNothingAndEmptyGivesNothing() {
    for (MemorySegment buffer : List.of(MemorySegment.ofArray(new byte[RING]), Arena.global().allocate(RING))) {
      startAt(0);
      assertEquals(0, spaces().take(ring, CHUNK, 0, buffer, 0, 1));
      assertEquals(RING, spaces().put(ring, CHUNK, 0, buffer, 0, RING));
      assertEquals(0, spaces().put(ring, CHUNK, RING, buffer, 0, 1));
    }
  }

  @Test
  void aHeadThatCannotBeIsRefusedAndNothingIsMoved() {
    for (MemorySegment buffer : List.of(MemorySegment.ofArray(new byte[RING]), Arena.global().allocate(RING))) {
      for (long wrong : new long[] {1, RING, Long.MIN_VALUE, -RING - 1}) {
        startAt(2 * RING);
        Words.storeLong(ring, DRAINED, 2 * RING + wrong);
        assertEquals(Core.CORRUPT, spaces().put(ring, CHUNK, 2 * RING, buffer, 0, 10));
        assertEquals(2 * RING, Words.loadLong(ring, FILLED));
        startAt(2 * RING);
        Words.storeLong(ring, FILLED, 2 * RING - wrong);
        assertEquals(Core.CORRUPT, spaces().take(ring, CHUNK, 2 * RING, buffer, 0, 10));
        assertEquals(2 * RING, Words.loadLong(ring, DRAINED));
        assertZero(buffer);
        assertZero(ring.asSlice(CopyRingDescriptor.BYTES));
      }
    }
  }

  @Test
  void aClosedArenaIsRefusedAndTheRingStaysAsItIs() {
    MemorySegment closed = closed(Arena.ofShared(), RING);
    assertThrows(IllegalStateException.class, () -> spaces().put(ring, CHUNK, 0, closed, 0, 100));
    assertEquals(0, Words.loadLong(ring, FILLED));
    Words.storeLong(ring, FILLED, 100);
    assertThrows(IllegalStateException.class, () -> spaces().take(ring, CHUNK, 0, closed, 0, 100));
    assertEquals(0, Words.loadLong(ring, DRAINED));
  }

  @Test
  void aLengthBelowZeroIsRefused() {
    for (MemorySegment buffer : List.of(MemorySegment.ofArray(new byte[RING]), Arena.global().allocate(RING))) {
      assertEquals(Core.INVAL, spaces().put(ring, CHUNK, 0, buffer, 0, -1));
      assertEquals(Core.INVAL, spaces().take(ring, CHUNK, 0, buffer, 0, -1));
    }
  }
}
