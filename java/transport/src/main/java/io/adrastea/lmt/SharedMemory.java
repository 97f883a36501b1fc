package io.adrastea.lmt;

import io.adrastea.core.Spaces;
import io.adrastea.shared.SharedReach;

/** A peer's payload in its shared allocations, mapped here. Stretches are offsets in the segment's file. */
final class SharedMemory implements RemoteMemory {
  private final Spaces spaces;
  private final SharedReach reach;
  private final Stretch local = new Stretch();

  SharedMemory(Spaces spaces, SharedReach reach) {
    this.spaces = spaces;
    this.reach = reach;
  }

  @Override
  public long read(Transfer transfer, long position, long bytes) {
    return move(transfer, position, bytes, true);
  }

  @Override
  public long write(Transfer transfer, long position, long bytes) {
    return move(transfer, position, bytes, false);
  }

  private long move(Transfer transfer, long position, long bytes, boolean in) {
    for (long done = 0; done < bytes; ) {
      long at = position + done;
      transfer.payload.at(at, local);
      long far = transfer.remote.startAt(at);
      long now = Math.min(bytes - done, Math.min(local.bytes, transfer.remote.bytesAt(at)));
      SharedReach.Mapping mapping = reach.mapping(transfer.peer, far, now);
      long offset = far - mapping.offset();
      if (in) {
        spaces.copy(mapping.memory(), offset, local.memory, local.offset, now);
      } else {
        spaces.copy(local.memory, local.offset, mapping.memory(), offset, now);
      }
      done += now;
    }
    return bytes;
  }
}
