package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.accumulate.Accumulate;
import io.adrastea.coll.Combine;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Elements accumulated by each kind of core, against {@link Combine}. */
@EveryCore
class SpacesAccumulateTest extends SpacesContract {
  private static final int MOST = Spaces.MOST_PER_CALL;
  private static final int AROUND = 32;
  private static final int[] COUNTS = {0, 1, 2, 3, 5, 8, 63, 130, 515};
  private static final long[] SPECIAL =
      {0, 1, -1, Long.MIN_VALUE, 0x80000000L, 0x7ff8000000000001L, 0x7fc000017fc00001L, 0x3ff0000000000000L};

  private final Combine combine = new Combine();
  private final Random random = new Random(1);

  /** Any bits, and often those that matter: zeros, ones, signs, and what is no number. */
  private MemorySegment filled(MemorySegment memory, long bytes) {
    for (long at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
      long word = random.nextInt(4) == 0 ? SPECIAL[random.nextInt(SPECIAL.length)] : random.nextLong();
      memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, word);
    }
    return memory;
  }

  private static MemorySegment copyOf(MemorySegment memory) {
    return MemorySegment.ofArray(memory.toArray(ValueLayout.JAVA_BYTE));
  }

  private static void assertSame(MemorySegment wanted, MemorySegment found, String what) {
    assertEquals(-1, wanted.mismatch(found), () -> "first byte that differs, " + what);
  }

  private static MemorySegment target(long bytes) {
    return Arena.global().allocate((bytes + 7) / 8 * 8, 8);
  }

  /** One accumulate of elements that begin anywhere, in memory of a kind. */
  private void check(
      Operator op, ElementKind kind, int count, int shift, MemorySegment origin, MemorySegment result,
      boolean exclusive) {
    String what = "%s of %d × %s at %d%s".formatted(op, count, kind, shift, exclusive ? ", exclusive" : "");
    long bytes = (long) count * kind.bytes();
    long at = AROUND + (long) shift * kind.bytes();
    MemorySegment target = target(bytes + 3 * AROUND + 64);
    filled(target, target.byteSize());
    filled(origin, origin.byteSize());
    MemorySegment before = copyOf(target);
    MemorySegment wanted = copyOf(target);
    if (bytes > 0) {
      combine.combine(op.number(), kind.number(), wanted, at, before, at, origin, 3, bytes);
    }
    MemorySegment given = op == Operator.NO_OP && shift == 1 ? null : origin;
    assertEquals(0, spaces().accumulate(target, at, given, 3, result, 5, bytes, op.number(), kind.number(), exclusive));
    assertSame(wanted, target, what);
    if (result != null) {
      assertMoved(before, at, result, 5, bytes);
      result.fill((byte) 0);
    }
  }

  private static boolean isAllowed(Operator op, ElementKind kind) {
    return kind.isOfJava() && op.combines(kind) && !kind.isComplex() && !kind.name().matches("\\w+_INT");
  }

  @Test
  void accumulatesWhatReductionsCombineWithEachOperatorOnEachKind() {
    MemorySegment origin = Arena.global().allocate(COUNTS[COUNTS.length - 1] * 8L + 16);
    MemorySegment result = MemorySegment.ofArray(new byte[COUNTS[COUNTS.length - 1] * 8 + 16]);
    int pairs = 0;
    for (ElementKind kind : ElementKind.values()) {
      for (Operator op : Operator.values()) {
        if (!isAllowed(op, kind)) {
          continue;
        }
        pairs++;
        for (int count : COUNTS) {
          for (int shift = 0; shift < 4; shift++) {
            check(op, kind, count, shift, origin, null, false);
            check(op, kind, count, shift, origin, result, false);
            check(op, kind, count, shift, origin, result, true);
            check(op, kind, count, shift, origin, null, true);
          }
        }
      }
    }
    assertEquals(5 * 12 + 2 * 6 + 2 * 5, pairs);
  }

  @Test
  void operandsAndResultsLieInMemoryOfAnyKind() {
    int bytes = 1 << 10;
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (MemorySegment origin : buffers(bytes + 8, confined, shared)) {
        for (MemorySegment result : buffers(bytes + 8, confined, shared)) {
          check(Operator.SUM, ElementKind.INT64, bytes / 8, 1, origin, result, false);
          check(Operator.PROD, ElementKind.DOUBLE, bytes / 8, 2, origin, result, false);
          check(Operator.MAX, ElementKind.INT16, bytes / 2, 3, origin, result, true);
        }
      }
    }
  }

  @Test
  void moreBytesThanOneCallMovesAreAccumulatedToo() {
    int bytes = 3 * MOST + 24;
    for (MemorySegment origin : List.of(MemorySegment.ofArray(new byte[bytes + 8]), target(bytes + 8))) {
      MemorySegment result = MemorySegment.ofArray(new byte[bytes + 16]);
      for (boolean exclusive : new boolean[] {false, true}) {
        check(Operator.SUM, ElementKind.DOUBLE, bytes / 8, 1, origin, result, exclusive);
        check(Operator.BXOR, ElementKind.INT32, bytes / 4, 1, origin, null, exclusive);
        check(Operator.MIN, ElementKind.INT8, bytes, 3, origin, result, exclusive);
      }
    }
  }

  private void assertRefused(int op, int element, long at, long bytes, boolean hasOrigin) {
    for (boolean exclusive : new boolean[] {false, true}) {
      for (MemorySegment operands : List.of(MemorySegment.ofArray(new byte[64]), Arena.global().allocate(64))) {
        MemorySegment target = target(64).fill((byte) 7);
        MemorySegment result = MemorySegment.ofArray(new byte[64]);
        int status =
            spaces().accumulate(target, at, hasOrigin ? operands : null, 0, result, 0, bytes, op, element, exclusive);
        assertEquals(Spaces.INVAL, status);
        assertEquals(-1, target.mismatch(target(64).fill((byte) 7)));
        assertZero(result);
      }
    }
  }

  @Test
  void whatCannotBeAccumulatedIsRefusedAndNothingIsChanged() {
    int sum = Operator.SUM.number();
    int longs = ElementKind.INT64.number();
    assertRefused(sum, -1, 0, 8, true);
    assertRefused(sum, ElementKind.values().length, 0, 8, true);
    assertRefused(Operator.NONE, longs, 0, 8, true);
    assertRefused(Operator.OF_USER, longs, 0, 8, true);
    assertRefused(Operator.BAND.number(), ElementKind.DOUBLE.number(), 0, 8, true);
    assertRefused(sum, ElementKind.FLOAT_COMPLEX.number(), 0, 8, true);
    assertRefused(Operator.REPLACE.number(), ElementKind.INT_INT.number(), 0, 8, true);
    assertRefused(Operator.REPLACE.number(), ElementKind.LONG_DOUBLE.number(), 0, 16, true);
    assertRefused(sum, longs, 4, 8, true);
    assertRefused(sum, ElementKind.FLOAT.number(), 2, 8, true);
    assertRefused(sum, ElementKind.INT16.number(), 1, 8, true);
    assertRefused(sum, longs, 0, 12, true);
    assertRefused(sum, longs, 0, -8, true);
    assertRefused(sum, longs, 0, 8, false);
    assertRefused(Operator.BAND.number(), ElementKind.DOUBLE.number(), 0, 0, true);
  }

  @Test
  void aClosedArenaIsRefusedAndNothingIsChanged() {
    MemorySegment closed = closed(Arena.ofShared(), 64);
    MemorySegment target = target(64);
    MemorySegment ones = MemorySegment.ofArray(new byte[64]).fill((byte) 1);
    int longs = ElementKind.INT64.number();
    for (boolean exclusive : new boolean[] {false, true}) {
      assertThrows(IllegalStateException.class,
          () -> spaces().accumulate(target, 0, closed, 0, null, 0, 64, Operator.REPLACE.number(), longs, exclusive));
      assertThrows(IllegalStateException.class,
          () -> spaces().accumulate(target, 0, ones, 0, closed, 0, 64, Operator.REPLACE.number(), longs, exclusive));
    }
    assertZero(target);
  }

  @Test
  void theScalarsOfJavaSeeWhatACoreHasAccumulated() {
    MemorySegment target = target(8);
    MemorySegment one = MemorySegment.ofArray(new long[] {1});
    for (int i = 0; i < 10; i++) {
      assertEquals(0, spaces().accumulate(target, 0, one, 0, null, 0, 8, Operator.SUM.number(),
          ElementKind.INT64.number(), false));
      assertEquals(2L * i + 1, Accumulate.fetchAndOp(Operator.SUM, ElementKind.INT64, target, 0, 1));
    }
    assertEquals(20, target.get(ValueLayout.JAVA_LONG, 0));
  }
}
