package io.adrastea.space;

import io.adrastea.core.Spaces;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Typed;
import io.adrastea.shared.SharedReach;

/** The shared allocations of other ranks of this node, mapped here. */
final class SharedMemory extends PeerMemory {
  private final Spaces spaces;
  private final SharedReach reach;
  private final ElementCopy elements;
  private final int[] localRanks;

  SharedMemory(Spaces spaces, SharedReach reach, int[] localRanks) {
    this.spaces = spaces;
    this.reach = reach;
    this.elements = new ElementCopy(spaces);
    this.localRanks = localRanks;
  }

  /** The region of a peer that holds these bytes; errors as of {@link SharedReach#mapping}. */
  SharedReach.Mapping mapping(int peer, long offset, long bytes) {
    return reach.mapping(localRanks[peer], offset, bytes);
  }

  @Override
  long move(Hand hand, int peer, Exposure far, long position, Payload near, Cursor cursor, long bytes, boolean in) {
    if (!hasElements(far, near)) {
      return super.move(hand, peer, far, position, near, cursor, bytes, in);
    }
    if (far.isTyped()) {
      SharedReach.Mapping mapping = mapping(peer, far.lowest(), far.span());
      long origin = far.vector().start(0) - mapping.offset();
      elements.move(hand, far, position, mapping.memory(), origin, near, cursor, bytes, in);
      return bytes;
    }
    for (long done = 0; done < bytes;) {
      long start = hand.there.startAt(far, position + done);
      long some = Math.min(bytes - done, hand.there.bytesAt(far, position + done));
      SharedReach.Mapping mapping = mapping(peer, start, some);
      elements.move(mapping.memory(), start - mapping.offset(), (Typed) near, cursor, some, in);
      done += some;
    }
    return bytes;
  }

  @Override
  long moveStretch(Hand hand, int peer, Exposure far, long start, long bytes, boolean in) {
    SharedReach.Mapping mapping = mapping(peer, start, bytes);
    long offset = start - mapping.offset();
    if (in) {
      spaces.copy(mapping.memory(), offset, hand.local.memory(), hand.local.offset(), bytes);
    } else {
      spaces.copy(hand.local.memory(), hand.local.offset(), mapping.memory(), offset, bytes);
    }
    return bytes;
  }
}
