<#include "/@lib/head.ftl">
<#include "/@lib/bindings.ftl">
<@made />
package io.adrastea.core.jna;

import com.sun.jna.Native;
import io.adrastea.core.AddressSlotMember;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;

/**
 * A member of a slot through JNA's direct mapping: each native method becomes the function of {@code adrastea/coll.h}
 * with the same name.
 */
final class JnaSlotMember extends AddressSlotMember {
  static {
    Native.register(JnaSlotMember.class, JnaCore.LIBRARY);
  }

  JnaSlotMember(Segment segment, MemorySegment slot, int self) {
    this(segment, slot, opened(segment, slot, self));
  }

  private JnaSlotMember(Segment segment, MemorySegment slot, long coll) {
    super(segment, slot, coll);
  }

  private static long opened(Segment segment, MemorySegment slot, int self) {
    MemorySegment opened = opened();
    int status =
        open(
            segment.memory().address(), segment.geometry().ranks(), slot.address(), slot.byteSize(), self,
            opened.address());
    return address(slot, self, status, opened);
  }

  // What this class and AddressSlotMember ask for: neither would compile without any of them.
<@natives of="SlotMember" statics=["open"] />
}
