package io.adrastea.bench.measure;

import io.adrastea.config.Tunable;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one way of large messages, a value of {@code adrastea.lmt}, out of a list on the command line. */
public final class WayConverter implements ITypeConverter<String> {
  /** Creates the converter for the command line. */
  public WayConverter() {}

  @Override
  public String convert(String value) {
    String word = value.strip().toLowerCase(Locale.ROOT);
    try {
      Tunable.LMT.require(word.isEmpty() ? "''" : word, "--lmt");
      return word;
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
