package io.adrastea.space;

import io.adrastea.core.Spaces;
import io.adrastea.shared.SharedReach;

/** The shared allocations of other ranks, mapped here. */
final class SharedMemory extends PeerMemory {
  private final Spaces spaces;
  private final SharedReach reach;

  SharedMemory(Spaces spaces, SharedReach reach) {
    this.spaces = spaces;
    this.reach = reach;
  }

  @Override
  long moveStretch(int peer, Exposure far, long start, long bytes, boolean in) {
    SharedReach.Mapping mapping = reach.mapping(peer, start, bytes);
    long offset = start - mapping.offset();
    if (in) {
      spaces.copy(mapping.memory(), offset, local.memory(), local.offset(), bytes);
    } else {
      spaces.copy(local.memory(), local.offset(), mapping.memory(), offset, bytes);
    }
    return bytes;
  }
}
