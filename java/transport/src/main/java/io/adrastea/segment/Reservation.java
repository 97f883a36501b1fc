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
  /** What makes room for a segment as it is at the start of a job. */
  static final String SMALLER_SEGMENT = "take less with adrastea.cells and adrastea.cell.bytes";

  /** What makes room for what a segment grows by later. */
  static final String SMALLER_GROWTH = "allocate less, or free what is not needed any more";

  private static final int CHUNK = 1 << 16;

  private Reservation() {}

  /** @param otherwise what the program can do in place of a larger file system, for the words of the exception */
  static void requireRoom(Path path, long bytes, String otherwise) {
    long usable = usable(path);
    if (usable < bytes) {
      throw noRoom(path, bytes, usable, otherwise, null);
    }
  }

  static void reserve(Path path, FileChannel channel, long offset, long bytes, String otherwise) {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, CHUNK));
    try {
      for (long done = 0; done < bytes;) {
        zeros.clear().limit((int) Math.min(bytes - done, CHUNK));
        done += channel.write(zeros, offset + done);
      }
    } catch (IOException e) {
      throw noRoom(path, bytes, usable(path), otherwise, e);
    }
  }

  private static long usable(Path path) {
    try {
      return Files.getFileStore(path.toAbsolutePath().getParent()).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE; // unknown: the reservation itself will tell
    }
  }

  private static SegmentException noRoom(
      Path path, long bytes, long usable, String otherwise, IOException cause) {
    return new SegmentException(
        ("%s: %,d bytes needed, %,d there; enlarge the file system (that of a container: docker run --shm-size), name "
            + "another with adrastea.shm.dir, or %s%s")
            .formatted(path, bytes, usable, otherwise, cause == null ? "" : " (" + cause.getMessage() + ")"),
        cause);
  }
}
