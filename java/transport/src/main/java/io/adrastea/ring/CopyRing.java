package io.adrastea.ring;

import static io.adrastea.layout.CopyRingDescriptor.BYTES;
import static io.adrastea.layout.CopyRingDescriptor.DRAINED_OFFSET;
import static io.adrastea.layout.CopyRingDescriptor.FILLED_OFFSET;
import static io.adrastea.atomic.Words.loadAcquireLong;
import static io.adrastea.atomic.Words.storeReleaseLong;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;

/**
 * The copy ring: a large message goes through shared memory while both of its ends copy [MPICH2 2007, 3.2]. Twin of
 * {@code
 * ring/adr_copy_ring.h}, which gives invariants and the reasons of the orders; the SYNC labels are the same.
 */
public final class CopyRing {
  /** Most bytes that one call copies. */
  public static final int MOST = 1 << 16;

  /** The head cannot be. */
  public static final int CORRUPT = -71;

  /** A length is below zero. */
  public static final int INVAL = -22;

  private CopyRing() {}

  /**
   * Where position {@code position} of the stream lies in the ring's memory; {@code bytes} are those behind its head.
   */
  public static long at(long bytes, long position) {
    return BYTES + (position & (bytes - 1));
  }

  /** How many bytes go at once from a position on: to the end of the chunk, or to {@code end}. */
  public static long part(long bytes, long chunk, long position, long end) {
    long step = Math.min(chunk, bytes);
    return Math.min(step - (position & (step - 1)), end - position);
  }

  /** How many bytes one call moves of the {@code wanted}, when {@code there} can be moved. */
  private static long count(long wanted, long there) {
    return Math.min(Math.min(wanted, there), MOST);
  }

  /**
   * Writes bytes of {@code source + offset}, as many of {@code length} as there is room for, at most {@link #MOST};
   * they show chunk by chunk.
   *
   * @param ring head and bytes, these a power of two
   * @param chunk bytes, a power of two
   * @param filled bytes that this end has written since the start
   * @return bytes written; 0: no room now; {@link #CORRUPT}; {@link #INVAL}
   */
  public static int put(MemorySegment ring, long chunk, long filled, MemorySegment source, long offset, long length) {
    if (length < 0) {
      return INVAL;
    }
    long bytes = ring.byteSize() - BYTES;
    long room = room(ring, filled);
    if (room < 0) {
      return CORRUPT;
    }
    long end = filled + count(length, room);
    long position = filled;
    while (position != end) {
      long part = part(bytes, chunk, position, end);
      MemorySegment.copy(source, offset + position - filled, ring, at(bytes, position), part);
      position += part;
      show(ring, position);
    }
    return (int) (end - filled);
  }

  /**
   * Reads bytes to {@code destination + offset}, as many of {@code length} as there are, at most {@link #MOST}.
   *
   * @param ring head and bytes, these a power of two
   * @param chunk bytes, a power of two
   * @param drained bytes that this end has read since the start
   * @return bytes read; 0: nothing there now; {@link #CORRUPT}; {@link #INVAL}
   */
  public static int take(MemorySegment ring, long chunk, long drained, MemorySegment destination, long offset,
      long length) {
    if (length < 0) {
      return INVAL;
    }
    long bytes = ring.byteSize() - BYTES;
    long there = there(ring, drained);
    if (there < 0) {
      return CORRUPT;
    }
    long end = drained + count(length, there);
    long position = drained;
    while (position != end) {
      long part = part(bytes, chunk, position, end);
      MemorySegment.copy(ring, at(bytes, position), destination, offset + position - drained, part);
      position += part;
      giveBack(ring, position);
    }
    return (int) (end - drained);
  }

  /** Counts the bytes that the writer has room for; {@link #CORRUPT}. */
  public static long room(MemorySegment ring, long filled) {
    long bytes = ring.byteSize() - BYTES;
    // SYNC ring-drained: acquire, pairs with the reader's release. Our copy into the room comes after this load, so it
    // comes after the reader's loads from that room.
    long used = filled - loadAcquireLong(ring, DRAINED_OFFSET);
    return Long.compareUnsigned(used, bytes) > 0 ? CORRUPT : bytes - used;
  }

  /** Whether the reader has read all up to a position, so that the writer may put others of the stream elsewhere. */
  public static boolean isDrained(MemorySegment ring, long position) {
    // SYNC ring-drained: acquire, pairs with the reader's release; as in room.
    return loadAcquireLong(ring, DRAINED_OFFSET) - position >= 0;
  }

  /** Shows what the writer has written up to a position. */
  public static void show(MemorySegment ring, long filled) {
    // SYNC ring-filled: release, pairs with the reader's acquire; the bytes copied come before the count that shows
    // them.
    storeReleaseLong(ring, FILLED_OFFSET, filled);
  }

  /** Counts the bytes that are there for the reader; {@link #CORRUPT}. */
  public static long there(MemorySegment ring, long drained) {
    long bytes = ring.byteSize() - BYTES;
    // SYNC ring-filled: acquire, pairs with the writer's release; our loads of the bytes come after it.
    long there = loadAcquireLong(ring, FILLED_OFFSET) - drained;
    return Long.compareUnsigned(there, bytes) > 0 ? CORRUPT : there;
  }

  /** Gives the room back that the reader has read up to a position. */
  public static void giveBack(MemorySegment ring, long drained) {
    // SYNC ring-drained: release, pairs with the writer's acquire; orders our loads of the room before the store that
    // gives it back.
    storeReleaseLong(ring, DRAINED_OFFSET, drained);
  }
}
