package io.adrastea.rma;

import io.adrastea.Datatype;
import io.adrastea.Op;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * The elements of the sequential model of a window: each is one small whole number, or two. So floating-point numbers
 * and complex ones are exact, in whatever order they are combined.
 */
enum ModelElement {
  DOUBLE(Datatype.DOUBLE, 8, -1, true), LONG(Datatype.LONG, 8, -1, true), INT(Datatype.INT, 4, -1, true), FLOAT(
      Datatype.FLOAT, 4, -1, true), SHORT(Datatype.SHORT, 2, -1, true), CHAR(Datatype.CHAR, 2, -1, true), DOUBLE_INT(
          Datatype.DOUBLE_INT, 16, 8, false), LONG_INT(Datatype.LONG_INT, 16, 8, false), FLOAT_INT(Datatype.FLOAT_INT,
              8, 4, false), INT_INT(Datatype.INT_INT, 8, 4, false), SHORT_INT(Datatype.SHORT_INT, 8, 4,
                  false), FLOAT_COMPLEX(Datatype.FLOAT_COMPLEX, 8, 4, false), DOUBLE_COMPLEX(Datatype.DOUBLE_COMPLEX,
                      16, 8, false), BOOLEAN(Datatype.BOOLEAN, 1, -1, true), BYTE(Datatype.BYTE, 1, -1, true);

  private static final ValueLayout.OfShort SHORTS = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfChar CHARS = ValueLayout.JAVA_CHAR_UNALIGNED;
  private static final ValueLayout.OfInt INTS = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONGS = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfFloat FLOATS = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLES = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  final Datatype type;
  final int extent;
  private final int second; // where the second number lies; below zero: there is none
  final boolean isBasic;

  ModelElement(Datatype type, int extent, int second, boolean isBasic) {
    this.type = type;
    this.extent = extent;
    this.second = second;
    this.isBasic = isBasic;
  }

  boolean isComplex() {
    return this == FLOAT_COMPLEX || this == DOUBLE_COMPLEX;
  }

  private boolean isPair() {
    return second >= 0 && !isComplex();
  }

  boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** The operators that combine elements to the same, in whatever order they come. */
  List<Op> commutative() {
    if (isPair()) {
      return List.of(Op.MINLOC, Op.MAXLOC);
    }
    if (isComplex()) {
      return List.of(Op.SUM);
    }
    if (isFloating()) {
      return List.of(Op.SUM, Op.MIN, Op.MAX);
    }
    return this == BOOLEAN ? List.of(Op.LAND, Op.LOR, Op.LXOR)
        : List.of(Op.SUM, Op.PROD, Op.MIN, Op.MAX, Op.LAND, Op.LOR, Op.LXOR);
  }

  /** All operators that have a meaning for the elements, and keep them small. */
  List<Op> operators() {
    if (isPair()) {
      return List.of(Op.MINLOC, Op.MAXLOC, Op.REPLACE, Op.NO_OP);
    }
    if (isComplex()) {
      return List.of(Op.SUM, Op.PROD, Op.REPLACE, Op.NO_OP);
    }
    if (isFloating()) {
      return List.of(Op.SUM, Op.PROD, Op.MIN, Op.MAX, Op.REPLACE, Op.NO_OP);
    }
    return this == BOOLEAN ? List.of(Op.LAND, Op.LOR, Op.LXOR, Op.REPLACE, Op.NO_OP)
        : this == CHAR ? List.of(Op.SUM, Op.PROD, Op.MIN, Op.MAX, Op.BAND, Op.BOR, Op.BXOR, Op.LAND, Op.REPLACE,
            Op.NO_OP)
            : List.of(Op.SUM, Op.PROD, Op.MIN, Op.MAX, Op.LAND, Op.LOR, Op.LXOR, Op.BAND, Op.BOR, Op.BXOR, Op.REPLACE,
                Op.NO_OP);
  }

  /** An operand, made of a drawn number; {@code number} is one or the other of its two. */
  long operand(Op op, int drawn, int number) {
    if (this == BOOLEAN) {
      return drawn & 1;
    }
    if (second < 0 && !isFloating()) {
      return narrowed(drawn % 100);
    }
    if (op == Op.PROD) {
      return (drawn & 2) - 1;
    }
    return isPair() && number == 1 ? Math.abs(drawn % 10) : drawn % 20;
  }

  private long narrowed(long value) {
    return switch (this) {
      case BYTE -> (byte) value;
      case SHORT -> (short) value;
      case CHAR -> (char) value;
      case INT -> (int) value;
      default -> value;
    };
  }

  void write(MemorySegment memory, long at, long first, long other) {
    switch (this) {
      case BYTE, BOOLEAN -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) first);
      case SHORT, SHORT_INT -> memory.set(SHORTS, at, (short) first);
      case CHAR -> memory.set(CHARS, at, (char) first);
      case INT, INT_INT -> memory.set(INTS, at, (int) first);
      case LONG, LONG_INT -> memory.set(LONGS, at, first);
      case FLOAT, FLOAT_INT, FLOAT_COMPLEX -> memory.set(FLOATS, at, first);
      default -> memory.set(DOUBLES, at, first);
    }
    if (this == FLOAT_COMPLEX) {
      memory.set(FLOATS, at + second, other);
    } else if (this == DOUBLE_COMPLEX) {
      memory.set(DOUBLES, at + second, other);
    } else if (second >= 0) {
      memory.set(INTS, at + second, (int) other);
    }
  }

  /** The first number; the model has whole ones alone, of floating-point elements too. */
  long first(MemorySegment memory, long at) {
    return switch (this) {
      case BYTE, BOOLEAN -> memory.get(ValueLayout.JAVA_BYTE, at);
      case SHORT, SHORT_INT -> memory.get(SHORTS, at);
      case CHAR -> memory.get(CHARS, at);
      case INT, INT_INT -> memory.get(INTS, at);
      case LONG, LONG_INT -> memory.get(LONGS, at);
      case FLOAT, FLOAT_INT, FLOAT_COMPLEX -> whole(memory.get(FLOATS, at));
      default -> whole(memory.get(DOUBLES, at));
    };
  }

  long other(MemorySegment memory, long at) {
    return switch (this) {
      case FLOAT_COMPLEX -> whole(memory.get(FLOATS, at + second));
      case DOUBLE_COMPLEX -> whole(memory.get(DOUBLES, at + second));
      default -> second < 0 ? 0 : memory.get(INTS, at + second);
    };
  }

  private static long whole(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1L << 40 ? (long) number : Long.MIN_VALUE;
  }

  /** What an element becomes: its first and its second number. */
  long[] combined(Op op, long[] was, long... operand) {
    long a = was[0];
    long b = operand[0];
    if (op == Op.NO_OP) {
      return was.clone();
    }
    if (op == Op.REPLACE) {
      return operand.clone();
    }
    if (op == Op.MINLOC || op == Op.MAXLOC) {
      boolean takes = a == b ? operand[1] < was[1] : op == Op.MINLOC == b < a;
      return takes ? operand.clone() : was.clone();
    }
    if (isComplex()) {
      return op == Op.SUM ? new long[] {a + b, was[1] + operand[1]}
          : new long[] {a * b - was[1] * operand[1], a * operand[1] + was[1] * b};
    }
    return new long[] {narrowed(combined(op, a, b)), 0};
  }

  private static long combined(Op op, long a, long b) {
    if (op == Op.SUM) {
      return a + b;
    }
    if (op == Op.PROD) {
      return a * b;
    }
    if (op == Op.MIN || op == Op.MAX) {
      return op == Op.MIN ? Math.min(a, b) : Math.max(a, b);
    }
    if (op == Op.BAND || op == Op.LAND) {
      return op == Op.BAND ? a & b : a != 0 && b != 0 ? 1 : 0;
    }
    if (op == Op.BOR || op == Op.LOR) {
      return op == Op.BOR ? a | b : a != 0 || b != 0 ? 1 : 0;
    }
    return op == Op.BXOR ? a ^ b : (a != 0) != (b != 0) ? 1 : 0;
  }
}
