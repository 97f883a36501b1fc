package io.adrastea.transfer;

import io.adrastea.core.Spaces;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory of other processes as this rank can reach it, path by path, and what it exports of its own: the XPMEM
 * segment of this process.
 */
final class RemoteMemories {
  private final Spaces spaces;
  private final Wire wire;
  private final int[] pids; // of the ranks' processes; 0: it cannot be addressed from here
  private final RemoteMemory[] memories = new RemoteMemory[Path.values().length]; // null for the ring
  private final MemorySegment probe = Arena.ofAuto().allocate(Long.BYTES);
  private long segment; // XPMEM segment id of this process; 0: none, or it is lost

  RemoteMemories(Transfers.Context context, Wire wire) {
    this.spaces = context.spaces();
    this.wire = wire;
    this.pids = context.pids();
    this.segment = Path.XPMEM.isIn(context.settings().paths()) ? Math.max(0, spaces.export()) : 0;
    memories[Path.SHARED.ordinal()] = new SharedMemory(spaces, context.reach());
    memories[Path.XPMEM.ordinal()] = new XpmemMemory(spaces);
    memories[Path.CMA.ordinal()] = new CmaMemory(spaces, wire, pids);
  }

  /** The memory that a path reaches; null: there is no such path, or it is the ring. */
  RemoteMemory of(Path path) {
    return path == null ? null : memories[path.ordinal()];
  }

  /** Paths by which this rank can copy, whatever the settings. */
  int able() {
    boolean cma = spaces.read(0, 0, probe, 0, 0) != Spaces.NOSYS;
    return Path.SHARED.bit()
        | Path.RING.bit()
        | (cma ? Path.CMA.bit() : 0)
        | (segment > 0 ? Path.XPMEM.bit() : 0);
  }

  /**
   * The XPMEM segment id of this process, which a peer may use for memory that stays until the transfer is over; 0:
   * there is none. Asks the kernel each time, since it may have been lost meanwhile.
   */
  long segment() {
    if (segment > 0 && spaces.export() != segment) {
      loseXpmem();
    }
    return segment;
  }

  /** Whether this rank can still copy by XPMEM. */
  boolean hasXpmem() {
    return segment > 0;
  }

  /** Another user of XPMEM has ended it for this process: it is not used any more, with any peer. */
  void loseXpmem() {
    if (segment > 0) {
      segment = 0;
      wire.lostXpmem();
    }
  }

  /** Whether the process of a rank has a number here. */
  boolean isAddressable(int peer) {
    return pids[peer] != 0;
  }

  /** Tries CMA: reads a byte of a rank's process. 1, or a negative errno value. */
  long tryCma(int peer, long address) {
    return isAddressable(peer) ? spaces.read(pids[peer], address, probe, 0, 1) : Spaces.PERM;
  }
}
