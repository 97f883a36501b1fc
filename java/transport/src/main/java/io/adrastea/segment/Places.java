package io.adrastea.segment;

import io.adrastea.error.SegmentException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;

/**
 * Locks in a segment's file, far behind its end, one byte for each rank that is a process. The kernel drops a lock with
 * its process, as soon as none of its threads touches memory any more: so whatever PID namespace a rank lives in,
 * others see whether it lives. Twin of {@code segment/adr_segment_place.c}.
 */
public final class Places {
  /** Where they begin; below this offset the file's creator has locked. */
  static final long START = 1L << 62;

  /** What the lock of a rank's byte tells of the process that took it. */
  public enum Look {
    /** Nobody holds it. */
    FREE,
    /** Another process holds it. */
    HELD,
    /** It could not be asked. */
    UNKNOWN
  }

  private final FileChannel channel;

  Places(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks the byte of a rank, for as long as this process lives and has the segment open.
   *
   * @return false: another process has
   */
  public boolean hold(int rank) {
    try {
      return channel.tryLock(START + rank, 1, false) != null;
    } catch (IOException e) {
      throw new SegmentException(
          "cannot lock the byte of rank %d in the segment's file: %s".formatted(rank, e.getMessage()), e);
    }
  }

  /**
   * Whether another process holds the byte of a rank, which is not one of this process. Java cannot ask for a lock
   * without taking it; one for reading is in the way of the holder's alone, and of nobody who asks as well.
   */
  public Look look(int rank) {
    try (FileLock lock = channel.tryLock(START + rank, 1, true)) {
      return lock == null ? Look.HELD : Look.FREE;
    } catch (IOException | OverlappingFileLockException e) { // the second: another thread asks just now
      return Look.UNKNOWN;
    }
  }
}
