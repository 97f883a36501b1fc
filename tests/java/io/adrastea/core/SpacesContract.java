package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;

/** The spaces of one kind of core, and memory of every kind for their contract tests. */
abstract class SpacesContract {
  /** More than any one call of a core copies, and no round number. */
  static final int LARGE = 3 * (1 << 20) + 5;

  @Parameter
  String core;

  static Stream<String> cores() {
    return Cores.all().stream().map(CoreProvider::name);
  }

  Spaces spaces() {
    return Cores.choose(core).spaces();
  }

  /** Memory of every kind, of {@code bytes} bytes. */
  static List<MemorySegment> buffers(int bytes, Arena confined, Arena shared) {
    MemorySegment array = MemorySegment.ofArray(new byte[bytes]);
    MemorySegment wide = MemorySegment.ofArray(new double[(bytes + 15) / 8]).asSlice(8, bytes);
    MemorySegment lasting = MemorySegment.ofAddress(confined.allocate(bytes).address()).reinterpret(bytes);
    return Stream.concat(
        Stream.of(array, wide, lasting),
        Stream.of(confined, shared, Arena.ofAuto()).map(arena -> arena.allocate(bytes)))
        .toList();
  }

  /** Fills with bytes that tell their place. */
  static MemorySegment filled(MemorySegment memory) {
    byte[] bytes = new byte[(int) memory.byteSize()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 0x9e3779b1 >>> 24);
    }
    memory.copyFrom(MemorySegment.ofArray(bytes));
    return memory;
  }

  static MemorySegment closed(Arena arena, int bytes) {
    MemorySegment memory = arena.allocate(bytes);
    arena.close();
    return memory;
  }

  /** {@code length} bytes of the one are those of the other, and all around them is zero. */
  static void assertMoved(MemorySegment source, long sourceOffset, MemorySegment destination, long offset,
      long length) {
    assertEquals(
        -1, source.asSlice(sourceOffset, length).mismatch(destination.asSlice(offset, length)),
        "first byte that differs");
    assertZero(destination.asSlice(0, offset));
    assertZero(destination.asSlice(offset + length));
  }

  static void assertZero(MemorySegment memory) {
    assertEquals(-1, memory.mismatch(MemorySegment.ofArray(new byte[(int) memory.byteSize()])),
        "first byte that is not 0");
  }
}
