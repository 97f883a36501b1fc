package io.adrastea.core.pure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies between memory of each kind that a program may have and a segment. */
class ShortCopyTest {
  private static final int BYTES = 2048;
  private static final int[] LENGTHS = {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 48, 63, 64, 65, 127, 128, 129, 512, 1000};
  private static final int[] OFFSETS = {0, 1, 8, 24};

  /** Kinds of memory, each of a class of its own. */
  enum Kind {
    NATIVE, MAPPED, BYTES_ARRAY, LONGS, DOUBLES;

    MemorySegment make(Path directory) {
      return switch (this) {
        case NATIVE -> Arena.ofAuto().allocate(BYTES, 8);
        case MAPPED -> map(directory.resolve("program"));
        case BYTES_ARRAY -> MemorySegment.ofArray(new byte[BYTES]);
        case LONGS -> MemorySegment.ofArray(new long[BYTES / Long.BYTES]);
        case DOUBLES -> MemorySegment.ofArray(new double[BYTES / Double.BYTES]);
      };
    }
  }

  @TempDir
  Path directory;

  private MemorySegment segment;

  private static MemorySegment map(Path path) {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.ofAuto());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void mapSegment() {
    segment = map(directory.resolve("segment"));
  }

  private static MemorySegment numbered(MemorySegment memory, int first) {
    for (int at = 0; at < memory.byteSize(); at++) {
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) (first + at * 7));
    }
    return memory;
  }

  /** Exactly {@code bytes} bytes of {@code to} are those of {@code from}, the others are as they were numbered. */
  private static void requireCopied(MemorySegment from, long source, MemorySegment to, long target, int bytes) {
    for (int at = 0; at < to.byteSize(); at++) {
      boolean copied = at >= target && at < target + bytes;
      byte expected = copied ? from.get(ValueLayout.JAVA_BYTE, source + at - target) : (byte) (101 + at * 7);
      assertEquals(expected, to.get(ValueLayout.JAVA_BYTE, at), "byte %d of %d at %d".formatted(at, bytes, target));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyLengthComesIntoTheSegmentWhole(Kind kind) {
    MemorySegment program = numbered(kind.make(directory), 3).asReadOnly();
    for (int length : LENGTHS) {
      for (int offset : OFFSETS) {
        numbered(segment, 101);
        ShortCopy.put(program, offset, segment, 16, length);
        requireCopied(program, offset, segment, 16, length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyLengthComesOutOfTheSegmentWhole(Kind kind) {
    numbered(segment, 3);
    MemorySegment program = kind.make(directory);
    for (int length : LENGTHS) {
      for (int offset : OFFSETS) {
        numbered(program, 101);
        ShortCopy.take(segment, 16, program, offset, length);
        requireCopied(segment, 16, program, offset, length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatLiesOutsideIsRefusedAndNothingIsCopied(Kind kind) {
    MemorySegment program = numbered(kind.make(directory), 3);
    for (int length : new int[] {8, 64, 512}) {
      numbered(segment, 101);
      assertThrows(IndexOutOfBoundsException.class,
          () -> ShortCopy.put(program, BYTES - length + 1, segment, 16, length));
      assertThrows(IndexOutOfBoundsException.class,
          () -> ShortCopy.put(program, 0, segment, BYTES - length + 1, length));
      assertThrows(IndexOutOfBoundsException.class,
          () -> ShortCopy.take(segment, BYTES - length + 1, program, 0, length));
      requireCopied(program, 0, segment, 0, 0);
    }
  }

  @Test
  void memoryThatIsClosedIsRefusedAndNoInterruptStays() {
    Arena arena = Arena.ofShared();
    MemorySegment program = arena.allocate(BYTES);
    arena.close();
    for (int length : new int[] {8, 64}) {
      assertThrows(IllegalStateException.class, () -> ShortCopy.put(program, 0, segment, 0, length));
      assertThrows(IllegalStateException.class, () -> ShortCopy.take(segment, 0, program, 0, length));
    }
    assertFalse(Thread.interrupted());
  }

  @Test
  void anInterruptOfTheProgramStays() {
    Arena arena = Arena.ofShared();
    MemorySegment program = arena.allocate(BYTES);
    arena.close();
    Thread.currentThread().interrupt();
    try {
      assertThrows(IllegalStateException.class, () -> ShortCopy.put(program, 0, segment, 0, 64));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }
}
