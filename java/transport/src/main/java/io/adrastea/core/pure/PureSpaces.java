package io.adrastea.core.pure;

import io.adrastea.core.Spaces;
import io.adrastea.ring.CopyRing;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Large messages in Java alone: copies and rings. Memory of other processes is out of its reach. */
final class PureSpaces implements Spaces {
  /** The one of this process. */
  static final PureSpaces INSTANCE = new PureSpaces();

  private PureSpaces() {}

  @Override
  public void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    BulkCopy.copy(source, sourceOffset, destination, destinationOffset, length);
  }

  @Override
  public void stream(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    BulkCopy.stream(source, sourceOffset, destination, destinationOffset, length);
  }

  @Override
  public long read(int pid, long address, MemorySegment destination, long offset, long length) {
    return NOSYS;
  }

  @Override
  public long write(int pid, long address, MemorySegment source, long offset, long length) {
    return NOSYS;
  }

  @Override
  public long readVector(int pid, MemorySegment remote, int remotes, MemorySegment local, int locals) {
    return NOSYS;
  }

  @Override
  public long writeVector(int pid, MemorySegment local, int locals, MemorySegment remote, int remotes) {
    return NOSYS;
  }

  @Override
  public int allow(int pid) {
    return 0;
  }

  @Override
  public long export() {
    return NOSYS;
  }

  @Override
  public long reach(long segment, long address, long length) {
    return NOSYS;
  }

  @Override
  public int unreach(long segment, long address, long length) {
    return NOSYS;
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
  public int advise(MemorySegment memory) {
    return NOSYS;
  }

  @Override
  public List<String> describe() {
    return List.of("copies: the JVM's", "CMA: not from Java alone", "XPMEM: not from Java alone");
  }
}
