package io.adrastea.core;

import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Ways to move the bytes of large messages: copies inside this process, the memory of other processes (CMA, XPMEM), and
 * rings that two processes copy through. One per kind of core and process, without state of a rank; any thread may
 * call. The C side is {@code adrastea/copy.h}, {@code adrastea/accumulate.h}, {@code adrastea/datatype.h},
 * {@code adrastea/ring.h} and {@code adrastea/space.h}.
 *
 * <p>
 * Packing and unpacking of what is not contiguous is here, beside {@link #copy}, for the same reasons: it is the same
 * for all ranks of a process, and a core in C does it in one call for at most {@link #MOST_PER_CALL} bytes. An I/O
 * vector needs no core: a few copies of {@link MemorySegment} do it. On memory that is attached by XPMEM such loops run
 * in Java, whatever the core.
 *
 * <p>
 * Buffers may be native or heap memory, of any arena; a closed arena, or another thread's, is an
 * {@link IllegalStateException} or {@link WrongThreadException}, and nothing beyond the bytes asked for is ever
 * touched. The caller vouches for bounds. Results below zero are negative errno values; a core that has no way to the
 * memory of other processes answers {@link #NOSYS}.
 *
 * <p>
 * Sources: [Nemesis 2006, 3.3] (copies), [MPICH2 2007, 3.2] (large messages, double buffer), [OpenSHMEM over XPMEM
 * 2011, 3] (memory of other processes).
 */
public interface Spaces {
  /** This process may not reach that one's memory. */
  int PERM = -1;

  /** There is no such process any more. */
  int SRCH = -3;

  /** There is no memory at that address. */
  int FAULT = -14;

  /** An argument cannot be, or asks for what this core does not have. */
  int INVAL = -22;

  /** There is no memory for it here. */
  int NOMEM = -12;

  /** The function is not there on this core, or on this system. */
  int NOSYS = -38;

  /**
   * This process had XPMEM, and has lost it for good: another user of it in the process has closed a descriptor of
   * {@code /dev/xpmem}.
   */
  int STALE = -116;

  /**
   * The most that {@link #put}, {@link #take} and a critical call of {@link #pack} or {@link #accumulate} move: all
   * threads of the JVM may have to wait for it.
   */
  int MOST_PER_CALL = 1 << 16;

  /** Copies bytes by the routine that fits their number; the destination is read soon, by this CPU. */
  void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset, long length);

  /**
   * Accumulates elements: {@code result = target} and {@code target = target op origin} for each of them, as one step
   * of {@code io.adrastea.accumulate}, which is atomic towards what every other core and process does so. Target and
   * result begin and end at whole elements, and neither they nor the origin overlap.
   *
   * @param target native memory that stays, whose address and length are multiples of 4, and of 8 where elements have 8
   * bytes
   * @param at of the first element, at a multiple of its size
   * @param origin may be null where the operator is NO_OP, which does not read it
   * @param result null: nobody wants what was there
   * @param length bytes, of whole elements
   * @param op number of an operator
   * @param element number of a kind of elements
   * @param exclusive nobody else touches the elements during the call: plain loops do it, at the speed of memory
   * @return 0; {@link #INVAL}: nothing is done, since the operator cannot accumulate such elements on this core, the
   *   target is not aligned, the length is below zero or not of whole elements, or the origin is missing
   */
  int accumulate(MemorySegment target, long at, MemorySegment origin, long originAt, MemorySegment result,
      long resultAt, long length, int op, int element, boolean exclusive);

  /** Copies bytes to where this CPU will not read them: from a size on they go past its caches. */
  void stream(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset, long length);

  /**
   * Packs the next bytes of elements of a datatype [SCI-MPICH 2002, 3.3.2], and moves the cursor behind them. The
   * caller vouches for it that there are so many, and that the elements lie in their memory.
   *
   * @param offset the origin of the first element
   * @param at where the bytes go in {@code packed}
   */
  void pack(Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed, long at,
      long length);

  /** Unpacks bytes to where the cursor stands in elements of a datatype, as {@link #pack} packs them. */
  void unpack(Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed, long at,
      long length);

  /**
   * Copies the next bytes of elements of a datatype to elements of another one, in one copy from block to block, and
   * moves both cursors behind them. The caller vouches for it that there are so many at both ends, that the elements
   * lie in their memories, and that these do not overlap.
   *
   * @param toOffset the origin of the first element in {@code destination}
   * @param fromOffset that in {@code source}
   */
  void copy(Program to, ProgramCursor toCursor, MemorySegment destination, long toOffset, Program from,
      ProgramCursor fromCursor, MemorySegment source, long fromOffset, long length);

  /**
   * Copies bytes from the memory of a process (CMA: {@code process_vm_readv}).
   *
   * @param address in that process
   * @return bytes copied, all of {@code length}; {@link #PERM}, {@link #SRCH}, {@link #FAULT}, {@link #NOSYS}
   */
  default long read(int pid, long address, MemorySegment destination, long offset, long length) {
    return NOSYS;
  }

  /** Copies bytes to the memory of a process (CMA: {@code process_vm_writev}); result as of {@link #read}. */
  default long write(int pid, long address, MemorySegment source, long offset, long length) {
    return NOSYS;
  }

  /**
   * Reads as {@link #read} does, from several stretches to several. Each list is an array of {@code struct iovec} in
   * native memory that stays (address and length, a long each); both have the same number of bytes in all. The caller
   * vouches for the local addresses during the call.
   *
   * @return bytes copied, all of them, or as of {@link #read}
   */
  default long readVector(int pid, MemorySegment remote, int remotes, MemorySegment local, int locals) {
    return NOSYS;
  }

  /** Writes as {@link #write} does, from several stretches to several; lists and result as of {@link #readVector}. */
  default long writeVector(int pid, MemorySegment local, int locals, MemorySegment remote, int remotes) {
    return NOSYS;
  }

  /**
   * Lets a process and its descendants, and nobody else, reach the memory of this one, where the system asks for that
   * (Yama's {@code ptrace_scope} 1); takes the place of what was allowed before. A core that has no way there itself
   * cannot allow it to others either, and does nothing.
   *
   * @param pid above zero; the launcher, say, whose descendants are the ranks of the job
   * @return 0, also where nothing has to be allowed, or a negative errno value
   */
  int allow(int pid);

  /**
   * Opens all memory of this process to those who may write its files (XPMEM): its segment id, above zero, the same at
   * each call, or a negative errno value. That it is open holds for what others are told of now: this asks the kernel,
   * and is to be called again before the next message.
   */
  default long export() {
    return NOSYS;
  }

  /**
   * Where memory of a process that has called {@link #export} is mapped here; attachments are kept, within a bound, and
   * used again. To be let go of with {@link #unreach}. An access may fail with an {@link InternalError} when that
   * process has ended, or has unmapped the memory; compiled code throws it late, at the latest when {@link #unreach}
   * returns.
   *
   * @param length bytes; 0: nothing is mapped, it is only asked whether the segment is there now
   * @return the address, 0 for no bytes; {@link #SRCH}: the process has ended or has lost XPMEM; {@link #STALE},
   *   {@link #NOMEM}, {@link #NOSYS}, or another negative errno value
   */
  default long reach(long segment, long address, long length) {
    return NOSYS;
  }

  /**
   * Lets go of what {@link #reach} gave for the same arguments.
   *
   * @return 0: what was read there since is what that process had, and what was written has come to it; {@link #STALE}:
   *   nobody knows; or another negative errno value
   */
  default int unreach(long segment, long address, long length) {
    return NOSYS;
  }

  /**
   * Writes bytes into a copy ring, as many as there is room for, at most {@link #MOST_PER_CALL}; they show chunk by
   * chunk. One thread at a time writes.
   *
   * @param ring its head, {@code CopyRingDescriptor}, and behind it its bytes, a power of two; native memory that stays
   * @param chunk bytes copied before they show, a power of two, at most those of the ring
   * @param filled bytes that this end has written since the start
   * @return bytes written; 0: no room now; {@link Core#CORRUPT}: its head cannot be
   */
  int put(MemorySegment ring, int chunk, long filled, MemorySegment source, long offset, long length);

  /**
   * Reads bytes from a copy ring, as many as there are, at most {@link #MOST_PER_CALL}. One thread at a time reads.
   *
   * @param ring as of {@link #put}
   * @param chunk bytes copied before their room is given back, a power of two
   * @param drained bytes that this end has read since the start
   * @return bytes read; 0: nothing there now; {@link Core#CORRUPT}: its head cannot be
   */
  int take(MemorySegment ring, int chunk, long drained, MemorySegment destination, long offset, long length);

  /**
   * Makes huge pages of memory of a segment's region, as far as the system offers them: the bytes stay what they are,
   * and other processes may use them meanwhile.
   *
   * @param memory whole pages, mapped from the file, whose pages are there
   * @return 0; a negative errno value when not all of it was made so, {@link #NOSYS} when this core cannot
   */
  default int advise(MemorySegment memory) {
    return NOSYS;
  }

  /**
   * Gives pages of a segment's region back to the system, in every process that has them mapped: the file has a hole
   * there, of which zeros are read.
   *
   * @param memory mapped from the file, whole pages of the system; nobody uses it
   * @return 0; a negative errno value when nothing was given back, {@link #NOSYS} when this core cannot
   */
  default int release(MemorySegment memory) {
    return NOSYS;
  }

  /** What is there and what is not, one line each, for {@code adrastea info}: copies, CMA, XPMEM. */
  List<String> describe();
}
