package io.adrastea.segment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** What the system says of a file that is open, whatever has its name by now. Java has no {@code fstat}. */
final class OpenFile {
  private static final Path PROCESS = Path.of("/proc/self");
  private static final long LEAST_MARK = 1L << 32;
  private static final long MOST_MARK = 1L << 40; // what every file system can have for a position

  private OpenFile() {}

  /**
   * Owner and mode of a file. Which descriptor is that of the channel is told by its position, which nobody uses: for a
   * moment it is a number that no other has.
   *
   * @return {@code uid} and {@code mode}, as {@code unix:uid,mode}; empty where {@code /proc} does not tell, as nothing
   *   else would
   * @throws IOException when the file cannot be looked at
   */
  static Optional<Map<String, Object>> attributes(FileChannel channel) throws IOException {
    return attributes(channel, PROCESS);
  }

  /** Finds the attributes by another directory than {@code /proc/self}. */
  static Optional<Map<String, Object>> attributes(FileChannel channel, Path process) throws IOException {
    Path positions = process.resolve("fdinfo");
    if (!Files.isDirectory(positions)) {
      return Optional.empty();
    }
    long mark = ThreadLocalRandom.current().nextLong(LEAST_MARK, MOST_MARK);
    channel.position(mark);
    try {
      Optional<String> number = descriptorAt(mark, positions);
      return number.isEmpty()
          ? Optional.empty()
          : Optional.of(Files.readAttributes(process.resolve("fd").resolve(number.get()), "unix:uid,mode"));
    } finally {
      channel.position(0);
    }
  }

  private static Optional<String> descriptorAt(long position, Path positions) throws IOException {
    String wanted = "pos:\t" + position + "\n";
    try (DirectoryStream<Path> all = Files.newDirectoryStream(positions)) {
      for (Path one : all) {
        if (textOf(one).startsWith(wanted)) {
          return Optional.of(one.getFileName().toString());
        }
      }
    }
    return Optional.empty();
  }

  private static String textOf(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return ""; // another thread has closed that one: before it was opened here, or before it was read
    }
  }
}
