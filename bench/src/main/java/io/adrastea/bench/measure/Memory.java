package io.adrastea.bench.measure;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where the bytes of a message lie at both of its ends. */
public enum Memory {
  /** Off the heap, private to the rank: a native {@link java.lang.foreign.MemorySegment}. */
  NATIVE("native"),

  /** On the heap: a {@code double[]}, or a {@code byte[]} when the size is no multiple of 8. */
  ARRAY("array"),

  /** Allocated by {@link io.adrastea.Job#allocate}: every rank of the node can reach it. */
  SHARED("shared");

  private final String word;

  Memory(String word) {
    this.word = word;
  }

  /** Its name in options and in what a worker is told. */
  public String word() {
    return word;
  }

  /** What a variant's name ends with: nothing for native memory. */
  public String suffix() {
    return this == NATIVE ? "" : "-" + word;
  }

  /** What it is, for a heading. */
  String meaning() {
    return switch (this) {
      case NATIVE -> "native (off the heap)";
      case ARRAY -> "array (double[]; byte[] where the size is no multiple of 8)";
      case SHARED -> "shared (job.allocate at both ends)";
    };
  }

  /** The one among a worker's words, native when there is none. */
  static Memory among(List<String> words) {
    return Arrays.stream(values())
        .filter(memory -> words.contains(memory.word))
        .findFirst()
        .orElse(NATIVE);
  }

  /** Reads one word of an option. */
  public static final class Converter implements ITypeConverter<Memory> {
    @Override
    public Memory convert(String value) {
      return Arrays.stream(values())
          .filter(memory -> memory.word.equals(value.strip()))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException(
                  "there are no buffers '%s'; allowed are native, array, shared"
                      .formatted(value)));
    }
  }
}
