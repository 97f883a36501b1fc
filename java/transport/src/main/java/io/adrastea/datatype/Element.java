package io.adrastea.datatype;

/** A basic type: what Java calls primitive. A name in C is {@code MPI_} and the name of the constant, or near it. */
public enum Element {
  BYTE(1), BOOLEAN(1), SHORT(2), CHAR(2), INT(4), LONG(8), FLOAT(4), DOUBLE(8);

  private static final Element[] ALL = values();

  private final int bytes;

  Element(int bytes) {
    this.bytes = bytes;
  }

  /** Stands for it in a set. */
  public int bit() {
    return 1 << ordinal();
  }

  /** The element of a set that has one alone. */
  static Element of(int bit) {
    return ALL[Integer.numberOfTrailingZeros(bit)];
  }

  public int bytes() {
    return bytes;
  }
}
