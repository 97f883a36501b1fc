package io.adrastea;

import io.adrastea.coll.Combine;
import io.adrastea.coll.Operator;
import io.adrastea.comm.Placement;
import io.adrastea.comm.OperatorMap;
import io.adrastea.comm.TypeMap;
import io.adrastea.datatype.Element;
import io.adrastea.engine.collective.Combination;
import io.adrastea.engine.collective.Folding;
import io.adrastea.error.ArgumentException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * An operator that combines two elements to one: what a reduction such as {@code allreduce} computes with. There are
 * predefined ones, and those that a program makes of its own functions.
 *
 * <p>
 * Elements of all ranks are combined in the order of the ranks, {@code (((x0 op x1) op x2) op x3)}, whatever way they
 * travel. So results are equal bit for bit on all ranks and from run to run, also where rounding makes the order of a
 * sum matter. Integers wrap around, as in Java. Minimum and maximum of floating-point numbers are {@link Math#min} and
 * {@link Math#max}. A result that is not a number is always the NaN of {@link Double#NaN}, bit for bit.
 *
 * <p>
 * A predefined operator has a meaning for some types of elements: sums and products for numbers, complex ones
 * ({@link Datatype#DOUBLE_COMPLEX}) among them, least and greatest values for those that are not complex, logical
 * operators for integers and booleans, bitwise ones for integers and for bytes without a type, the place of the least
 * value for pairs. Data of a derived {@link Datatype} is combined element by element, when all of its basic types are
 * one.
 */
public final class Op {
  /** The sum of numbers, also of complex ones; a char is a number of 16 bits without a sign. */
  public static final Op SUM = new Op(Operator.SUM);
  /**
   * The product of numbers. The product of complex numbers is the one of C (annex G.5.1 of its standard), and is
   * computed of {@link Datatype#FLOAT_COMPLEX} and {@link Datatype#DOUBLE_COMPLEX} alone: of another datatype of two
   * floats, {@code Datatype.contiguous(2, Datatype.FLOAT)}, each is multiplied with the same one of the other element.
   */
  public static final Op PROD = new Op(Operator.PROD);
  /** The least number. */
  public static final Op MIN = new Op(Operator.MIN);
  /** The greatest number. */
  public static final Op MAX = new Op(Operator.MAX);
  /** Logical and: of booleans, and of integers, where all but 0 are true; the result is 0 or 1. */
  public static final Op LAND = new Op(Operator.LAND);
  /** Logical or, like {@link #LAND}. */
  public static final Op LOR = new Op(Operator.LOR);
  /** Logical exclusive or, like {@link #LAND}. */
  public static final Op LXOR = new Op(Operator.LXOR);
  /** Bitwise and: of integers, and of bytes without a type. */
  public static final Op BAND = new Op(Operator.BAND);
  /** Bitwise or, like {@link #BAND}. */
  public static final Op BOR = new Op(Operator.BOR);
  /** Bitwise exclusive or, like {@link #BAND}. */
  public static final Op BXOR = new Op(Operator.BXOR);
  /**
   * The least value and where it is: of pairs of a value and an index, {@link Datatype#DOUBLE_INT} and the like. Where
   * several have the least value, the result has the lowest of their indexes. The order is that of {@link #MIN}: a
   * value that is not a number is the least, the result then has the NaN of {@link Double#NaN} and the lowest index of
   * one.
   */
  public static final Op MINLOC = new Op(Operator.MINLOC);
  /** The greatest value and where it is, like {@link #MINLOC}; a value that is not a number is the greatest. */
  public static final Op MAXLOC = new Op(Operator.MAXLOC);
  /** The element of the highest rank, of any type. */
  public static final Op REPLACE = new Op(Operator.REPLACE);
  /** The element that is there already. It is for operations on memory of another rank; reductions refuse it. */
  public static final Op NO_OP = new Op(Operator.NO_OP);

  private static final int PIECE = 1 << 16; // bytes of operands that are copied at a time

  /** The arithmetic of {@link #apply}: each thread's, since it computes in arrays of its own. */
  private static final ThreadLocal<Combine> COMBINES = ThreadLocal.withInitial(Combine::new);

  private static final List<Element> FLOATING = List.of(Element.FLOAT, Element.DOUBLE);
  private static final List<Element> INTEGERS =
      List.of(Element.BYTE, Element.SHORT, Element.CHAR, Element.INT, Element.LONG);

  private final OperatorMap map;

  /** A function on elements in memory. */
  @FunctionalInterface
  public interface Combiner {
    /**
     * Combines each element of one memory with the same one of another: {@code left[i] = left[i] op right[i]}. The left
     * elements are of lower ranks. Neither memory may be used after the call. Of {@link Op#ofInOut} the results are on
     * the right.
     *
     * @param left contiguous elements, which become the results; of {@link Op#ofInOut} they are only read
     * @param right contiguous elements, which are only read; of {@link Op#ofInOut} they become the results
     * @param count elements in either
     * @param type what they are; {@link Datatype#BYTE} for bytes without a type. A derived datatype is that of the
     * packed form: its elements take {@link Datatype#size} bytes each
     */
    void combine(MemorySegment left, MemorySegment right, long count, Datatype type);
  }

  private Op(Operator predefined) {
    this.map = new OperatorMap(predefined);
  }

  private Op(String name, OperatorMap.Kernel kernel, List<Element> elements, boolean commutative) {
    this.map = new OperatorMap(name, kernel, elements, commutative);
  }

  /**
   * An operator on doubles and on floats, which are computed as doubles and rounded. Complex numbers are refused:
   * {@link #of} makes an operator on them.
   *
   * @param function of an element of the lower ranks and one of a higher rank
   * @param commutative whether the function may be called with its arguments exchanged, and means the same
   * @return the operator
   * @throws NullPointerException when the function is null
   */
  public static Op ofDoubles(DoubleBinaryOperator function, boolean commutative) {
    Objects.requireNonNull(function, "the function is null");
    return new Op("Op.ofDoubles",
        (type, left, leftAt, right, rightAt, bytes) -> combineDoubles(function, left, leftAt, right, rightAt, bytes,
            type.element()),
        FLOATING, commutative);
  }

  /**
   * An operator on integers: bytes, shorts, chars, ints and longs. Results are cut to the bits of the type.
   *
   * @param function of an element of the lower ranks and one of a higher rank
   * @param commutative whether the function may be called with its arguments exchanged, and means the same
   * @return the operator
   * @throws NullPointerException when the function is null
   */
  public static Op ofLongs(LongBinaryOperator function, boolean commutative) {
    Objects.requireNonNull(function, "the function is null");
    return new Op("Op.ofLongs",
        (type, left, leftAt, right, rightAt, bytes) -> combineLongs(function, left, leftAt, right, rightAt, bytes,
            type.element()),
        INTEGERS, commutative);
  }

  /**
   * An operator on elements of any datatype. It has to be associative.
   *
   * @param combiner combines many elements at a time, in memory
   * @param commutative whether elements may be exchanged
   * @return the operator
   * @throws NullPointerException when the combiner is null
   */
  public static Op of(Combiner combiner, boolean commutative) {
    Objects.requireNonNull(combiner, "the combiner is null");
    return new Op("Op.of",
        (type, left, leftAt, right, rightAt, bytes) -> combiner.combine(
            left.asSlice(leftAt, bytes), right.asSlice(rightAt, bytes).asReadOnly(),
            elements(type, bytes), Datatype.of(type)),
        null, commutative);
  }

  /**
   * An operator like one of {@link #of}, of a combiner that leaves the results in the right memory, as the functions of
   * MPI and its bindings do: {@code right[i] = left[i] op right[i]}. Its left memory is only read. What it writes is a
   * copy, which costs as much as the elements are long; {@link #of} needs none.
   *
   * @param combiner combines many elements at a time, and writes the right ones
   * @param commutative whether elements may be exchanged
   * @return the operator
   * @throws NullPointerException when the combiner is null
   */
  public static Op ofInOut(Combiner combiner, boolean commutative) {
    Objects.requireNonNull(combiner, "the combiner is null");
    return new Op("Op.ofInOut",
        (type, left, leftAt, right, rightAt, bytes) -> combineInOut(combiner, type, left, leftAt, right, rightAt,
            bytes),
        null, commutative);
  }

  /**
   * Whether {@code a op b} is {@code b op a}. Elements are combined in the order of the ranks either way.
   *
   * @return true for each predefined operator but {@link #REPLACE} and {@link #NO_OP}
   */
  public boolean isCommutative() {
    return map.isCommutative();
  }

  /** The inside of an operator, for what stands below; null of null, which the call below refuses. */
  static OperatorMap map(Op op) {
    return op == null ? null : op.map;
  }

  /**
   * Combines elements of this rank alone, without any other rank: {@code inOut[i] = in[i] op inOut[i]}. Types are
   * refused as in a reduction, and the results are the bits that a reduction of two ranks gives, of which the first has
   * {@code in}.
   *
   * @param in the left operand: elements in memory, in an array or of any datatype
   * @param inOut the right operand, which becomes the result; it is the same memory as the other, or lies apart
   * @throws NullPointerException when either is null
   * @throws IllegalArgumentException when this operator has no meaning for the elements, the two have not as many of
   * the same basic type, the results cannot be written, have a byte twice, or either is {@link Data#IN_PLACE} or parts
   * @throws IllegalStateException when an arena is closed
   * @throws WrongThreadException when memory is confined to another thread
   */
  public void apply(Data in, Data inOut) {
    OperatorMap.require(map);
    Placement from = Data.requireNonNull(in).placement();
    from.requireUsable(false);
    Placement to = Data.requireNonNull(inOut).placement();
    to.requireReceivable(false);
    Combination combination = map.on(to.type());
    map.requireAlike("apply", from, to, 1);
    long bytes = in.bytes();
    MemorySegment left = from.isScattered() ? packed(from) : in.memory();
    MemorySegment right = to.isScattered() ? packed(to) : inOut.memory();
    long leftAt = from.isScattered() ? 0 : in.offset();
    long rightAt = to.isScattered() ? 0 : inOut.offset();
    if (map.isOfUser()) {
      applyOwn(combination.folding(), combination.unit(), left, leftAt, right, rightAt, bytes);
    } else {
      COMBINES.get().combine(map.number(), combination.element(), right, rightAt, left, leftAt, right, rightAt,
          bytes);
    }
    if (to.isScattered()) {
      to.copyFrom(Datatype.spaces(), right, 0, bytes);
    }
  }

  private static MemorySegment packed(Placement data) {
    MemorySegment copy = scratch(data.bytes());
    data.copyTo(Datatype.spaces(), copy, 0);
    return copy;
  }

  /** Heap memory in which each basic type is aligned. */
  private static MemorySegment scratch(long bytes) {
    return MemorySegment.ofArray(new long[Math.toIntExact(Math.ceilDiv(bytes, Long.BYTES))]).asSlice(0, bytes);
  }

  /** Whole elements of some bytes each that are copied at a time, in bytes. */
  private static long piece(long unit) {
    return Math.max(1, PIECE / unit) * unit;
  }

  /** The results of a folding lie on the left: so each piece of these is copied, and its results go to the right. */
  private static void applyOwn(
      Folding folding, long unit, MemorySegment left, long leftAt, MemorySegment right, long rightAt, long bytes) {
    long piece = piece(unit);
    MemorySegment results = scratch(Math.min(piece, bytes));
    for (long done = 0; done < bytes; done += piece) {
      long some = Math.min(piece, bytes - done);
      MemorySegment.copy(left, leftAt + done, results, 0, some);
      folding.fold(results, 0, right, rightAt + done, some);
      MemorySegment.copy(results, 0, right, rightAt + done, some);
    }
  }

  /** Counts the elements of a type that some bytes are; null: bytes without one. */
  private static long elements(TypeMap type, long bytes) {
    return type == null ? bytes : type.size() == 0 ? 0 : bytes / type.size();
  }

  /** Calls a combiner whose results lie on the right, of which it gets a copy: the right operand may be of a peer. */
  private static void combineInOut(
      Combiner combiner, TypeMap type, MemorySegment left, long leftAt, MemorySegment right, long rightAt,
      long bytes) {
    long unit = type == null ? 1 : Math.max(1, type.size());
    long piece = piece(unit);
    for (long done = 0; done < bytes; done += piece) {
      long some = Math.min(piece, bytes - done);
      MemorySegment results = scratch(some);
      MemorySegment.copy(right, rightAt + done, results, 0, some);
      combiner.combine(left.asSlice(leftAt + done, some).asReadOnly(), results, some / unit, Datatype.of(type));
      MemorySegment.copy(results, 0, left, leftAt + done, some);
    }
  }

  private static void combineDoubles(
      DoubleBinaryOperator function, MemorySegment left, long leftAt, MemorySegment right, long rightAt, long bytes,
      Element element) {
    if (element == Element.FLOAT) {
      ValueLayout.OfFloat layout = ValueLayout.JAVA_FLOAT_UNALIGNED;
      for (long at = 0; at < bytes; at += Float.BYTES) {
        double result = function.applyAsDouble(left.get(layout, leftAt + at), right.get(layout, rightAt + at));
        left.set(layout, leftAt + at, (float) result);
      }
    } else {
      ValueLayout.OfDouble layout = ValueLayout.JAVA_DOUBLE_UNALIGNED;
      for (long at = 0; at < bytes; at += Double.BYTES) {
        double result = function.applyAsDouble(left.get(layout, leftAt + at), right.get(layout, rightAt + at));
        left.set(layout, leftAt + at, result);
      }
    }
  }

  private static void combineLongs(
      LongBinaryOperator function, MemorySegment left, long leftAt, MemorySegment right, long rightAt, long bytes,
      Element element) {
    int size = element.bytes();
    for (long at = 0; at < bytes; at += size) {
      long result = function.applyAsLong(load(left, leftAt + at, element), load(right, rightAt + at, element));
      switch (size) {
        case Byte.BYTES -> left.set(ValueLayout.JAVA_BYTE, leftAt + at, (byte) result);
        case Short.BYTES -> left.set(ValueLayout.JAVA_SHORT_UNALIGNED, leftAt + at, (short) result);
        case Integer.BYTES -> left.set(ValueLayout.JAVA_INT_UNALIGNED, leftAt + at, (int) result);
        default -> left.set(ValueLayout.JAVA_LONG_UNALIGNED, leftAt + at, result);
      }
    }
  }

  private static long load(MemorySegment memory, long at, Element element) {
    return switch (element) {
      case BYTE -> memory.get(ValueLayout.JAVA_BYTE, at);
      case SHORT -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
      case CHAR -> memory.get(ValueLayout.JAVA_CHAR_UNALIGNED, at);
      case INT -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    };
  }

  /** The name of a predefined operator, or how one of the program's own was made. */
  @Override
  public String toString() {
    return map.toString();
  }
}
