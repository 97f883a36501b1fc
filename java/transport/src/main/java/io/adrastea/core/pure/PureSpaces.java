package io.adrastea.core.pure;

import io.adrastea.accumulate.Accumulate;
import io.adrastea.coll.Combine;
import io.adrastea.core.JavaPacking;
import io.adrastea.core.Spaces;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import io.adrastea.ring.CopyRing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Large messages in Java alone: copies and rings. Memory of other processes is out of its reach.
 *
 * <p>
 * Java has one way to copy memory, {@code MemorySegment.copy}, which the JVM makes of the widest loads and stores that
 * it uses on this CPU. It has neither nontemporal stores nor the fence that they need, so a stream is a copy like any
 * other here, and leaves its bytes in this CPU's caches [Nemesis 2006, 3.3].
 */
final class PureSpaces implements Spaces {
  /**
   * Bytes copied at once. A copy of native memory holds up every thread that waits for a safepoint: this much takes
   * about 0.1 ms.
   */
  static final long BLOCK_BYTES = 1 << 20;

  /** The arrays in which a thread computes. */
  private static final ThreadLocal<Combine> COMBINE = ThreadLocal.withInitial(Combine::new);

  /** The one of this process. */
  static final PureSpaces INSTANCE = new PureSpaces();

  private PureSpaces() {}

  @Override
  public void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    long copied = 0;
    while (copied < length) {
      long bytes = Math.min(BLOCK_BYTES, length - copied);
      MemorySegment.copy(source, sourceOffset + copied, destination, destinationOffset + copied, bytes);
      copied += bytes;
    }
  }

  @Override
  public void stream(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    copy(source, sourceOffset, destination, destinationOffset, length);
  }

  @Override
  public int accumulate(MemorySegment target, long at, MemorySegment origin, long originAt, MemorySegment result,
      long resultAt, long length, int op, int element, boolean exclusive) {
    if (result != null && length > 0) {
      result.get(ValueLayout.JAVA_BYTE, resultAt); // throws before anything is changed
    }
    long done = 0;
    do { // also of no bytes, which may be refused
      long part = Math.min(MOST_PER_CALL, length - done);
      int status = Accumulate.accumulate(exclusive ? COMBINE.get() : null, op, element, target, at + done, origin,
          originAt + done, result, resultAt + done, part, exclusive);
      if (status < 0) {
        return status;
      }
      done += part;
    } while (done < length);
    return 0;
  }

  @Override
  public void pack(Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed,
      long at, long length) {
    JavaPacking.pack(program, cursor, memory, offset, packed, at, length);
  }

  @Override
  public void unpack(Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed,
      long at, long length) {
    JavaPacking.unpack(program, cursor, memory, offset, packed, at, length);
  }

  @Override
  public void copy(Program to, ProgramCursor toCursor, MemorySegment destination, long toOffset, Program from,
      ProgramCursor fromCursor, MemorySegment source, long fromOffset, long length) {
    JavaPacking.copy(to, toCursor, destination, toOffset, from, fromCursor, source, fromOffset, length);
  }

  @Override
  public int allow(int pid) {
    return 0;
  }

  @Override
  public int put(MemorySegment ring, int chunk, long filled, MemorySegment source, long offset, long length) {
    return CopyRing.put(ring, chunk, filled, source, offset, length);
  }

  @Override
  public int take(MemorySegment ring, int chunk, long drained, MemorySegment destination, long offset, long length) {
    return CopyRing.take(ring, chunk, drained, destination, offset, length);
  }

  @Override
  public List<String> describe() {
    return List.of("copies: the JVM's", "CMA: not from Java alone", "XPMEM: not from Java alone");
  }
}
