package io.adrastea.bench.peer;

import java.io.File;
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
 */
public record SearchPath(List<Path> directories) {
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

  /** The first one of that name that may be executed. */
  Optional<Path> find(String program) {
    return directories.stream()
        .map(directory -> directory.resolve(program))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /**
   * Says that programs are not there and which packages have them.
   *
   * @param packages names for apt-get, with blanks in between
   */
  Optional<String> missing(String packages, String... programs) {
    List<String> absent =
        Stream.of(programs).filter(program -> find(program).isEmpty()).toList();
    return absent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s not on PATH; it comes with: apt-get install %s"
                .formatted(String.join(", ", absent), packages));
  }
}
