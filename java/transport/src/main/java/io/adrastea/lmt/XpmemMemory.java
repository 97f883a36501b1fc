package io.adrastea.lmt;

import io.adrastea.core.Spaces;
import java.lang.foreign.MemorySegment;

/**
 * A peer's payload in the memory of its process, attached here by XPMEM. Stretches are addresses there. Copied in Java: when the peer has
 * ended an access is an error that can be caught, where C would end the process.
 */
final class XpmemMemory extends RemoteMemory {
  private final Spaces spaces;

  XpmemMemory(Spaces spaces) {
    this.spaces = spaces;
  }

  @Override
  long moveStretch(Transfer transfer, long address, long bytes, boolean in) {
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
