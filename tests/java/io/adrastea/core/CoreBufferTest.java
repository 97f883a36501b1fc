package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What messages are sent from and received into. */
@EveryCorePairOnBothWays
class CoreBufferTest extends CoreContract {
  private static MemorySegment closed() {
    Arena arena = Arena.ofShared();
    MemorySegment buffer = arena.allocate(16);
    arena.close();
    return buffer;
  }

  /** Memory of every kind, of the same size. */
  private static List<MemorySegment> buffers(int bytes, Arena confined, Arena shared) {
    MemorySegment array = MemorySegment.ofArray(new byte[bytes]);
    Stream<Arena> arenas = Stream.of(confined, shared, Arena.ofAuto(), Arena.global());
    return Stream.concat(Stream.of(array), arenas.map(arena -> arena.allocate(bytes))).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 48, 49, 63, 64, 65, PAYLOAD - 1, PAYLOAD})
  void buffersOfAnyKindCarryTheSameBytesAtAnyOffset(int length) {
    byte[] bytes = pattern(PAYLOAD + 5);
    byte[] wanted = new byte[PAYLOAD + 9];
    System.arraycopy(bytes, 5, wanted, 9, length);
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (MemorySegment source : buffers(PAYLOAD + 5, confined, shared)) {
        source.copyFrom(MemorySegment.ofArray(bytes));
        for (MemorySegment destination : buffers(PAYLOAD + 9, confined, shared)) {
          core(0).trySend(1, KIND_FIRST, 2, length, source, 5, length);
          assertEquals(length, core(1).receive(2, -1, 0, destination, 9, PAYLOAD, 3, in));
          assertArrayEquals(wanted, destination.toArray(ValueLayout.JAVA_BYTE));
          destination.fill((byte) 0);
          core(0).trySend(1, KIND_FIRST, 2, length, source.asReadOnly(), 5, length);
          assertPolls(1);
          assertEquals(0, core(1).take(destination, 9, length));
          assertArrayEquals(wanted, destination.toArray(ValueLayout.JAVA_BYTE));
        }
      }
    }
  }

  @Test
  void arraysOfOtherTypesAreSentByTheirBytes() {
    double[] sent = {1.5, -2.25, 1e300};
    core(0).trySend(1, KIND_FIRST, 2, 16, MemorySegment.ofArray(sent), 8, 16);
    double[] received = new double[4];
    assertEquals(16, core(1).receive(2, -1, 0, MemorySegment.ofArray(received), 16, 16, 3, in));
    assertArrayEquals(new double[] {0, 0, -2.25, 1e300}, received);
  }

  @Test
  void aBufferThatCannotBeReadFailsTheSendAndNothingElse() {
    MemorySegment closed = closed();
    for (int i = 0; i < 3 * CELLS; i++) {
      assertThrows(IllegalStateException.class, () -> core(0).trySend(1, KIND_FIRST, 1, 16, closed, 0, 16));
    }
    assertNothing(1, "nothing was sent");
    assertEquals(4, send(0, 1, 1, "next"));
    assertTakes(1, "next");
  }

  @Test
  void aBufferThatCannotBeWrittenFailsTheReceiveAndLeavesThePiece() {
    MemorySegment closed = closed();
    send(0, 1, 1, "stays");
    assertThrows(IllegalStateException.class, () -> core(1).receive(1, -1, 0, closed, 0, 16, 3, in));
    assertPolls(1);
    assertThrows(IllegalStateException.class, () -> core(1).take(closed, 0, 5));
    assertTakes(1, "stays");
  }

  @Test
  void aBufferOfAnotherThreadFailsTheSendAndNothingElse() throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment foreign = arena.allocate(16);
      inAnotherThread(() -> core(0).trySend(1, KIND_FIRST, 1, 16, foreign, 0, 16));
    }
    assertEquals(4, send(0, 1, 1, "next"));
    assertTakes(1, "next");
  }

  @Test
  void aBufferOfAnotherThreadFailsTheReceiveAndLeavesThePiece() throws InterruptedException {
    send(0, 1, 1, "stays");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment foreign = arena.allocate(16);
      inAnotherThread(() -> core(1).receive(1, -1, 0, foreign, 0, 16, 3, in));
    }
    assertTakes(1, "stays");
  }

  private static void inAnotherThread(Runnable call) throws InterruptedException {
    Throwable[] thrown = new Throwable[1];
    Thread other = Thread.ofPlatform().start(() -> thrown[0] = assertThrows(WrongThreadException.class, call::run));
    other.join();
    assertTrue(thrown[0] instanceof WrongThreadException, "thrown in the other thread");
  }
}
