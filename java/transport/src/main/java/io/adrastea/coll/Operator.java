package io.adrastea.coll;

import static io.adrastea.coll.ElementKind.BOOL;
import static io.adrastea.coll.ElementKind.BYTES;
import static io.adrastea.coll.ElementKind.COMPLEX;
import static io.adrastea.coll.ElementKind.FLOATING;
import static io.adrastea.coll.ElementKind.INTEGERS;
import static io.adrastea.coll.ElementKind.PAIRS;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * A predefined operator on two elements. The numbers stand in shared memory; twin of {@code enum adr_operator} in
 * {@code adrastea/operator.h}, where it is said what each computes.
 */
public enum Operator {
  SUM(INTEGERS, FLOATING, COMPLEX), PROD(INTEGERS, FLOATING, COMPLEX), MIN(INTEGERS, FLOATING), MAX(INTEGERS,
      FLOATING), LAND(INTEGERS, EnumSet.of(BOOL)), LOR(INTEGERS, EnumSet.of(BOOL)), LXOR(INTEGERS,
          EnumSet.of(BOOL)), BAND(INTEGERS,
              EnumSet.of(BYTES)), BOR(INTEGERS, EnumSet.of(BYTES)), BXOR(INTEGERS,
                  EnumSet.of(BYTES)), MINLOC(PAIRS), MAXLOC(
                      PAIRS), REPLACE(EnumSet.allOf(ElementKind.class)), NO_OP(EnumSet.allOf(ElementKind.class));

  /** The number that stands for no operator. */
  public static final int NONE = 0;

  /** The number that stands for an operator of the program's own, which only its rank can run. */
  public static final int OF_USER = 255;

  /**
   * Stands in a line, with the low bits free, for one on elements that are not as long as their kind: these bits, and
   * the place of the kind, tell the length less 1.
   */
  static final int OF_USER_ELEMENTS = 192;

  private static final Operator[] ALL = values();

  private final Set<ElementKind> elements;
  private final int set; // of the same, bit by number

  @SafeVarargs
  Operator(Set<ElementKind>... elements) {
    EnumSet<ElementKind> all = EnumSet.noneOf(ElementKind.class);
    for (Set<ElementKind> some : elements) {
      all.addAll(some);
    }
    this.set = all.stream().mapToInt(kind -> 1 << kind.number()).sum();
    this.elements = Collections.unmodifiableSet(all);
  }

  /** Its number in shared memory. */
  public int number() {
    return ordinal() + 1;
  }

  /**
   * Bytes of an element of which a line tells what stands for its kind and for the operator.
   *
   * @return bytes; 0: neither an operator of the program's own nor a kind that is known
   */
  public static int elementBytes(int element, int op) {
    if (of(op) == null && op >= OF_USER_ELEMENTS && op < OF_USER) {
      return (op - OF_USER_ELEMENTS << Byte.SIZE | element) + 1;
    }
    ElementKind kind = ElementKind.of(element);
    return kind == null ? 0 : kind.bytes();
  }

  /** The kinds of elements that it has a meaning for. */
  public Set<ElementKind> elements() {
    return elements;
  }

  /** Whether it is one of those that compute with numbers and truth values, not with pairs or with nothing at all. */
  boolean isArithmetic() {
    return ordinal() <= BXOR.ordinal();
  }

  /** Whether it has a meaning for elements of that kind. */
  public boolean combines(ElementKind kind) {
    return (set >> kind.number() & 1) != 0;
  }

  /** What is thrown where it has no meaning for elements of that kind. */
  public IllegalArgumentException noMeaning(ElementKind kind) {
    return new ArgumentException(Reason.OP,
        "%s has no meaning for elements of type %s; it combines elements of %s".formatted(this, kind, elements));
  }

  /** What is thrown where only C has that kind. */
  IllegalArgumentException notOfJava(ElementKind kind) {
    return new ArgumentException(Reason.OP,
        "%s of elements of type %s: Java has no such type, only C ranks can combine them".formatted(this, kind));
  }

  /** The operator with this number in shared memory; null: there is no such operator. */
  public static Operator of(int number) {
    return number > NONE && number <= ALL.length ? ALL[number - 1] : null;
  }
}
