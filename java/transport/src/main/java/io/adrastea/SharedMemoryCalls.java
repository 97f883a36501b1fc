package io.adrastea;

import io.adrastea.bootstrap.Member;
import io.adrastea.engine.EngineSettings;
import java.lang.foreign.MemorySegment;

/** The calls of {@link Job} for memory that all ranks of the node can reach. */
abstract sealed class SharedMemoryCalls extends JobFrame permits FailureCalls {
  SharedMemoryCalls(Member member, boolean ownsSegment, EngineSettings settings) {
    super(member, ownsSegment, settings);
  }

  /**
   * Takes memory that every rank of the node can reach: send them {@link #offset}, they call {@link #shared}. All zeros; its
   * pages are there, near the CPU of the calling thread; no two allocations share a cache line. Any thread may call, at any {@link
   * ThreadLevel}.
   *
   * <p>What one rank writes another sees once they have synchronised: by a message sent after the writing and received before
   * the reading, by a barrier, or by release and acquire on words in the memory itself.
   *
   * <p>It stays allocated until {@link #free} or the end of the job. The memory stays mapped here as long as it is reachable, also
   * after {@link Job#close}, and in other ranks likewise; its place is given to later allocations of this rank only after {@link
   * #free}.
   *
   * @param bytes how many, at least 1
   * @param alignment of its address in every rank, in bytes: a power of two from 1 to 4096
   * @return the memory, of just so many bytes
   * @throws IllegalArgumentException when bytes or alignment are not allowed
   * @throws io.adrastea.error.SegmentException when there is no room: names the bytes needed and those there
   * @throws IllegalStateException when the job was left
   */
  public MemorySegment allocate(long bytes, long alignment) {
    return heap.allocate(bytes, alignment);
  }

  /**
   * Gives back what {@link #allocate} gave. No rank may use it any more, which the caller sees to: its place will be given to
   * another allocation.
   *
   * @param memory what was allocated, whole
   * @throws IllegalArgumentException when it was not allocated by this rank, is a part of an allocation, or was freed already
   * @throws IllegalStateException when the job was left
   */
  public void free(MemorySegment memory) {
    heap.free(memory);
  }

  /**
   * Where shared memory of this rank lies, to be told to other ranks.
   *
   * @param memory what {@link #allocate} gave, or a part of it
   * @return its offset in bytes in the file of the job's segment
   * @throws IllegalArgumentException when it does not lie in an allocation of this rank that is not freed
   * @throws IllegalStateException when the job was left
   */
  public long offset(MemorySegment memory) {
    return heap.offset(memory);
  }

  /**
   * Shared memory of any rank of the node, this one included, mapped here at its first use. It stays mapped as long as it is
   * reachable. Whether the rank has freed it is not checked: it must not be used then. Any thread may call, at any {@link
   * ThreadLevel}.
   *
   * @param rank whose it is
   * @param offset where it starts, as that rank's {@link #offset} told
   * @param bytes how many, at least 1
   * @return the memory
   * @throws IllegalArgumentException when there is no such rank, or its shared memory does not hold these bytes
   * @throws io.adrastea.error.SegmentException when what the rank says of its memory cannot be: it is broken
   * @throws IllegalStateException when the job was left
   */
  public MemorySegment shared(int rank, long offset, long bytes) {
    return reach.reach(rank, offset, bytes);
  }
}
