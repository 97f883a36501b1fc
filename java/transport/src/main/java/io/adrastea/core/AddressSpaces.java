package io.adrastea.core;

import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import io.adrastea.layout.CopyRingDescriptor;
import io.adrastea.ring.CopyRing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.List;

/**
 * Large messages through a binding that passes numbers only: the functions of {@code adrastea/copy.h},
 * {@code adrastea/accumulate.h}, {@code adrastea/datatype.h}, {@code adrastea/space.h} and {@code adrastea/ring.h} with
 * addresses as {@code long}. A binding supplies those; what is the same for all of them is here.
 *
 * <p>
 * C is given a buffer's own address only when nobody can free that memory during the call ({@link LastingMemory}). For
 * everything else (arrays, arenas that another thread may close) {@link MemorySegment} copies, which checks that the
 * buffer may be used: straight to its place inside this process, by the Java twin through a ring, by way of native
 * memory of the calling thread to and from other processes.
 *
 * <p>
 * Each binding declares the native methods anew, in the same words: both JNI and JNA bind those of one class, and a
 * process may have the two side by side.
 */
public abstract class AddressSpaces implements Spaces {
  /** Copied at once by Java: threads that wait for a safepoint wait for it. */
  private static final long BLOCK_BYTES = 1 << 20;

  private static final ThreadLocal<MemorySegment> STAGE =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(MOST_PER_CALL, ValueLayout.JAVA_LONG.byteAlignment()));

  protected abstract void copy(long source, long sourceOffset, long destination, long destinationOffset, long bytes);
  protected abstract void copyStream(long source, long sourceOffset, long destination, long destinationOffset,
      long bytes);
  protected abstract int accumulate(long target, long origin, long originOffset, long result, long resultOffset,
      long bytes, int op, int element, int exclusive);
  protected abstract void datatypePack(long program, long cursor, long memory, long offset, long packed,
      long packedOffset, long bytes);
  protected abstract void datatypeUnpack(long program, long cursor, long memory, long offset, long packed,
      long packedOffset, long bytes);
  protected abstract void datatypeCopy(long toProgram, long toCursor, long to, long toOffset, long fromProgram,
      long fromCursor, long from, long fromOffset, long bytes);
  protected abstract int copyDescribe(long text, int capacity);
  protected abstract int ringPut(long ring, long bytes, long chunk, long filled, long source, long offset, long length);
  protected abstract int ringTake(long ring, long bytes, long chunk, long drained, long destination, long offset,
      long length);
  protected abstract long cmaRead(int pid, long address, long destination, long offset, long bytes);
  protected abstract long cmaWrite(int pid, long address, long source, long offset, long bytes);
  protected abstract long cmaReadVector(int pid, long remote, int remotes, long local, int locals);
  protected abstract long cmaWriteVector(int pid, long local, int locals, long remote, int remotes);
  protected abstract int cmaAllow(int pid);
  protected abstract int xpmemStatus();
  protected abstract long xpmemExport();
  protected abstract long xpmemReach(long segment, long address, long bytes);
  protected abstract int xpmemUnreach(long segment, long address, long bytes);
  protected abstract int hugeAdvise(long address, long bytes);
  protected abstract int pagesRelease(long address, long bytes);

  @Override
  public final void copy(
      MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset, long length) {
    copy(false, source, sourceOffset, destination, destinationOffset, length);
  }

  @Override
  public final void stream(
      MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset, long length) {
    copy(true, source, sourceOffset, destination, destinationOffset, length);
  }

  private void copy(
      boolean past, MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    if (!LastingMemory.is(source) || !LastingMemory.is(destination)) {
      copyBlocks(source, sourceOffset, destination, destinationOffset, length);
    } else if (past) {
      copyStream(source.address(), sourceOffset, destination.address(), destinationOffset, length);
    } else {
      copy(source.address(), sourceOffset, destination.address(), destinationOffset, length);
    }
    Reference.reachabilityFence(source);
    Reference.reachabilityFence(destination);
  }

  private static void copyBlocks(
      MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset, long length) {
    for (long done = 0; done < length; done += BLOCK_BYTES) {
      long part = Math.min(BLOCK_BYTES, length - done);
      MemorySegment.copy(source, sourceOffset + done, destination, destinationOffset + done, part);
    }
  }

  @Override
  public final int accumulate(MemorySegment target, long at, MemorySegment origin, long originAt, MemorySegment result,
      long resultAt, long length, int op, int element, boolean exclusive) {
    boolean lasts = (origin == null || LastingMemory.is(origin)) && (result == null || LastingMemory.is(result));
    int status =
        lasts
            ? accumulate(target.address() + at, address(origin), originAt, address(result), resultAt, length, op,
                element, exclusive ? 1 : 0)
            : accumulateStaged(target.address() + at, origin, originAt, result, resultAt, length, op, element,
                exclusive ? 1 : 0);
    Reference.reachabilityFence(target);
    Reference.reachabilityFence(origin);
    Reference.reachabilityFence(result);
    return status;
  }

  private static long address(MemorySegment memory) {
    return memory == null ? 0 : memory.address();
  }

  /** Half of the stage has operands, the other half has results. */
  private int accumulateStaged(
      long target, MemorySegment origin, long originAt, MemorySegment result, long resultAt, long length, int op,
      int element, int exclusive) {
    MemorySegment stage = STAGE.get();
    int half = MOST_PER_CALL / 2;
    if (result != null && length > 0) {
      result.get(ValueLayout.JAVA_BYTE, resultAt); // throws before anything is changed
    }
    long operands = origin == null ? 0 : stage.address();
    long results = result == null ? 0 : stage.address() + half;
    long done = 0;
    do { // also of no bytes, which may be refused
      long part = Math.min(half, length - done);
      if (origin != null && part > 0) {
        MemorySegment.copy(origin, originAt + done, stage, 0, part);
      }
      int status = accumulate(target + done, operands, 0, results, 0, part, op, element, exclusive);
      if (status < 0) {
        return status;
      }
      if (result != null) {
        MemorySegment.copy(stage, half, result, resultAt + done, part);
      }
      done += part;
    } while (done < length);
    return 0;
  }

  @Override
  public final void pack(Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed,
      long at, long length) {
    move(true, program, cursor, memory, offset, packed, at, length);
  }

  @Override
  public final void unpack(Program program, ProgramCursor cursor, MemorySegment memory, long offset,
      MemorySegment packed, long at, long length) {
    move(false, program, cursor, memory, offset, packed, at, length);
  }

  /** The cursor goes with the call: its words are few, and C is given no arrays. */
  private void move(
      boolean pack, Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed,
      long at, long length) {
    if (!LastingMemory.is(memory) || !LastingMemory.is(packed)) {
      if (pack) {
        JavaPacking.pack(program, cursor, memory, offset, packed, at, length);
      } else {
        JavaPacking.unpack(program, cursor, memory, offset, packed, at, length);
      }
      return;
    }
    MemorySegment stage = STAGE.get();
    MemorySegment words = program.lasting();
    long bytes = ProgramCursor.words(program) * ValueLayout.JAVA_LONG.byteSize();
    MemorySegment.copy(cursor.segment(), 0, stage, 0, bytes);
    if (pack) {
      datatypePack(words.address(), stage.address(), memory.address(), offset, packed.address(), at, length);
    } else {
      datatypeUnpack(words.address(), stage.address(), memory.address(), offset, packed.address(), at, length);
    }
    MemorySegment.copy(stage, 0, cursor.segment(), 0, bytes);
    Reference.reachabilityFence(words);
    Reference.reachabilityFence(memory);
    Reference.reachabilityFence(packed);
  }

  @Override
  public final void copy(Program to, ProgramCursor toCursor, MemorySegment destination, long toOffset, Program from,
      ProgramCursor fromCursor, MemorySegment source, long fromOffset, long length) {
    if (!LastingMemory.is(destination) || !LastingMemory.is(source)) {
      JavaPacking.copy(to, toCursor, destination, toOffset, from, fromCursor, source, fromOffset, length);
      return;
    }
    MemorySegment stage = STAGE.get();
    MemorySegment toWords = to.lasting();
    MemorySegment fromWords = from.lasting();
    long behind = ProgramCursor.words(to) * ValueLayout.JAVA_LONG.byteSize();
    long bytes = ProgramCursor.words(from) * ValueLayout.JAVA_LONG.byteSize();
    MemorySegment.copy(toCursor.segment(), 0, stage, 0, behind);
    MemorySegment.copy(fromCursor.segment(), 0, stage, behind, bytes);
    datatypeCopy(toWords.address(), stage.address(), destination.address(), toOffset, fromWords.address(),
        stage.address() + behind, source.address(), fromOffset, length);
    MemorySegment.copy(stage, 0, toCursor.segment(), 0, behind);
    MemorySegment.copy(stage, behind, fromCursor.segment(), 0, bytes);
    Reference.reachabilityFence(toWords);
    Reference.reachabilityFence(fromWords);
    Reference.reachabilityFence(destination);
    Reference.reachabilityFence(source);
  }

  @Override
  public final long read(int pid, long address, MemorySegment destination, long offset, long length) {
    return transfer(true, pid, address, destination, offset, length);
  }

  @Override
  public final long write(int pid, long address, MemorySegment source, long offset, long length) {
    return transfer(false, pid, address, source, offset, length);
  }

  private long transfer(boolean in, int pid, long address, MemorySegment local, long offset, long length) {
    if (LastingMemory.is(local)) {
      long status = call(in, pid, address, local, offset, length);
      Reference.reachabilityFence(local);
      return status;
    }
    MemorySegment stage = STAGE.get();
    for (long done = 0; done < length; done += MOST_PER_CALL) {
      long part = Math.min(MOST_PER_CALL, length - done);
      if (!in) {
        MemorySegment.copy(local, offset + done, stage, 0, part);
      }
      long status = call(in, pid, address + done, stage, 0, part);
      if (status < 0) {
        return status;
      }
      if (in) {
        MemorySegment.copy(stage, 0, local, offset + done, part);
      }
    }
    return length;
  }

  private long call(boolean in, int pid, long address, MemorySegment local, long offset, long length) {
    return in
        ? cmaRead(pid, address, local.address(), offset, length)
        : cmaWrite(pid, address, local.address(), offset, length);
  }

  @Override
  public final long readVector(int pid, MemorySegment remote, int remotes, MemorySegment local, int locals) {
    return cmaReadVector(pid, remote.address(), remotes, local.address(), locals);
  }

  @Override
  public final long writeVector(int pid, MemorySegment local, int locals, MemorySegment remote, int remotes) {
    return cmaWriteVector(pid, local.address(), locals, remote.address(), remotes);
  }

  @Override
  public final int allow(int pid) {
    return cmaAllow(pid);
  }

  @Override
  public final long export() {
    return xpmemExport();
  }

  @Override
  public final long reach(long segment, long address, long length) {
    return xpmemReach(segment, address, length);
  }

  @Override
  public final int unreach(long segment, long address, long length) {
    return xpmemUnreach(segment, address, length);
  }

  @Override
  public final int put(MemorySegment ring, int chunk, long filled, MemorySegment source, long offset, long length) {
    if (!LastingMemory.is(source)) {
      return CopyRing.put(ring, chunk, filled, source, offset, length);
    }
    long bytes = ring.byteSize() - CopyRingDescriptor.BYTES;
    int status = ringPut(ring.address(), bytes, chunk, filled, source.address(), offset, length);
    Reference.reachabilityFence(source);
    return status;
  }

  @Override
  public final int take(MemorySegment ring, int chunk, long drained, MemorySegment destination, long offset,
      long length) {
    if (!LastingMemory.is(destination)) {
      return CopyRing.take(ring, chunk, drained, destination, offset, length);
    }
    long bytes = ring.byteSize() - CopyRingDescriptor.BYTES;
    int status = ringTake(ring.address(), bytes, chunk, drained, destination.address(), offset, length);
    Reference.reachabilityFence(destination);
    return status;
  }

  @Override
  public final int advise(MemorySegment memory) {
    int status = hugeAdvise(memory.address(), memory.byteSize());
    Reference.reachabilityFence(memory);
    return status;
  }

  @Override
  public final int release(MemorySegment memory) {
    int status = pagesRelease(memory.address(), memory.byteSize());
    Reference.reachabilityFence(memory);
    return status;
  }

  @Override
  public final List<String> describe() {
    String copies = SpaceReport.text((text, capacity) -> copyDescribe(text.address(), capacity));
    return SpaceReport.lines(
        this, copies + "; arrays, and memory that another thread may free, by the JVM's", xpmemStatus());
  }
}
