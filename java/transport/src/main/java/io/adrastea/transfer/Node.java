package io.adrastea.transfer;

import io.adrastea.core.Spaces;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What the paths of one rank work with. */
final class Node {
  final Spaces spaces;
  final SharedHeap heap;
  final SharedReach reach;
  final TransferSettings settings;
  final Wire wire;
  final int mostEntries;
  private long segment; // XPMEM segment id of this process; 0: none, or it is lost
  private final RemoteMemory[] memories = new RemoteMemory[Path.values().length];
  private final Pair[] pairs;
  private final MemorySegment probe = Arena.ofAuto().allocate(Long.BYTES);

  Node(Spaces spaces, SharedHeap heap, SharedReach reach, TransferSettings settings, Wire wire, int cellPayload,
      int[] pids) {
    this.spaces = spaces;
    this.heap = heap;
    this.reach = reach;
    this.settings = settings;
    this.wire = wire;
    this.mostEntries = Cookie.mostEntries(cellPayload);
    this.segment = Path.XPMEM.isIn(settings.paths()) ? Math.max(0, spaces.export()) : 0;
    memories[Path.SHARED.ordinal()] = new SharedMemory(spaces, reach);
    memories[Path.XPMEM.ordinal()] = new XpmemMemory(spaces);
    memories[Path.CMA.ordinal()] = new CmaMemory(this);
    pairs = new Pair[pids.length];
    for (int rank = 0; rank < pids.length; rank++) {
      pairs[rank] = new Pair(rank, pids[rank]);
    }
  }

  /**
   * The XPMEM segment id of this process, that a peer may use for memory that stays until the transfer is over; 0:
   * none. Asks the kernel, each time: it may have been lost since.
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

  /** Mechanisms that this rank can copy by, whatever the settings. */
  int able() {
    boolean cma = spaces.read(0, 0, probe, 0, 0) != Spaces.NOSYS;
    return Path.SHARED.bit()
        | Path.RING.bit()
        | (cma ? Path.CMA.bit() : 0)
        | (segment > 0 ? Path.XPMEM.bit() : 0);
  }

  /** Reads a byte of a process: 1, or a negative errno value. */
  long probe(int pid, long address) {
    return spaces.read(pid, address, probe, 0, 1);
  }

  Pair pair(Transfer transfer) {
    return pairs[transfer.peer];
  }

  RemoteMemory memory(Path path) {
    return path == null ? null : memories[path.ordinal()];
  }
}
