package io.adrastea.segment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** What the system says of a file that is open, whatever has its name by now. Java has no {@code fstat}. */
final class OpenFile {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path POSITIONS = Path.of("/proc/self/fdinfo");
  private static final long LEAST_MARK = 1L << 32;
  private static final long MOST_MARK = 1L << 40; // what every file system can have for a position

  private OpenFile() {}

  /**
   * Owner and mode of a file. Which descriptor is that of the channel is told by its position, which nobody uses: for a moment it is a
   * number that no other has.
   *
   * @return {@code uid} and {@code mode}, as {@code unix:uid,mode}; empty where there is no {@code /proc}, which alone tells
   * @throws IOException when the file cannot be looked at
   */
  static Optional<Map<String, Object>> attributes(FileChannel channel) throws IOException {
    if (!Files.isDirectory(POSITIONS)) {
      return Optional.empty();
    }
    long mark = ThreadLocalRandom.current().nextLong(LEAST_MARK, MOST_MARK);
    channel.position(mark);
    try {
      Path descriptor = DESCRIPTORS.resolve(descriptorAt(mark));
      return Optional.of(Files.readAttributes(descriptor, "unix:uid,mode"));
    } finally {
      channel.position(0);
    }
  }

  private static String descriptorAt(long position) throws IOException {
    String wanted = "pos:\t" + position + "\n";
    try (DirectoryStream<Path> all = Files.newDirectoryStream(POSITIONS)) {
      for (Path one : all) {
        if (textOf(one).startsWith(wanted)) {
          return one.getFileName().toString();
        }
      }
    }
    throw new IOException("it is not among the files that /proc says are open");
  }

  private static String textOf(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      return ""; // another thread has closed that one
    }
  }
}
