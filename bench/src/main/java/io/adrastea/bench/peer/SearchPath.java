package io.adrastea.bench.peer;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where programs are found.
 *
 * @param directories as in the variable PATH
 * @param place which they are, in words
 */
public record SearchPath(List<Path> directories, String place) {
  /** Directories as those of the variable PATH. */
  SearchPath(List<Path> directories) {
    this(directories, "on PATH");
  }

  /** Returns the path of this process. */
  public static SearchPath here() {
    return of(System.getenv().getOrDefault("PATH", ""));
  }

  /** Reads the variable. */
  public static SearchPath of(String variable) {
    return new SearchPath(
        Pattern.compile(File.pathSeparator)
            .splitAsStream(variable)
            .filter(word -> !word.isEmpty())
            .map(Path::of)
            .toList());
  }

  /** The tools of the source tree in which this program was built; none where it lies elsewhere. */
  static SearchPath tree() {
    try {
      Path program = Path.of(SearchPath.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return new SearchPath(
          Stream.iterate(program.getParent(), place -> place != null, Path::getParent)
              .map(place -> place.resolve("bin"))
              .filter(tools -> Files.isExecutable(tools.resolve("adrastea")))
              .limit(1)
              .toList(),
          "in a source tree of this program");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first one of that name that may be executed. */
  Optional<Path> find(String program) {
    return directories.stream()
        .map(directory -> directory.resolve(program))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /**
   * Says that programs are not there and what brings them.
   *
   * @param source a command
   */
  Optional<String> missing(String source, String... programs) {
    List<String> absent =
        Stream.of(programs).filter(program -> find(program).isEmpty()).toList();
    return absent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s not %s; it comes with: %s"
                .formatted(String.join(", ", absent), place, source));
  }
}
