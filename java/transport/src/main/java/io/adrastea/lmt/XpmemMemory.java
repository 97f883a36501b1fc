package io.adrastea.lmt;

import io.adrastea.core.Spaces;
import java.lang.foreign.MemorySegment;

/**
 * A peer's payload in the memory of its process, attached here by XPMEM. Stretches are addresses there. Copied in Java: when the peer has
 * ended an access is an error that can be caught, where C would end the process.
 */
final class XpmemMemory implements RemoteMemory {
  private final Spaces spaces;
  private final Stretch local = new Stretch();

  XpmemMemory(Spaces spaces) {
    this.spaces = spaces;
  }

  @Override
  public long read(Transfer transfer, long position, long bytes) {
    return move(transfer, position, bytes, true);
  }

  @Override
  public long write(Transfer transfer, long position, long bytes) {
    return move(transfer, position, bytes, false);
  }

  private long move(Transfer transfer, long position, long bytes, boolean in) {
    for (long done = 0; done < bytes; ) {
      long at = position + done;
      transfer.payload.at(at, local);
      long now = Math.min(bytes - done, Math.min(local.bytes, transfer.remote.bytesAt(at)));
      long status = attached(transfer, transfer.remote.startAt(at), now, in);
      if (status < 0) {
        return status;
      }
      done += now;
    }
    return bytes;
  }

  private long attached(Transfer transfer, long address, long bytes, boolean in) {
    MemorySegment far = spaces.reach(transfer.segment, address, bytes);
    if (far == null) {
      return Spaces.PERM; // by another way, then
    }
    try {
      MemorySegment.copy(in ? far : local.memory, in ? 0 : local.offset, in ? local.memory : far, in ? local.offset : 0, bytes);
      return bytes;
    } catch (InternalError e) { // the peer has ended, or has unmapped it
      return Spaces.FAULT;
    } finally {
      spaces.unreach(transfer.segment, address, bytes);
    }
  }
}
