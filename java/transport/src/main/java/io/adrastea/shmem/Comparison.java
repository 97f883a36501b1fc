package io.adrastea.shmem;

/** How a word of symmetric memory is to compare with a value, for a PE that waits for it. */
public enum Comparison {
  /** It is equal. */
  EQ("equal to"),

  /** It is another one. */
  NE("other than"),

  /** It is greater. */
  GT("greater than"),

  /** It is greater or equal. */
  GE("at least"),

  /** It is less. */
  LT("less than"),

  /** It is less or equal. */
  LE("at most");

  private final String words;

  Comparison(String words) {
    this.words = words;
  }

  /** Whether a word compares so with a value. */
  boolean holds(long word, long value) {
    return switch (this) {
      case EQ -> word == value;
      case NE -> word != value;
      case GT -> word > value;
      case GE -> word >= value;
      case LT -> word < value;
      case LE -> word <= value;
    };
  }

  /** "greater than". */
  String words() {
    return words;
  }
}
