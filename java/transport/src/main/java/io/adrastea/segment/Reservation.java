package io.adrastea.segment;

import io.adrastea.error.SegmentException;
import io.adrastea.atomic.Words;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
  private static final int PAGE = (int) Regions.PAGE;

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

  /**
   * Reserves the pages that are missing of memory that others may be using: no byte of it changes. Such pages cannot be
   * written. So each is touched by an atomic addition of 0, which comes in between no two accesses of another process;
   * and before that there has to be room for all that are missing. Where another process takes it meanwhile, the touch
   * of a page that cannot be had is an error of the JVM, which is caught.
   *
   * @param part whole pages of a file that is mapped
   * @throws SegmentException when there is no room; all pages that were there still are, and some more may be
   */
  static void complete(Path path, MemorySegment part, String otherwise) {
    long usable = usable(path);
    if (usable < part.byteSize() && isMissingMore(part, usable)) {
      throw noRoom(path, part.byteSize(), usable, otherwise, null);
    }
    try {
      touch(part);
    } catch (InternalError e) {
      throw noRoom(path, part.byteSize(), usable(path), otherwise, new IOException("a page could not be had", e));
    }
  }

  /** Whether more bytes are missing than some; a page that the system has swapped out counts as missing. */
  private static boolean isMissingMore(MemorySegment part, long bytes) {
    long missing = 0;
    for (long at = 0; at < part.byteSize() && missing <= bytes; at += PAGE) {
      missing += part.asSlice(at, PAGE).isLoaded() ? 0 : PAGE;
    }
    return missing > bytes;
  }

  /**
   * Touches each page as a write does.
   *
   * @throws InternalError when a page cannot be had
   */
  static void touch(MemorySegment part) {
    for (long at = 0; at < part.byteSize(); at += PAGE) {
      Words.addRelaxedLong(part, at, 0); // no order: nothing is told by it
    }
    part.asSlice(part.byteSize() - PAGE).isLoaded(); // the JVM throws an error after the access, at a call out of Java
                                                     // at
                                                     // the latest: so it comes from here
  }

  /** Makes a stretch of a file all zeros. No page is added to it: only pages that hold something else are written. */
  static void clear(FileChannel channel, long offset, long bytes) throws IOException {
    ByteBuffer found = ByteBuffer.allocateDirect((int) Math.min(bytes, CHUNK));
    ByteBuffer zeros = ByteBuffer.allocateDirect(found.capacity());
    boolean isMore = true; // before the end of the file
    for (long done = 0; isMore && done < bytes; done += found.limit()) {
      found.clear().limit((int) Math.min(bytes - done, CHUNK));
      while (isMore && found.hasRemaining()) {
        isMore = channel.read(found, offset + done + found.position()) >= 0;
      }
      found.flip();
      if (found.mismatch(zeros.clear().limit(found.limit())) >= 0) {
        clearPages(channel, offset + done, found, zeros);
      }
    }
  }

  private static void clearPages(FileChannel channel, long offset, ByteBuffer found, ByteBuffer zeros)
      throws IOException {
    for (int at = 0; at < found.limit(); at += PAGE) {
      int length = Math.min(PAGE, found.limit() - at);
      zeros.clear().limit(length);
      if (found.slice(at, length).mismatch(zeros) >= 0) {
        while (zeros.hasRemaining()) {
          channel.write(zeros, offset + at + zeros.position());
        }
      }
    }
  }

  private static long usable(Path path) {
    File directory = path.toAbsolutePath().getParent().toFile(); // one call of the system, and no list of all mounts
    long usable = directory.getUsableSpace();
    boolean isKnown = usable > 0 || directory.getTotalSpace() > 0;
    return isKnown ? usable : Long.MAX_VALUE; // the reservation itself will tell
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
