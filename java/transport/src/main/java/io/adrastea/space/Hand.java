package io.adrastea.space;

import io.adrastea.payload.Stretch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What one thread needs for its copies, kept so that a copy makes no object: where it is in memory of this rank and of
 * the peer, and lists for the system.
 */
final class Hand {
  /** Entries of a list for one call: IOV_MAX. */
  static final int MOST_ENTRIES = 1024;

  static final int IOVEC_BYTES = 2 * Long.BYTES; // of a struct iovec

  private static final ThreadLocal<Hand> OF_THREAD = ThreadLocal.withInitial(Hand::new);

  final Stretch local = new Stretch();
  final ExposureCursor there = new ExposureCursor();
  private MemorySegment farList; // of struct iovec; null: there was no need of one
  private MemorySegment nearList;

  private Hand() {}

  /** The one of the calling thread. */
  static Hand ofThread() {
    return OF_THREAD.get();
  }

  MemorySegment farList() {
    farList = farList == null ? list() : farList;
    return farList;
  }

  MemorySegment nearList() {
    nearList = nearList == null ? list() : nearList;
    return nearList;
  }

  private static MemorySegment list() {
    return Arena.ofAuto().allocate((long) MOST_ENTRIES * IOVEC_BYTES, Long.BYTES);
  }
}
