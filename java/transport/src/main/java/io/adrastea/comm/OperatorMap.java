package io.adrastea.comm;

import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.core.SlotMember;
import io.adrastea.datatype.Element;
import io.adrastea.engine.collective.Combination;
import io.adrastea.engine.collective.Folding;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.ArgumentException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The inside of an {@code Op}: which elements it has a meaning for, and what the engine combines them with. Any thread
 * may use it.
 */
public final class OperatorMap {
  private static final int KEPT = 8; // datatypes of those that one operator combines in turn

  private final String name;
  private final int number;
  private final Operator predefined; // null: the program's own
  private final Kernel kernel; // null: predefined
  private final List<Element> elements; // that the program's own operator combines; null: any
  private final boolean commutative;
  private final Combination[] known; // by the number of the kind of elements; null: the program's own
  private final Combination ofNone; // of a rank that has no elements
  private final Applied[] latest = new Applied[KEPT]; // to datatypes; null: a free place. Threads may each make theirs
  private int turn; // its place, modulo their number, is taken next

  /** {@code left[i] = left[i] op right[i]} where the elements lie, so that no slices are made of them. */
  @FunctionalInterface
  public interface Kernel {
    /** Combines whole elements of a type; null: bytes without one. */
    void combine(TypeMap type, MemorySegment left, long leftAt, MemorySegment right, long rightAt, long bytes);
  }

  /** Makes the inside of a predefined operator. */
  public OperatorMap(Operator predefined) {
    this.name = predefined.name();
    this.number = predefined.number();
    this.predefined = predefined;
    this.kernel = null;
    this.elements = null;
    this.commutative = predefined != Operator.REPLACE && predefined != Operator.NO_OP;
    this.known = new Combination[ElementKind.values().length + 1];
    this.ofNone = new Combination(number, 0, 0, null);
  }

  /**
   * Makes the inside of an operator of the program.
   *
   * @param elements that it combines; null: any
   */
  public OperatorMap(String name, Kernel kernel, List<Element> elements, boolean commutative) {
    this.name = name;
    this.number = Operator.OF_USER;
    this.predefined = null;
    this.kernel = kernel;
    this.elements = elements;
    this.commutative = commutative;
    this.known = null;
    this.ofNone = new Combination(number, 0, 0, null);
  }

  /** Whether elements may be exchanged. */
  public boolean isCommutative() {
    return commutative;
  }

  /** The operand that leaves each integer as it is; {@code otherwise} where none is known. */
  long neutral(long otherwise) {
    return switch (predefined) {
      case SUM, LOR, LXOR, BOR, BXOR -> 0;
      case PROD, LAND -> 1;
      case BAND -> -1;
      case MIN -> Long.MAX_VALUE;
      case MAX -> Long.MIN_VALUE;
      case null, default -> otherwise;
    };
  }

  /** The operand that leaves each floating-point number as it is; {@code otherwise} where none is known. */
  double neutral(double otherwise) {
    return switch (predefined) {
      case SUM -> 0;
      case PROD -> 1;
      case MIN -> Double.POSITIVE_INFINITY;
      case MAX -> Double.NEGATIVE_INFINITY;
      case null, default -> otherwise;
    };
  }

  /** Refuses an operator that no reduction takes. */
  public static OperatorMap require(OperatorMap map) {
    if (Objects.requireNonNull(map, "the operator is null").predefined == Operator.NO_OP) {
      throw new ArgumentException(Reason.OP,
          "NO_OP combines nothing, and no reduction takes it; take REPLACE for the elements of the highest rank, or an "
              + "operator that combines");
    }
    return map;
  }

  /** Refuses an input that has other elements than the output, or not so many times as many of them. */
  public void requireAlike(String call, Placement in, Placement out, int times) {
    if (in.bytes() != out.bytes() * times || elementOf(in.type()) != elementOf(out.type())) {
      throw new ArgumentException(
          in.bytes() != out.bytes() * times ? Reason.COUNT : Reason.TYPE,
          times == 1
              ? "%s of %s into %s; both are to have the same number of elements of the same basic type"
                  .formatted(call, in, out)
              : "%s of %s into %s; the input is to have %d times as many elements, of the same basic type"
                  .formatted(call, in, out, times));
    }
  }

  /** What stands for it in shared memory. */
  public int number() {
    return number;
  }

  /** What it is; null: the program's own. */
  public Operator predefined() {
    return predefined;
  }

  /** Whether it is the program's own, so that {@link #folding} is to be called for it. */
  public boolean isOfUser() {
    return kernel != null;
  }

  /**
   * This operator on elements of a datatype, for the engine. It is kept for those that came lately.
   *
   * @param type of the elements; null: bytes without one
   * @throws IllegalArgumentException when it has no meaning for these, or the elements are too long
   */
  public Combination on(TypeMap type) {
    int element = elementOf(type);
    if (kernel != null) {
      return folding(type).combination(number, element);
    }
    Combination found = known[element];
    if (found == null) {
      found = new Combination(number, element, 0, null);
      known[element] = found; // several threads may come here: each one's is as good as the other
    }
    return found;
  }

  /** This operator at a rank that has no elements. */
  Combination onNone() {
    return ofNone;
  }

  /**
   * The number that stands in shared memory for the elements of data, which this operator has a meaning for.
   *
   * @param type of the data; null: bytes without one
   * @throws IllegalArgumentException when it has none, which names both
   */
  public int elementOf(TypeMap type) {
    ElementKind kind = kindOf(type);
    boolean known = predefined == null ? takes(type) : kind != null && predefined.combines(kind);
    if (!known) {
      throw noMeaning(type, kind);
    }
    return kind == null ? ElementKind.BYTES.number() : kind.number();
  }

  /** What this operator takes the elements for; null: nothing that a predefined one knows. */
  private ElementKind kindOf(TypeMap type) {
    if (type == null) {
      return ElementKind.BYTES;
    }
    if (predefined == Operator.MINLOC || predefined == Operator.MAXLOC) {
      ElementKind pair = type.pair();
      return pair == null ? type.kind() : pair;
    }
    ElementKind kind = type.kind();
    return kind == null && predefined == Operator.REPLACE ? ElementKind.BYTES : kind;
  }

  private boolean takes(TypeMap type) {
    return elements == null || type != null && type.kind() != null && !type.kind().isComplex()
        && elements.contains(type.element());
  }

  private IllegalArgumentException noMeaning(TypeMap type, ElementKind kind) {
    String allowed =
        elements != null ? elements.stream().map(Element::name).collect(Collectors.joining(", "))
            : predefined.elements().stream().filter(ElementKind::isOfJava).map(ElementKind::toString)
                .collect(Collectors.joining(", "));
    if (type == null) {
      return new ArgumentException(Reason.OP,
          ("%s has no meaning for bytes without a type, it combines elements of %s; say what the bytes are by a "
              + "Datatype, such as Data.of(memory, offset, count, Datatype.DOUBLE)").formatted(name, allowed));
    }
    if (predefined == Operator.MINLOC || predefined == Operator.MAXLOC) {
      return new ArgumentException(Reason.OP,
          "%s has no meaning for elements of %s; it combines pairs of a value and an index, which are of %s".formatted(
              name, type.label(), allowed));
    }
    if (type.kind() == null) {
      return new ArgumentException(Reason.OP,
          ("%s combines elements of one basic type in the byte order of this CPU, and %s has none or others; use "
              + "data of such a type, or an operator of your own, Op.of").formatted(name, type.label()));
    }
    String found = type.kind().isComplex() ? type.kind().name() : type.element().name();
    return new ArgumentException(Reason.OP,
        "%s has no meaning for elements of %s%s; it combines elements of %s".formatted(
            name, found, type.label().equals(found) ? "" : ", which %s has".formatted(type.label()), allowed));
  }

  /**
   * The program's own function on elements of a datatype, for the engine; null: it is predefined. It is kept for the
   * datatypes that came lately.
   *
   * @param type of the elements; null: bytes without one
   */
  public Applied folding(TypeMap type) {
    if (kernel == null) {
      return null;
    }
    for (Applied applied : latest) {
      if (applied != null && applied.type == type) {
        return applied;
      }
    }
    Applied applied = new Applied(type);
    latest[turn++ & KEPT - 1] = applied;
    return applied;
  }

  /** The program's own function on elements of one datatype. */
  public final class Applied implements Folding {
    private final TypeMap type; // null: bytes without one
    private Combination combination; // null: no collective has asked for it yet

    private Applied(TypeMap type) {
      this.type = type;
    }

    @Override
    public void fold(MemorySegment target, long targetAt, MemorySegment source, long sourceAt, long bytes) {
      kernel.combine(type, target, targetAt, source, sourceAt, bytes);
    }

    private Combination combination(int op, int element) {
      Combination found = combination;
      if (found == null) {
        found = new Combination(op, element, elementBytes(), this);
        combination = found; // several threads may come here: each one's is as good as the other
      }
      return found;
    }

    private int elementBytes() {
      long bytes = type == null ? 1 : Math.max(1, type.size());
      if (bytes > SlotMember.MOST_ELEMENT_BYTES) {
        throw new ArgumentException(Reason.TYPE,
            "%s on elements of %d bytes (%s); allowed are at most %d bytes: take a datatype of smaller elements"
                .formatted(OperatorMap.this, bytes, type.label(), SlotMember.MOST_ELEMENT_BYTES));
      }
      return (int) bytes;
    }
  }

  /** The name of a predefined operator, or how one of the program's own was made. */
  @Override
  public String toString() {
    return predefined != null ? name : "%s(%s)".formatted(name, commutative ? "commutative" : "not commutative");
  }
}
