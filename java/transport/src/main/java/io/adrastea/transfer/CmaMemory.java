package io.adrastea.transfer;

import io.adrastea.core.Spaces;

/**
 * A peer's payload in the memory of its process, reached by CMA. Its entries are addresses there.
 *
 * <p>
 * CMA names a process by its number, which may be another process's when the peer has died: a message can lie here for
 * minutes before it is matched. So each step begins with a look at the peer that is at most {@link #SIGHT_NANOS} old.
 * In that time no number comes round again, since the system gives them in turn.
 */
final class CmaMemory extends RemoteMemory {
  private static final long SIGHT_NANOS = 100_000_000;

  private final Node node;
  private final Spaces spaces;
  private final Vectors vectors = new Vectors();

  CmaMemory(Node node) {
    this.node = node;
    this.spaces = node.spaces;
  }

  @Override
  long move(Transfer transfer, long position, long bytes, boolean in) {
    if (!isThere(node.pair(transfer))) {
      return Spaces.SRCH;
    }
    return isVector(transfer) ? moveVector(transfer, position, bytes, in) : super.move(transfer, position, bytes, in);
  }

  @Override
  long moveEntry(Transfer transfer, long address, long bytes, boolean in) {
    return in
        ? spaces.read(transfer.pid, address, local.memory, local.offset, bytes)
        : spaces.write(transfer.pid, address, local.memory, local.offset, bytes);
  }

  /** Looks not at each message: that would be garbage. */
  private boolean isThere(Pair pair) {
    long now = System.nanoTime();
    if (!pair.seen || now - pair.seenAt > SIGHT_NANOS) {
      pair.seen = node.wire.isThere(pair.rank);
      pair.seenAt = now;
    }
    return pair.seen;
  }

  private long moveVector(Transfer transfer, long position, long bytes, boolean in) {
    vectors.fill(transfer, position, bytes);
    return in
        ? spaces.readVector(transfer.pid, vectors.remote(), vectors.remotes(), vectors.local(), vectors.locals())
        : spaces.writeVector(transfer.pid, vectors.local(), vectors.locals(), vectors.remote(), vectors.remotes());
  }

  /** Lists save system calls; but only memory that cannot be freed meanwhile is told by its bare address. */
  private static boolean isVector(Transfer transfer) {
    boolean many = transfer.remote.count() > 1 || transfer.payload.entries() > 1;
    return many
        && (transfer.own.flags & (Exposure.ADDRESS | Exposure.LASTING)) == (Exposure.ADDRESS | Exposure.LASTING);
  }
}
