package io.adrastea.peers;

import io.adrastea.core.SlotMember;
import java.lang.foreign.MemorySegment;

/** What a link has for collectives: places in the memory that its ranks share, one for each communicator. */
public interface Slots {
  /** The slot of all ranks that the link reaches, this one included: it lies in the segment from the beginning. */
  MemorySegment worldSlot();

  /**
   * One member's part of a slot.
   *
   * @param slot the slot, as it is mapped here
   * @param self the member's number in the communicator
   */
  SlotMember slotMember(MemorySegment slot, int self);
}
