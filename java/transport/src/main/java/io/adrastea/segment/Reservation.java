package io.adrastea.segment;

import io.adrastea.error.SegmentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes sure that the pages of a stretch of a file are there before they are mapped and touched: a page that cannot be
 * had is an error here, and would be a SIGBUS, the end of the JVM, later.
 *
 * <p>
 * Zeros are written rather than {@code posix_fallocate} called: it does the same on a memory file system, in the same
 * time (both clear the pages), for every core and on every system.
 */
final class Reservation {
  private static final int CHUNK = 1 << 16;

  private Reservation() {}

  static void requireRoom(Path path, long bytes) {
    long usable = usable(path);
    if (usable < bytes) {
      throw noRoom(path, bytes, usable, null);
    }
  }

  static void reserve(Path path, FileChannel channel, long offset, long bytes) {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, CHUNK));
    try {
      for (long done = 0; done < bytes;) {
        zeros.clear().limit((int) Math.min(bytes - done, CHUNK));
        done += channel.write(zeros, offset + done);
      }
    } catch (IOException e) {
      throw noRoom(path, bytes, usable(path), e);
    }
  }

  private static long usable(Path path) {
    try {
      return Files.getFileStore(path.toAbsolutePath().getParent()).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE; // unknown: the reservation itself will tell
    }
  }

  private static SegmentException noRoom(Path path, long bytes, long usable, IOException cause) {
    return new SegmentException(
        ("%s: %,d bytes needed, %,d there; enlarge the file system, name another with adrastea.shm.dir, or take "
            + "less with adrastea.cells and adrastea.cell.bytes%s")
            .formatted(path, bytes, usable, cause == null ? "" : " (" + cause.getMessage() + ")"),
        cause);
  }
}
