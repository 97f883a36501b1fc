package io.adrastea.lmt;

import io.adrastea.core.Spaces;

/** A peer's payload in the memory of its process, reached by CMA. Stretches are addresses there. */
final class CmaMemory implements RemoteMemory {
  private final Spaces spaces;
  private final Vectors vectors = new Vectors();
  private final Stretch local = new Stretch();

  CmaMemory(Spaces spaces) {
    this.spaces = spaces;
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
    if (isVector(transfer)) {
      return moveVector(transfer, position, bytes, in);
    }
    for (long done = 0; done < bytes; ) {
      long now = stretch(transfer, position + done, bytes - done);
      long far = transfer.remote.startAt(position + done);
      long status =
          in
              ? spaces.read(transfer.pid, far, local.memory, local.offset, now)
              : spaces.write(transfer.pid, far, local.memory, local.offset, now);
      if (status < 0) {
        return status;
      }
      done += now;
    }
    return bytes;
  }

  private long moveVector(Transfer transfer, long position, long bytes, boolean in) {
    vectors.fill(transfer, position, bytes);
    return in
        ? spaces.readVector(transfer.pid, vectors.remote(), vectors.remotes(), vectors.local(), vectors.locals())
        : spaces.writeVector(transfer.pid, vectors.local(), vectors.locals(), vectors.remote(), vectors.remotes());
  }

  /** Lists save system calls; but only memory that cannot be freed meanwhile is told by its bare address. */
  private static boolean isVector(Transfer transfer) {
    boolean many = transfer.remote.count() > 1 || transfer.payload.stretches() > 1;
    return many && (transfer.own.flags & (Exposure.ADDRESS | Exposure.LASTING)) == (Exposure.ADDRESS | Exposure.LASTING);
  }

  /** Bytes from a position that lie in one stretch at both ends; {@code local} is this end's. */
  private long stretch(Transfer transfer, long position, long most) {
    transfer.payload.at(position, local);
    return Math.min(most, Math.min(local.bytes, transfer.remote.bytesAt(position)));
  }
}
