package io.adrastea.topology;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** Small files of the kernel. What is missing or cannot be read is empty: everybody here has an answer without it. */
final class Sysfs {
  private Sysfs() {}

  /** The first line of a file; empty when it cannot be had. */
  static String line(Path file) {
    List<String> lines = lines(file);
    return lines.isEmpty() ? "" : lines.getFirst().strip();
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException | SecurityException e) {
      return List.of();
    }
  }

  /** The number in a file, 0 or more; -1 when there is none. */
  static int number(Path file) {
    String line = line(file);
    return line.matches("[0-9]{1,9}") ? Integer.parseInt(line) : -1;
  }

  /** Reads a list of CPUs; none when the file has no list. */
  static Cpus cpus(Path file) {
    String line = line(file);
    return Cpus.isList(line) ? Cpus.parse(line) : Cpus.of();
  }

  /**
   * The numbers behind {@code name} in the names of a directory's entries, ascending: 0 and 1 of {@code node0},
   * {@code node1}.
   */
  static IntStream numbered(Path directory, String name) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, name + "*")) {
      return StreamSupport.stream(entries.spliterator(), false)
          .map(entry -> entry.getFileName().toString().substring(name.length()))
          .filter(rest -> rest.matches("[0-9]{1,9}"))
          .mapToInt(Integer::parseInt)
          .sorted()
          .boxed()
          .toList() // before the directory is closed
          .stream()
          .mapToInt(Integer::intValue);
    } catch (IOException | SecurityException e) {
      return IntStream.empty();
    }
  }
}
