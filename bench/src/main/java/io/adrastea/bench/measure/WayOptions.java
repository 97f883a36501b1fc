package io.adrastea.bench.measure;

import io.adrastea.config.Tunable;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option of benches that send large messages, each way by ranks of its own. */
public final class WayOptions {
  @Option(
      names = "--lmt",
      paramLabel = "LIST",
      split = ",",
      converter = Converter.class,
      description = {
        "Ways that our large messages are to take (values of adrastea.lmt), as in auto,cma,ring.",
        "Each is a variant with ranks of its own, called ffm/ring. Default: adrastea.lmt as it is set."
      })
  private List<String> ways = List.of();

  /** Creates the options for the command line. */
  public WayOptions() {}

  /** Each way once, as it was asked for. */
  public List<String> all() {
    return ways.stream().distinct().toList();
  }

  /** Reads one way, a value of {@code adrastea.lmt}, out of the list. */
  static final class Converter implements ITypeConverter<String> {
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
}
