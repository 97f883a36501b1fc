package io.adrastea.accumulate;

import io.adrastea.atomic.Words;
import io.adrastea.coll.Combine;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Elements;
import io.adrastea.coll.Operator;
import io.adrastea.core.Spaces;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.lang.foreign.MemorySegment;

/**
 * Atomic read-modify-writes of elements of memory that several processes map. Twin of {@code adrastea/accumulate.h},
 * where it is said what is atomic, and in which order; each element is atomic towards whatever C does with it. The
 * arithmetic is that of {@link Combine}, bit for bit.
 *
 * <p>
 * The target is native memory whose address and length are multiples of 4, and of 8 where it has elements of 8 bytes.
 * An element lies at a multiple of its size: other places are an {@link IllegalArgumentException}, those outside of the
 * target an {@link IndexOutOfBoundsException}, and nothing is done. Operators and kinds are those that {@link #allows}
 * allows; the caller has asked. Integers are handed over and returned as long numbers, of which the target has the low
 * bytes, and other elements by their bits, where no method takes their type.
 *
 * <p>
 * Nothing is allocated. Any thread may call.
 */
public final class Accumulate {
  private Accumulate() {}

  /** Whether elements of a kind can be accumulated by an operator, in Java: {@code adr_accumulate_check}. */
  public static boolean allows(Operator op, ElementKind kind) {
    boolean isWord = switch (kind) {
      case BYTES, INT8, INT16, UINT16, INT32, INT64, FLOAT, DOUBLE, BOOL -> true;
      default -> false;
    };
    return isWord && op.combines(kind);
  }

  /**
   * Refuses an operator on elements that it cannot accumulate, or that Java does not have.
   *
   * @param op number of an operator
   * @param element number of a kind of elements
   * @throws IllegalArgumentException which names both
   */
  public static void require(int op, int element) {
    Combine.require(op, element);
    ElementKind kind = ElementKind.of(element);
    if (!allows(Operator.of(op), kind)) {
      throw new ArgumentException(Reason.OP,
          ("accumulate of elements of type %s: no instruction changes all parts of one together; accumulate integers,"
              + " booleans, bytes, float or double, or use get and put under an exclusive lock").formatted(kind));
    }
  }

  /** Nobody else touches the target. */
  private static void accumulateExclusive(
      Combine combine, Operator op, ElementKind kind, MemorySegment target, long at, MemorySegment origin,
      long originAt, MemorySegment result, long resultAt, long bytes) {
    if (result != null) {
      MemorySegment.copy(target, at, result, resultAt, bytes);
    }
    if (op != Operator.NO_OP) {
      combine.combine(op.number(), kind.number(), target, at, target, at, origin, originAt, bytes);
    }
  }

  // Operator and kind are compared, and not switched by: where they are constants, as in ElementLoops, the JIT knows
  // the
  // one that it is, which it does not of the table that a switch goes by.

  static int fetchAndOpInt(Operator op, ElementKind kind, MemorySegment target, long at, int operand) {
    if (op == Operator.SUM && kind != ElementKind.FLOAT) {
      return Words.addAcqRel(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.BAND) {
      return Words.andAcqRel(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.BOR) {
      return Words.orAcqRel(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.BXOR) {
      return Words.xorAcqRel(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.REPLACE) {
      return Words.swapAcqRel(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.NO_OP) {
      return Words.loadAcquire(target, at); // SYNC accumulate-element: acquire
    }
    return combineWord(op, kind, target, at, 0, -1, operand);
  }

  static long fetchAndOpLong(Operator op, ElementKind kind, MemorySegment target, long at, long operand) {
    if (op == Operator.SUM && kind != ElementKind.DOUBLE) {
      return Words.addAcqRelLong(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.BAND) {
      return Words.andAcqRelLong(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.BOR) {
      return Words.orAcqRelLong(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.BXOR) {
      return Words.xorAcqRelLong(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.REPLACE) {
      return Words.swapAcqRelLong(target, at, operand); // SYNC accumulate-element: acq_rel
    }
    if (op == Operator.NO_OP) {
      return Words.loadAcquireLong(target, at); // SYNC accumulate-element: acquire
    }
    return combineLong(op, kind, target, at, operand);
  }

  /** An integer of 1, 2 or 4 bytes as a long number, of bits that have it lowest. */
  private static long number(ElementKind kind, int bits) {
    return kind == ElementKind.INT32 || kind == ElementKind.FLOAT ? bits
        : kind == ElementKind.INT16 ? (short) bits
            : kind == ElementKind.UINT16 ? (char) bits
                : (byte) bits;
  }

  /** What an element becomes, by its bits: those of a float, or of an integer whose low bytes count. */
  private static int combined(Operator op, ElementKind kind, int a, int b) {
    if (op == Operator.REPLACE) {
      return b;
    }
    if (op == Operator.NO_OP) {
      return a;
    }
    if (kind == ElementKind.FLOAT) {
      return Float.floatToRawIntBits(Elements.combined(op, Float.intBitsToFloat(a), Float.intBitsToFloat(b)));
    }
    return (int) Elements.combined(op, number(kind, a), number(kind, b));
  }

  /**
   * An element of at most 4 bytes that no instruction changes as wanted: by CAS of the word that it lies in.
   *
   * @param shift bits of the word below the element
   * @param mask the bits of an element that lies lowest
   * @return the word as it was, so shifted that the element lies lowest
   */
  private static int combineWord(
      Operator op, ElementKind kind, MemorySegment target, long word, int shift, int mask, int operand) {
    int old = Words.loadAcquire(target, word); // SYNC accumulate-element: acquire
    while (true) {
      int element = old >>> shift;
      int next = combined(op, kind, element, operand);
      int wanted = old & ~(mask << shift) | (next & mask) << shift;
      if (wanted == old) {
        return element;
      }
      int seen = Words.compareExchangeAcqRel(target, word, old, wanted); // SYNC accumulate-element: acq_rel
      if (seen == old) {
        return element;
      }
      old = seen;
    }
  }

  private static long combineLong(Operator op, ElementKind kind, MemorySegment target, long at, long operand) {
    long old = Words.loadAcquireLong(target, at); // SYNC accumulate-element: acquire
    while (true) {
      long wanted = kind == ElementKind.DOUBLE
          ? Double.doubleToRawLongBits(
              Elements.combined(op, Double.longBitsToDouble(old), Double.longBitsToDouble(operand)))
          : Elements.combined(op, old, operand);
      if (wanted == old) {
        return old;
      }
      long seen = Words.compareExchangeAcqRelLong(target, at, old, wanted); // SYNC accumulate-element: acq_rel
      if (seen == old) {
        return old;
      }
      old = seen;
    }
  }

  /** An element of 1 or 2 bytes; the result has it lowest. */
  static int fetchAndOpWithin(Operator op, ElementKind kind, MemorySegment target, long at, int operand) {
    int head = head(kind, target, at);
    return combineWord(op, kind, target, at - head, head * Byte.SIZE, mask(kind), operand);
  }

  /** Bytes between the word that an element of 1 or 2 bytes lies in and the element. */
  private static int head(ElementKind kind, MemorySegment target, long at) {
    long address = target.address() + at;
    if ((address & kind.bytes() - 1) != 0) {
      throw new IllegalArgumentException(
          "an element of type %s at offset %d of memory at 0x%x: accumulate needs a multiple of %d bytes"
              .formatted(kind, at, target.address(), kind.bytes()));
    }
    return (int) (address & Integer.BYTES - 1);
  }

  private static int mask(ElementKind kind) {
    return (1 << kind.bytes() * Byte.SIZE) - 1;
  }

  /**
   * Accumulates elements, as {@code adr_accumulate} does.
   *
   * @param combine computes where the target is touched by nobody else
   * @param op number of an operator
   * @param element number of a kind of elements
   * @param origin null is allowed with {@link Operator#NO_OP}
   * @param result null: nobody wants what was there
   * @param bytes of whole elements
   * @param exclusive nobody else touches the elements during the call
   * @return 0; {@link Spaces#INVAL}: nothing is done, for the reasons that {@code adr_accumulate} names, or Java has no
   *   such kind of elements
   */
  public static int accumulate(
      Combine combine, int op, int element, MemorySegment target, long at, MemorySegment origin, long originAt,
      MemorySegment result, long resultAt, long bytes, boolean exclusive) {
    Operator operator = Operator.of(op);
    ElementKind kind = ElementKind.of(element);
    if (operator == null || kind == null || !allows(operator, kind)
        || (target.address() + at & kind.bytes() - 1) != 0 || bytes < 0 || (bytes & kind.bytes() - 1) != 0
        || bytes > 0 && operator != Operator.NO_OP && origin == null) {
      return Spaces.INVAL;
    }
    if (exclusive) {
      accumulateExclusive(combine, operator, kind, target, at, origin, originAt, result, resultAt, bytes);
    } else {
      ElementLoops.accumulate(operator, kind, target, at, operator == Operator.NO_OP ? null : origin, originAt, result,
          resultAt,
          bytes);
    }
    return 0;
  }

  /**
   * Accumulates one element.
   *
   * @param value the right operand; {@link Operator#NO_OP} has none
   * @return what the element was
   */
  public static long fetchAndOp(Operator op, ElementKind kind, MemorySegment target, long at, long value) {
    return switch (kind) {
      case INT64, DOUBLE -> fetchAndOpLong(op, kind, target, at, value);
      case INT32, FLOAT -> fetchAndOpInt(op, kind, target, at, (int) value);
      default -> number(kind, fetchAndOpWithin(op, kind, target, at, (int) value));
    };
  }

  /** As {@link #fetchAndOp(Operator, ElementKind, MemorySegment, long, long)}, of a double. */
  public static double fetchAndOp(Operator op, MemorySegment target, long at, double value) {
    return Double.longBitsToDouble(
        fetchAndOpLong(op, ElementKind.DOUBLE, target, at, Double.doubleToRawLongBits(value)));
  }

  /** As {@link #fetchAndOp(Operator, ElementKind, MemorySegment, long, long)}, of a float. */
  public static float fetchAndOp(Operator op, MemorySegment target, long at, float value) {
    return Float.intBitsToFloat(fetchAndOpInt(op, ElementKind.FLOAT, target, at, Float.floatToRawIntBits(value)));
  }

  /** An element of 1 or 2 bytes; the result has it lowest. */
  private static int compareAndSwapWithin(
      ElementKind kind, MemorySegment target, long at, int expected, int desired) {
    int head = head(kind, target, at);
    int shift = head * Byte.SIZE;
    int mask = mask(kind);
    long word = at - head;
    int old = Words.loadAcquire(target, word); // SYNC accumulate-element: acquire
    while (((old >>> shift ^ expected) & mask) == 0) {
      int wanted = old & ~(mask << shift) | (desired & mask) << shift;
      int seen = Words.compareExchangeAcqRel(target, word, old, wanted); // SYNC accumulate-element: acq_rel
      if (seen == old) {
        break;
      }
      old = seen;
    }
    return old >>> shift;
  }

  private static int compareAndSwapInt(MemorySegment target, long at, int expected, int desired) {
    return Words.compareExchangeAcqRel(target, at, expected, desired); // SYNC accumulate-element: acq_rel
  }

  private static long compareAndSwapLong(MemorySegment target, long at, long expected, long desired) {
    return Words.compareExchangeAcqRelLong(target, at, expected, desired); // SYNC accumulate-element: acq_rel
  }

  /**
   * Stores {@code desired} in an element if it has the bits of {@code expected}.
   *
   * @return what the element was: {@code expected} if it was stored
   */
  public static long compareAndSwap(ElementKind kind, MemorySegment target, long at, long expected, long desired) {
    return switch (kind) {
      case INT64, DOUBLE -> compareAndSwapLong(target, at, expected, desired);
      case INT32, FLOAT -> compareAndSwapInt(target, at, (int) expected, (int) desired);
      default -> number(kind, compareAndSwapWithin(kind, target, at, (int) expected, (int) desired));
    };
  }
}
