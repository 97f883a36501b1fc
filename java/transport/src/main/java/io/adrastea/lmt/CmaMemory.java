package io.adrastea.lmt;

import io.adrastea.core.Spaces;

/** A peer's payload in the memory of its process, reached by CMA. Stretches are addresses there. */
final class CmaMemory extends RemoteMemory {
  private final Spaces spaces;
  private final Vectors vectors = new Vectors();

  CmaMemory(Spaces spaces) {
    this.spaces = spaces;
  }

  @Override
  long move(Transfer transfer, long position, long bytes, boolean in) {
    return isVector(transfer) ? moveVector(transfer, position, bytes, in) : super.move(transfer, position, bytes, in);
  }

  @Override
  long moveStretch(Transfer transfer, long address, long bytes, boolean in) {
    return in
        ? spaces.read(transfer.pid, address, local.memory, local.offset, bytes)
        : spaces.write(transfer.pid, address, local.memory, local.offset, bytes);
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
}
