package io.adrastea.bench.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What a process holds.
 *
 * @param residentKiB resident memory that is its own: without files and shared memory
 * @param heapKiB of the Java heap after a collection
 * @param descriptors open files
 * @param sharedKiB resident shared memory
 * @param segmentKiB length of the segment's file, regions made later included
 */
record Usage(long residentKiB, long heapKiB, long descriptors, long sharedKiB, long segmentKiB) {
  private static final Path SELF = Path.of("/proc/self");

  /** Returns what this process holds. */
  static Usage now() {
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10;
    try {
      Path[] descriptors = open();
      return new Usage(
          status("RssAnon:"), heap, descriptors.length, status("RssShmem:"), segment(descriptors) >> 10);
    } catch (IOException e) {
      throw new UncheckedIOException("this system has no /proc that tells what a process holds", e);
    }
  }

  private static long status(String field) throws IOException {
    return Files.readAllLines(SELF.resolve("status")).stream()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  private static Path[] open() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(SELF.resolve("fd"))) {
      return java.util.stream.StreamSupport.stream(files.spliterator(), false).toArray(Path[]::new);
    }
  }

  private static long segment(Path[] descriptors) throws IOException {
    long bytes = 0;
    for (Path descriptor : descriptors) {
      if (Files.isSymbolicLink(descriptor)
          && Files.readSymbolicLink(descriptor).getFileName().toString().startsWith("adrastea-")) {
        bytes = Math.max(bytes, Files.size(descriptor));
      }
    }
    return bytes;
  }

  String line() {
    return "%d %d %d %d %d".formatted(residentKiB, heapKiB, descriptors, sharedKiB, segmentKiB);
  }

  /** Reads an answer. */
  static Usage of(String line) {
    long[] numbers = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
    return new Usage(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
  }
}
