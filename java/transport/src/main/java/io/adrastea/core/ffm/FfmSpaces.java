package io.adrastea.core.ffm;

import io.adrastea.core.SpaceReport;
import io.adrastea.core.Spaces;
import io.adrastea.datatype.Program;
import io.adrastea.datatype.ProgramCursor;
import io.adrastea.layout.CopyRingDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Large messages through {@code java.lang.foreign}. Arrays go to C as they are, piece by piece of 64 KiB, since every
 * thread of the JVM may wait for such a call; native memory goes in one call, however much it is.
 */
final class FfmSpaces implements Spaces {
  /** The one of this process. */
  static final FfmSpaces INSTANCE = new FfmSpaces();

  private FfmSpaces() {}

  @Override
  public void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    copy(false, source, sourceOffset, destination, destinationOffset, length);
  }

  @Override
  public void stream(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    copy(true, source, sourceOffset, destination, destinationOffset, length);
  }

  /**
   * A choice between two handles, not a handle as an argument: only of a constant one does the JIT make a plain call.
   */
  private static void copy(
      boolean past, MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
      long length) {
    try {
      if (length > MOST_PER_CALL && source.isNative() && destination.isNative()) {
        if (past) {
          NativeCopies.STREAM.invokeExact(source, sourceOffset, destination, destinationOffset, length);
        } else {
          NativeCopies.COPY.invokeExact(source, sourceOffset, destination, destinationOffset, length);
        }
        return;
      }
      for (long done = 0; done < length; done += MOST_PER_CALL) {
        long part = Math.min(MOST_PER_CALL, length - done);
        if (past) {
          NativeCopies.STREAM_PIECE.invokeExact(source, sourceOffset + done, destination, destinationOffset + done,
              part);
        } else {
          NativeCopies.COPY_PIECE.invokeExact(source, sourceOffset + done, destination, destinationOffset + done, part);
        }
      }
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int accumulate(MemorySegment target, long at, MemorySegment origin, long originAt, MemorySegment result,
      long resultAt, long length, int op, int element, boolean exclusive) {
    MemorySegment from = origin == null ? MemorySegment.NULL : origin;
    MemorySegment to = result == null ? MemorySegment.NULL : result;
    long address = target.address() + at;
    try {
      long done = 0;
      do { // also of no bytes, which may be refused
        long part = Math.min(MOST_PER_CALL, length - done);
        int status = (int) NativeCopies.ACCUMULATE.invokeExact(address + done, from, originAt + done, to,
            resultAt + done, part, op, element, exclusive ? 1 : 0);
        if (status < 0) {
          return status;
        }
        done += part;
      } while (done < length);
      return 0;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public void pack(Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed,
      long at, long length) {
    try {
      for (long done = 0; done < length; done += MOST_PER_CALL) {
        long part = Math.min(MOST_PER_CALL, length - done);
        NativeCopies.DATATYPE_PACK.invokeExact(program.segment(), cursor.segment(), memory, offset, packed, at + done,
            part);
      }
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public void unpack(Program program, ProgramCursor cursor, MemorySegment memory, long offset, MemorySegment packed,
      long at, long length) {
    try {
      for (long done = 0; done < length; done += MOST_PER_CALL) {
        long part = Math.min(MOST_PER_CALL, length - done);
        NativeCopies.DATATYPE_UNPACK.invokeExact(program.segment(), cursor.segment(), memory, offset, packed, at + done,
            part);
      }
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public void copy(Program to, ProgramCursor toCursor, MemorySegment destination, long toOffset, Program from,
      ProgramCursor fromCursor, MemorySegment source, long fromOffset, long length) {
    try {
      for (long done = 0; done < length; done += MOST_PER_CALL) {
        long part = Math.min(MOST_PER_CALL, length - done);
        NativeCopies.DATATYPE_COPY.invokeExact(to.segment(), toCursor.segment(), destination, toOffset, from.segment(),
            fromCursor.segment(), source, fromOffset, part);
      }
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public long read(int pid, long address, MemorySegment destination, long offset, long length) {
    return transfer(true, pid, address, destination, offset, length);
  }

  @Override
  public long write(int pid, long address, MemorySegment source, long offset, long length) {
    return transfer(false, pid, address, source, offset, length);
  }

  private static long transfer(boolean in, int pid, long address, MemorySegment local, long offset, long length) {
    try {
      if (local.isNative()) {
        return in
            ? (long) Native.CMA_READ.handle().invokeExact(pid, address, local, offset, length)
            : (long) Native.CMA_WRITE.handle().invokeExact(pid, address, local, offset, length);
      }
      for (long done = 0; done < length; done += MOST_PER_CALL) {
        long part = Math.min(MOST_PER_CALL, length - done);
        long status =
            in
                ? (long) NativeCopies.CMA_READ_PIECE.invokeExact(pid, address + done, local, offset + done, part)
                : (long) NativeCopies.CMA_WRITE_PIECE.invokeExact(pid, address + done, local, offset + done, part);
        if (status < 0) {
          return status;
        }
      }
      return length;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public long readVector(int pid, MemorySegment remote, int remotes, MemorySegment local, int locals) {
    try {
      return (long) Native.CMA_READ_VECTOR.handle()
          .invokeExact(pid, remote.address(), remotes, local.address(), locals);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public long writeVector(int pid, MemorySegment local, int locals, MemorySegment remote, int remotes) {
    try {
      return (long) Native.CMA_WRITE_VECTOR.handle()
          .invokeExact(pid, local.address(), locals, remote.address(), remotes);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int allow(int pid) {
    try {
      return (int) Native.CMA_ALLOW.handle().invokeExact(pid);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public long export() {
    try {
      return (long) Native.XPMEM_EXPORT.handle().invokeExact();
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public long reach(long segment, long address, long length) {
    try {
      return (long) Native.XPMEM_REACH.handle().invokeExact(segment, address, length);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int unreach(long segment, long address, long length) {
    try {
      return (int) Native.XPMEM_UNREACH.handle().invokeExact(segment, address, length);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int put(MemorySegment ring, int chunk, long filled, MemorySegment source, long offset, long length) {
    try {
      long bytes = ring.byteSize() - CopyRingDescriptor.BYTES;
      return (int) NativeCopies.RING_PUT.invokeExact(ring.address(), bytes, (long) chunk, filled, source, offset,
          length);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int take(MemorySegment ring, int chunk, long drained, MemorySegment destination, long offset, long length) {
    try {
      long bytes = ring.byteSize() - CopyRingDescriptor.BYTES;
      return (int) NativeCopies.RING_TAKE.invokeExact(ring.address(), bytes, (long) chunk, drained, destination, offset,
          length);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int advise(MemorySegment memory) {
    try {
      return (int) Native.HUGE_ADVISE.handle().invokeExact(memory, memory.byteSize());
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int release(MemorySegment memory) {
    try {
      return (int) Native.PAGES_RELEASE.handle().invokeExact(memory, memory.byteSize());
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public List<String> describe() {
    try {
      return SpaceReport.lines(this, SpaceReport.text(FfmSpaces::describe),
          (int) Native.XPMEM_STATUS.handle().invokeExact());
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  private static int describe(MemorySegment text, int capacity) {
    try {
      return (int) Native.COPY_DESCRIBE.handle().invokeExact(text, capacity);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }
}
