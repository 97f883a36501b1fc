package io.adrastea.bench.collectives;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What is called by all ranks. */
enum Collective {
  BARRIER, BCAST, ALLREDUCE, ALLGATHER;

  /** Its name in options and tables. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether one rank has the input of all. */
  boolean isRooted() {
    return this == BCAST;
  }

  /** Whether there is anything to move. */
  boolean hasBytes() {
    return this != BARRIER;
  }

  /** How many times the bytes of one rank's input the output has, which is apart from the input. */
  int outputs(int ranks) {
    return switch (this) {
      case BARRIER, BCAST -> 0;
      case ALLREDUCE -> 1;
      case ALLGATHER -> ranks;
    };
  }

  /** Reads a word of an option. */
  static final class Converter implements ITypeConverter<Collective> {
    @Override
    public Collective convert(String word) {
      return Arrays.stream(values())
          .filter(one -> one.word().equals(word.strip()))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException(
              "there is no collective '%s' here; allowed are %s".formatted(word,
                  Arrays.stream(values()).map(Collective::word).collect(Collectors.joining(", ")))));
    }
  }
}
