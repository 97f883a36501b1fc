package io.adrastea.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory that the stand-in for XPMEM can show to other processes: mappings of files that stay open. The files are in
 * memory, and have no names any more.
 */
final class MappedFiles {
  private static final Path DIRECTORY = Path.of("/dev/shm");
  private static final List<FileChannel> OPEN = new ArrayList<>();

  private MappedFiles() {}

  static MemorySegment allocate(long bytes) {
    try {
      Path file = Files.createTempFile(DIRECTORY, "adrastea-it-", ".mapped");
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      Files.delete(file);
      OPEN.add(channel);
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.global());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Cuts the file of the last one short: its memory is gone, for all that have it mapped. */
  static void cutLast() {
    try {
      OPEN.getLast().truncate(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
