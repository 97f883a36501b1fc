package io.adrastea.coll;

import io.adrastea.datatype.Element;
import java.util.EnumSet;
import java.util.Set;

/**
 * The kinds of elements that operators combine. The numbers stand in shared memory; twin of {@code enum adr_element} in
 * {@code adrastea/operator.h}. Java computes with its own types and with complex numbers: {@link Combine} refuses the
 * others by name.
 */
public enum ElementKind {
  /** No kind: bytes that only bitwise operators combine. */
  BYTES(1, "bytes", true),
  /** {@code byte}. */
  INT8(1, "byte", true),
  /** {@code short}. */
  INT16(2, "short", true),
  /** {@code int}. */
  INT32(4, "int", true),
  /** {@code long}. */
  INT64(8, "long", true),
  /** C's {@code uint8_t}. */
  UINT8(1, "uint8_t", false),
  /** {@code char}. */
  UINT16(2, "char", true),
  /** C's {@code uint32_t}. */
  UINT32(4, "uint32_t", false),
  /** C's {@code uint64_t}. */
  UINT64(8, "uint64_t", false),
  /** {@code float}. */
  FLOAT(4, "float", true),
  /** {@code double}. */
  DOUBLE(8, "double", true),
  /** C's {@code long double}. */
  LONG_DOUBLE(16, "long double", false),
  /** C's {@code float complex}: two floats, the real part first. */
  FLOAT_COMPLEX(8, "FLOAT_COMPLEX", true),
  /** C's {@code double complex}: two doubles, the real part first. */
  DOUBLE_COMPLEX(16, "DOUBLE_COMPLEX", true),
  /** {@code boolean}: false is 0; results are 0 or 1. */
  BOOL(1, "boolean", true),
  /** A short and an int behind it, packed, as the pairs that follow. */
  SHORT_INT(6, "SHORT_INT", true),
  /** Two ints: a value and an index. */
  INT_INT(8, "INT_INT", true),
  /** A long and an int. */
  LONG_INT(12, "LONG_INT", true),
  /** A float and an int. */
  FLOAT_INT(8, "FLOAT_INT", true),
  /** A double and an int. */
  DOUBLE_INT(12, "DOUBLE_INT", true);

  private static final ElementKind[] ALL = values();

  static final Set<ElementKind> INTEGERS =
      EnumSet.of(INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64);
  static final Set<ElementKind> FLOATING = EnumSet.of(FLOAT, DOUBLE, LONG_DOUBLE);
  static final Set<ElementKind> COMPLEX = EnumSet.of(FLOAT_COMPLEX, DOUBLE_COMPLEX);
  static final Set<ElementKind> PAIRS = EnumSet.of(SHORT_INT, INT_INT, LONG_INT, FLOAT_INT, DOUBLE_INT);

  private final int bytes;
  private final String label;
  private final boolean ofJava;

  ElementKind(int bytes, String label, boolean ofJava) {
    this.bytes = bytes;
    this.label = label;
    this.ofJava = ofJava;
  }

  /** Its number in shared memory. */
  public int number() {
    return ordinal();
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** Whether Java computes with it. */
  public boolean isOfJava() {
    return ofJava;
  }

  /** Whether its elements are complex numbers. */
  public boolean isComplex() {
    return this == FLOAT_COMPLEX || this == DOUBLE_COMPLEX;
  }

  /** The kind of the real and of the imaginary part of complex numbers; that of others is itself. */
  ElementKind part() {
    return switch (this) {
      case FLOAT_COMPLEX -> FLOAT;
      case DOUBLE_COMPLEX -> DOUBLE;
      default -> this;
    };
  }

  /** The kind of a basic type. */
  public static ElementKind of(Element element) {
    return switch (element) {
      case BYTE -> INT8;
      case BOOLEAN -> BOOL;
      case SHORT -> INT16;
      case CHAR -> UINT16;
      case INT -> INT32;
      case LONG -> INT64;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
    };
  }

  /** The kind with this number in shared memory; null: there is no such kind. */
  public static ElementKind of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }

  /** The name of the type in Java, or in C where Java has none. */
  @Override
  public String toString() {
    return label;
  }
}
