package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies inside this process. */
@EveryCore
class SpacesCopyTest extends SpacesContract {
  private static final int AROUND = 70;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 4097, 1 << 16, (1 << 16) + 1, LARGE})
  void memoryOfAnyKindIsCopiedToAnyOtherAtAnyOffset(int length) {
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (MemorySegment source : buffers(length + AROUND, confined, shared)) {
        filled(source);
        for (MemorySegment destination : buffers(length + AROUND, confined, shared)) {
          spaces().copy(source, 3, destination, 61, length);
          assertMoved(source, 3, destination, 61, length);
          destination.fill((byte) 0);
          spaces().stream(source, 5, destination, 7, length);
          assertMoved(source, 5, destination, 7, length);
        }
      }
    }
  }

  @Test
  void readOnlyMemoryIsCopiedFrom() {
    MemorySegment source = filled(Arena.ofAuto().allocate(100));
    MemorySegment destination = MemorySegment.ofArray(new byte[100]);
    spaces().copy(source.asReadOnly(), 0, destination, 0, 100);
    assertMoved(source, 0, destination, 0, 100);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, LARGE})
  void aClosedArenaIsRefusedAndNothingIsMoved(int length) {
    for (Supplier<Arena> arena : List.<Supplier<Arena>>of(Arena::ofShared, Arena::ofConfined)) {
      MemorySegment closed = closed(arena.get(), length);
      for (MemorySegment open : List.of(MemorySegment.ofArray(new byte[length]), Arena.ofAuto().allocate(length))) {
        assertThrows(IllegalStateException.class, () -> spaces().copy(closed, 0, open, 0, length));
        assertThrows(IllegalStateException.class, () -> spaces().stream(closed, 0, open, 0, length));
        assertZero(open);
        assertThrows(IllegalStateException.class, () -> spaces().copy(open, 0, closed, 0, length));
        assertThrows(IllegalStateException.class, () -> spaces().stream(open, 0, closed, 0, length));
      }
    }
  }

  @Test
  void memoryOfAnotherThreadIsRefused() throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment foreign = arena.allocate(LARGE);
      MemorySegment own = MemorySegment.ofArray(new byte[LARGE]);
      Throwable[] thrown = new Throwable[1];
      Thread other =
          Thread.ofPlatform()
              .start(() -> thrown[0] =
                  assertThrows(WrongThreadException.class, () -> spaces().copy(foreign, 0, own, 0, LARGE)));
      other.join();
      assertTrue(thrown[0] instanceof WrongThreadException, "thrown in the other thread");
    }
  }

  @Test
  void arraysOfOtherTypesAreCopiedByTheirBytes() {
    double[] from = {1.5, -2.25, 1e300};
    long[] to = new long[3];
    spaces().copy(MemorySegment.ofArray(from), 8, MemorySegment.ofArray(to), 0, 16);
    assertArrayEquals(new long[] {Double.doubleToLongBits(-2.25), Double.doubleToLongBits(1e300), 0}, to);
  }

  @Test
  void whatIsThereIsTold() {
    List<String> lines = spaces().describe();
    assertEquals(List.of("copies", "CMA", "XPMEM"), lines.stream().map(line -> line.replaceFirst(": .+", "")).toList());
  }
}
