package io.adrastea.space;

import io.adrastea.core.Spaces;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;
import java.lang.foreign.MemorySegment;

/**
 * The memory of other ranks' processes, attached here by XPMEM [OpenSHMEM over XPMEM 2011, 3]. The bytes are copied in
 * Java, and whatever else is ever to be done with an attachment is a loop in Java, too: when the peer has ended, an
 * access throws an error that can be caught, where C would be killed by SIGBUS, and the JVM with it.
 */
final class XpmemMemory extends PeerMemory {
  private final Spaces spaces;
  private final ElementCopy elements = new ElementCopy(null);

  XpmemMemory(Spaces spaces) {
    this.spaces = spaces;
  }

  @Override
  long move(Hand hand, int peer, Exposure far, long position, Payload near, Cursor cursor, long bytes, boolean in) {
    if (!hasElements(far, near)) {
      return super.move(hand, peer, far, position, near, cursor, bytes, in);
    }
    if (far.isTyped()) {
      return moveAttached(hand, far, far.lowest(), far.span(), position, near, cursor, bytes, in);
    }
    for (long done = 0; done < bytes;) {
      long some = Math.min(bytes - done, hand.there.bytesAt(far, position + done));
      long status =
          moveAttached(hand, far, hand.there.startAt(far, position + done), some, position + done, near, cursor,
              some, in);
      if (status < 0) {
        return status;
      }
      done += some;
    }
    return bytes;
  }

  @Override
  long moveStretch(Hand hand, int peer, Exposure far, long address, long bytes, boolean in) {
    return moveAttached(hand, far, address, bytes, 0, null, null, bytes, in);
  }

  /**
   * The error of an access comes from the copy itself when that is interpreted. In compiled code the copy ends early,
   * and the error comes at the next poll or call into C: at the latest when {@code unreach} returns, which therefore
   * stands in the same block.
   *
   * @param address of the peer's memory that is to be there, {@code span} bytes
   * @param near null: a stretch, {@code hand.local}
   */
  private long moveAttached(Hand hand, Exposure far, long address, long span, long position, Payload near,
      Cursor cursor,
      long bytes, boolean in) {
    long here = spaces.reach(far.segment(), address, span);
    if (here < 0) {
      return here;
    }
    boolean held = true;
    try {
      MemorySegment there = MemorySegment.ofAddress(here).reinterpret(span);
      if (near == null) {
        Stretch local = hand.local;
        MemorySegment.copy(in ? there : local.memory(), in ? 0 : local.offset(), in ? local.memory() : there,
            in ? local.offset() : 0,
            bytes);
      } else if (far.isTyped()) {
        elements.move(hand, far, position, there, far.vector().start(0) - address, near, cursor, bytes, in);
      } else {
        elements.move(there, 0, (Typed) near, cursor, bytes, in);
      }
      held = false;
      int status = spaces.unreach(far.segment(), address, span);
      return status < 0 ? status : bytes;
    } catch (InternalError e) { // the memory is gone: alone, or with the process, or with what XPMEM knew of it
      int status = (int) spaces.reach(far.segment(), 0, 0);
      return status < 0 ? status : Spaces.FAULT;
    } finally {
      if (held) {
        spaces.unreach(far.segment(), address, span);
      }
    }
  }
}
