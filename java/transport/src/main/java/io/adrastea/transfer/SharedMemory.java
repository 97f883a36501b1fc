package io.adrastea.transfer;

import io.adrastea.core.Spaces;
import io.adrastea.shared.SharedReach;

/** A peer's payload in its shared allocations, mapped here. Its entries are offsets in the segment's file. */
final class SharedMemory extends RemoteMemory {
  private final Spaces spaces;
  private final SharedReach reach;

  SharedMemory(Spaces spaces, SharedReach reach) {
    this.spaces = spaces;
    this.reach = reach;
  }

  @Override
  long moveEntry(Transfer transfer, long far, long bytes, boolean in) {
    SharedReach.Mapping mapping = reach.mapping(transfer.peer, far, bytes);
    long offset = far - mapping.offset();
    if (in) {
      spaces.copy(mapping.memory(), offset, local.memory, local.offset, bytes);
    } else {
      spaces.copy(local.memory, local.offset, mapping.memory(), offset, bytes);
    }
    return bytes;
  }
}
