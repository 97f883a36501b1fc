package io.adrastea.space;

import io.adrastea.core.Spaces;
import io.adrastea.shared.SharedReach;

/** The shared allocations of other ranks of this node, mapped here. */
final class SharedMemory extends PeerMemory {
  private final Spaces spaces;
  private final SharedReach reach;

  private final int[] localRanks;

  SharedMemory(Spaces spaces, SharedReach reach, int[] localRanks) {
    this.spaces = spaces;
    this.reach = reach;
    this.localRanks = localRanks;
  }

  /** The region of a peer that holds these bytes; errors as of {@link SharedReach#mapping}. */
  SharedReach.Mapping mapping(int peer, long offset, long bytes) {
    return reach.mapping(localRanks[peer], offset, bytes);
  }

  @Override
  long moveStretch(int peer, Exposure far, long start, long bytes, boolean in) {
    SharedReach.Mapping mapping = mapping(peer, start, bytes);
    long offset = start - mapping.offset();
    if (in) {
      spaces.copy(mapping.memory(), offset, local.memory(), local.offset(), bytes);
    } else {
      spaces.copy(local.memory(), local.offset(), mapping.memory(), offset, bytes);
    }
    return bytes;
  }
}
