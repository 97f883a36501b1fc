package io.adrastea.transfer;

import io.adrastea.core.Spaces;
import java.lang.foreign.MemorySegment;

/**
 * A peer's payload in the memory of its process, attached here by XPMEM. Its entries are addresses there. Copied in
 * Java: when the peer has ended an access is an error that can be caught, where C would end the process.
 */
final class XpmemMemory extends RemoteMemory {
  private final Spaces spaces;

  XpmemMemory(Spaces spaces) {
    this.spaces = spaces;
  }

  /**
   * The error of an access comes from the copy itself when that is interpreted. In compiled code the copy ends early,
   * and the error comes at the next poll or call into C: at the latest when {@code unreach} returns, which therefore
   * stands in the same block.
   */
  @Override
  long moveEntry(Transfer transfer, long address, long bytes, boolean in) {
    long here = spaces.reach(transfer.segment, address, bytes);
    if (here < 0) {
      return here;
    }
    boolean held = true;
    try {
      MemorySegment far = MemorySegment.ofAddress(here).reinterpret(bytes);
      MemorySegment.copy(in ? far : local.memory, in ? 0 : local.offset, in ? local.memory : far, in ? local.offset : 0,
          bytes);
      held = false;
      int status = spaces.unreach(transfer.segment, address, bytes);
      return status < 0 ? status : bytes;
    } catch (InternalError e) { // the memory is gone: alone, or with the process, or with what XPMEM knew of it
      int status = (int) spaces.reach(transfer.segment, 0, 0);
      return status < 0 ? status : Spaces.FAULT;
    } finally {
      if (held) {
        spaces.unreach(transfer.segment, address, bytes);
      }
    }
  }
}
