package io.adrastea.cli.info;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.error.JoinException;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The cores of a pair of ranks.
 *
 * @param sender core of the one that sends
 * @param receiver core of the other one
 */
record PathCores(CoreProvider sender, CoreProvider receiver) {
  /** A core with itself. */
  static PathCores of(String core) {
    return new PathCores(Cores.choose(core), Cores.choose(core));
  }

  /** Reads {@code ffm} or {@code ffm-java}. */
  static final class Converter implements ITypeConverter<PathCores> {
    @Override
    public PathCores convert(String text) {
      List<String> names = List.of(text.strip().split("-", -1));
      if (names.size() > 2) {
        throw new TypeConversionException(
            "'%s' names %d cores; one core, or two as in ffm-java, are allowed".formatted(text, names.size()));
      }
      try {
        List<CoreProvider> cores = Stream.of(names.getFirst(), names.getLast()).map(Cores::choose).toList();
        return new PathCores(cores.getFirst(), cores.getLast());
      } catch (JoinException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
