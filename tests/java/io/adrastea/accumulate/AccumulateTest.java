package io.adrastea.accumulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.coll.Combine;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One element at a time, by value. */
class AccumulateTest {
  private static final long[] SPECIAL =
      {0, 1, -1, Long.MIN_VALUE, 0x80000000L, 0x7ff8000000000001L, 0x7fc000017fc00001L, 0x3ff0000000000000L};

  private final MemorySegment target = Arena.ofAuto().allocate(32, 8);
  private final Combine combine = new Combine();
  private final Random random = new Random(2);

  private long anyBits() {
    return random.nextInt(4) == 0 ? SPECIAL[random.nextInt(SPECIAL.length)] : random.nextLong();
  }

  private MemorySegment filled(MemorySegment memory) {
    for (long at = 0; at < memory.byteSize(); at += Long.BYTES) {
      memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, anyBits());
    }
    return memory;
  }

  /** What {@code Accumulate} gives for an element: integers as they are widened, others by their bits. */
  private static long value(ElementKind kind, MemorySegment memory, long at) {
    return switch (kind) {
      case INT64, DOUBLE -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
      case INT32, FLOAT -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      case INT16 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
      case UINT16 -> memory.get(ValueLayout.JAVA_CHAR_UNALIGNED, at);
      default -> memory.get(ValueLayout.JAVA_BYTE, at);
    };
  }

  private MemorySegment combined(Operator op, ElementKind kind, long at, long value) {
    MemorySegment wanted = MemorySegment.ofArray(target.toArray(ValueLayout.JAVA_BYTE));
    MemorySegment operand = MemorySegment.ofArray(new long[] {value});
    combine.combine(op.number(), kind.number(), wanted, at, wanted, at, operand, 0, kind.bytes());
    return wanted;
  }

  @Test
  void eachOperatorOnEachKindGivesWhatWasThereAndLeavesWhatReductionsCombine() {
    int pairs = 0;
    for (ElementKind kind : ElementKind.values()) {
      for (Operator op : Operator.values()) {
        if (!Accumulate.allows(op, kind)) {
          continue;
        }
        pairs++;
        for (int i = 0; i < 200; i++) {
          long at = 8 + (long) (i % 8) * kind.bytes() % 16;
          filled(target);
          long value = anyBits();
          long before = value(kind, target, at);
          MemorySegment wanted = combined(op, kind, at, value);
          assertEquals(before, Accumulate.fetchAndOp(op, kind, target, at, value), op + " of " + kind);
          assertEquals(-1, wanted.mismatch(target), op + " of " + kind);
        }
      }
    }
    assertEquals(5 * 12 + 2 * 6 + 2 * 5, pairs);
  }

  @Test
  void doublesAndFloatsAreHandedOverAsWhatTheyAre() {
    target.set(ValueLayout.JAVA_DOUBLE, 8, 1.5);
    assertEquals(1.5, Accumulate.fetchAndOp(Operator.SUM, target, 8, 2.25));
    assertEquals(3.75, Accumulate.fetchAndOp(Operator.MAX, target, 8, 3.0));
    assertEquals(3.75, Accumulate.fetchAndOp(Operator.REPLACE, target, 8, -0.0));
    assertEquals(-0.0, Accumulate.fetchAndOp(Operator.NO_OP, target, 8, 7.0));
    target.set(ValueLayout.JAVA_FLOAT, 20, 1.5f);
    assertEquals(1.5f, Accumulate.fetchAndOp(Operator.PROD, target, 20, 2f));
    assertEquals(3f, Accumulate.fetchAndOp(Operator.SUM, target, 20, Float.NaN));
    assertEquals(0x7fc00000, target.get(ValueLayout.JAVA_INT, 20));
    assertEquals(0, target.get(ValueLayout.JAVA_INT, 16));
  }

  @Test
  void anElementIsSwappedOnlyForWhatIsExpected() {
    for (ElementKind kind : ElementKind.values()) {
      if (!Accumulate.allows(Operator.REPLACE, kind)) {
        continue;
      }
      for (int i = 0; i < 100; i++) {
        long at = 8 + (long) (i % 8) * kind.bytes() % 16;
        filled(target);
        long desired = anyBits();
        long before = value(kind, target, at);
        MemorySegment wanted = combined(Operator.REPLACE, kind, at, desired);
        assertEquals(before, Accumulate.compareAndSwap(kind, target, at, before, desired), kind.toString());
        assertEquals(-1, wanted.mismatch(target), kind.toString());
        long now = value(kind, target, at);
        long other = now ^ 1L << kind.bytes() * 8 - 1;
        assertEquals(now, Accumulate.compareAndSwap(kind, target, at, other, ~now), kind.toString());
        assertEquals(-1, wanted.mismatch(target), kind.toString());
      }
    }
  }

  @Test
  void aPlaceThatIsNotAlignedOrOutsideIsRefusedAndNothingIsChanged() {
    for (ElementKind kind : ElementKind.values()) {
      if (!Accumulate.allows(Operator.REPLACE, kind)) {
        continue;
      }
      for (int at = 1; at < kind.bytes(); at++) {
        long wrong = at;
        assertThrows(IllegalArgumentException.class,
            () -> Accumulate.fetchAndOp(Operator.REPLACE, kind, target, wrong, -1));
        assertThrows(IllegalArgumentException.class,
            () -> Accumulate.compareAndSwap(kind, target, wrong, 0, -1));
      }
      for (long outside : new long[] {-8, 32, Long.MAX_VALUE - 7}) {
        assertThrows(IndexOutOfBoundsException.class,
            () -> Accumulate.fetchAndOp(Operator.REPLACE, kind, target, outside, -1));
        assertThrows(IndexOutOfBoundsException.class,
            () -> Accumulate.compareAndSwap(kind, target, outside, 0, -1));
      }
    }
    assertEquals(-1, target.mismatch(MemorySegment.ofArray(new byte[32])));
  }

  private static String refusal(Operator op, ElementKind kind) {
    ArgumentException thrown =
        assertThrows(ArgumentException.class, () -> Accumulate.require(op.number(), kind.number()));
    assertEquals(Reason.OP, Reason.of(thrown));
    return thrown.getMessage();
  }

  @Test
  void whatCannotBeAccumulatedIsRefusedByName() {
    assertTrue(refusal(Operator.MINLOC, ElementKind.DOUBLE_INT).contains("DOUBLE_INT"));
    assertTrue(refusal(Operator.SUM, ElementKind.DOUBLE_COMPLEX).contains("DOUBLE_COMPLEX"));
    assertTrue(refusal(Operator.BAND, ElementKind.FLOAT).contains("float"));
    assertTrue(refusal(Operator.SUM, ElementKind.UINT64).contains("uint64_t"));
    Accumulate.require(Operator.SUM.number(), ElementKind.INT64.number());
    Accumulate.require(Operator.NO_OP.number(), ElementKind.BYTES.number());
  }
}
