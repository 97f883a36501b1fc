package io.adrastea.transfer;

import io.adrastea.core.Spaces;

/** What a pair of ranks can copy by, and what one message takes of that: chosen by its receiver ({@link Paths}). */
final class PathSelector {
  private static final int ALLOWED_SHIFT = 8; // in an RTS, above the flags of the buffer
  private static final int ABLE_SHIFT = 16;

  private final Node node;
  private final int able; // paths that this rank can copy by

  PathSelector(Node node, int able) {
    this.node = node;
    this.able = able;
  }

  private int able() {
    return node.hasXpmem() ? able : able & ~Path.XPMEM.bit();
  }

  /** What the sender of a message says of its buffer and of itself. */
  int offers(Transfer transfer) {
    int usable = able() & ~node.pair(transfer).refused;
    return transfer.own.flags | node.settings.paths() << ALLOWED_SHIFT | usable << ABLE_SHIFT;
  }

  /** Whether the message lies in a shared allocation that may be used. */
  boolean isShared(Transfer transfer) {
    return (transfer.offers & Exposure.SHARED) != 0 && Path.SHARED.isIn(allowed(transfer));
  }

  /** What the settings of both ends allow. */
  private int allowed(Transfer transfer) {
    return node.settings.paths() & transfer.offers >>> ALLOWED_SHIFT;
  }

  /** Receiver: what each end could copy the message through. */
  void choose(Transfer transfer) {
    int allowed = allowed(transfer);
    transfer.reading = Paths.reading(transfer.offers, allowed & able() & readable(transfer));
    transfer.ownSegment = writesAttached(transfer, allowed) ? node.segment() : 0;
    transfer.writing = Paths.writing(transfer.own.flags, allowed & transfer.offers >>> ABLE_SHIFT & writable(transfer));
  }

  /** Whether the sender may be asked to write to this rank's memory by XPMEM. */
  private boolean writesAttached(Transfer transfer, int allowed) {
    boolean open =
        (transfer.own.flags & Exposure.ADDRESS) != 0 && Path.XPMEM.isIn(allowed & transfer.offers >>> ABLE_SHIFT);
    long splitBytes = node.settings.splitBytes();
    return open && (transfer.reading == null || splitBytes != 0 && transfer.wanted >= splitBytes);
  }

  /** What works from the sender's memory to here. CMA is tried before it is relied on. */
  private int readable(Transfer transfer) {
    Pair pair = node.pair(transfer);
    boolean addresses = (transfer.offers & Exposure.ADDRESS) != 0;
    if (addresses && !pair.probed && Path.CMA.isIn(able)) {
      pair.probed = true;
      long status = transfer.pid == 0 ? Spaces.PERM : node.probe(transfer.pid, transfer.remote.startAt(0));
      if (status == Spaces.PERM || status == Spaces.NOSYS) {
        pair.refused |= Path.CMA.bit();
        node.wire.refused(transfer.peer, Path.CMA, (int) status);
      }
    }
    int exported = transfer.segment > 0 ? Path.all() : ~Path.XPMEM.bit();
    return ~pair.refused & exported;
  }

  /** What works from the sender to this rank's memory. */
  private int writable(Transfer transfer) {
    int exported = transfer.ownSegment > 0 ? Path.all() : ~Path.XPMEM.bit();
    int addressed = transfer.pid != 0 ? Path.all() : ~Path.CMA.bit();
    return ~node.pair(transfer).refused & exported & addressed;
  }
}
