package io.adrastea.bench.paper;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The program with which experiments count, if it is installed. */
final class Valgrind {
  private Valgrind() {}

  /**
   * The one to use.
   *
   * @param path directories, as in the variable PATH; {@code null} stands for none
   */
  static Optional<Path> find(String path) {
    return Stream.of((path == null ? "" : path).split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, "valgrind"))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /** Says that {@code what} (in the plural) cannot be counted, and what to install. */
  static String missing(String what) {
    return what
        + " are counted by valgrind, which is not installed here; it is the package"
        + " valgrind (as in: apt-get install valgrind)";
  }
}
