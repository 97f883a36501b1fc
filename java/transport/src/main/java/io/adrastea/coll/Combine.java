package io.adrastea.coll;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.lang.foreign.MemorySegment;

/**
 * Elements of two buffers combined by an operator: the arithmetic of reductions. Twin of {@code coll/adr_combine.h};
 * {@code tests/coll/combine.golden} has what both compute. Arrays of its own, in which it computes, make it fit for one
 * thread at a time.
 */
public final class Combine {
  /** Bytes that are computed in arrays at a time: three such stretches stay in the first level of any cache. */
  private static final int CHUNK = 4096;

  /** Up to so many elements are computed one by one, where they lie. */
  private static final int FEW = 8;

  private final ArrayLoops loops = new ArrayLoops(CHUNK);

  /**
   * Refuses an operator on elements that it has no meaning for, or that Java does not have.
   *
   * @throws IllegalArgumentException which names both
   */
  public static void require(int op, int element) {
    Operator operator = Operator.of(op);
    ElementKind kind = ElementKind.of(element);
    if (operator == null || kind == null) {
      throw new ArgumentException(Reason.OP,
          "operator %d on elements of kind %d: operators have numbers from %d to %d, kinds from 0 to %d"
              .formatted(op, element, Operator.NONE + 1, Operator.values().length,
                  ElementKind.values().length - 1));
    }
    if (!operator.combines(kind)) {
      throw operator.noMeaning(kind);
    }
    if (!kind.isOfJava()) {
      throw operator.notOfJava(kind);
    }
  }

  /**
   * Makes each element of the target of those of both operands: {@code target[i] = left[i] op right[i]}. Any alignment
   * is allowed. The target may be the left or the right operand itself; what overlaps otherwise is not allowed.
   *
   * @param op number of an {@link Operator}, on an element that it has a meaning for
   * @param element number of an {@link ElementKind} of Java
   * @param bytes of whole elements
   */
  public void combine(
      int op, int element, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, long bytes) {
    Operator operator = Operator.of(op);
    ElementKind kind = ElementKind.of(element);
    if (!operator.isArithmetic()) {
      combineSpecial(operator, kind, target, targetAt, left, leftAt, right, rightAt, bytes);
      return;
    }
    if (kind.isComplex()) {
      combineComplex(operator, kind, target, targetAt, left, leftAt, right, rightAt, bytes);
      return;
    }
    combineNumbers(operator, kind, target, targetAt, left, leftAt, right, rightAt, bytes);
  }

  /** The sum of complex numbers is that of their parts. */
  private void combineComplex(
      Operator op, ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, long bytes) {
    switch (op) {
      case SUM -> combineNumbers(op, kind.part(), target, targetAt, left, leftAt, right, rightAt, bytes);
      case PROD -> ComplexProducts.combine(kind, target, targetAt, left, leftAt, right, rightAt, bytes);
      default -> throw op.noMeaning(kind);
    }
  }

  private void combineNumbers(
      Operator operator, ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, long bytes) {
    if (bytes <= (long) FEW * kind.bytes()) {
      Elements.combine(operator, kind, target, targetAt, left, leftAt, right, rightAt, (int) bytes);
      return;
    }
    for (long done = 0; done < bytes; done += CHUNK) {
      int length = (int) Math.min(CHUNK, bytes - done);
      loops.combine(operator, kind, target, targetAt + done, left, leftAt + done, right, rightAt + done, length);
    }
  }

  private static void combineSpecial(
      Operator op, ElementKind kind, MemorySegment target, long targetAt, MemorySegment left, long leftAt,
      MemorySegment right, long rightAt, long bytes) {
    switch (op) {
      case MINLOC, MAXLOC -> Pairs.combine(
          op == Operator.MINLOC, kind, target, targetAt, left, leftAt, right, rightAt, bytes);
      case REPLACE -> MemorySegment.copy(right, rightAt, target, targetAt, bytes);
      default -> MemorySegment.copy(left, leftAt, target, targetAt, bytes);
    }
  }
}
