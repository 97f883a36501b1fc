package io.adrastea.space;

import io.adrastea.core.Spaces;
import java.lang.foreign.MemorySegment;

/**
 * The memory of other ranks' processes, attached here by XPMEM [OpenSHMEM over XPMEM 2011, 3]. The bytes are copied in
 * Java, and whatever else is ever to be done with an attachment is a loop in Java, too: when the peer has ended, an
 * access throws an error that can be caught, where C would be killed by SIGBUS, and the JVM with it.
 */
final class XpmemMemory extends PeerMemory {
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
  long moveStretch(int peer, Exposure far, long address, long bytes, boolean in) {
    long here = spaces.reach(far.segment(), address, bytes);
    if (here < 0) {
      return here;
    }
    boolean held = true;
    try {
      MemorySegment there = MemorySegment.ofAddress(here).reinterpret(bytes);
      MemorySegment.copy(in ? there : local.memory(), in ? 0 : local.offset(), in ? local.memory() : there,
          in ? local.offset() : 0,
          bytes);
      held = false;
      int status = spaces.unreach(far.segment(), address, bytes);
      return status < 0 ? status : bytes;
    } catch (InternalError e) { // the memory is gone: alone, or with the process, or with what XPMEM knew of it
      int status = (int) spaces.reach(far.segment(), 0, 0);
      return status < 0 ? status : Spaces.FAULT;
    } finally {
      if (held) {
        spaces.unreach(far.segment(), address, bytes);
      }
    }
  }
}
