package io.adrastea.engine.window;

import io.adrastea.config.Tunable;
import io.adrastea.core.LastingMemory;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.space.Exposed;
import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * By which way a rank reaches memory that another member of a window has named: the first one that there is, or the one
 * that a setting asks for. It says too which memory of the program may be opened to others at all.
 */
final class WindowReach {
  private static final int WORD = Long.BYTES; // memory is whole words, so that narrow elements lie in one

  private final Resources resources;
  private final Members members;
  private final int rank;
  private final Exposed.Way wanted; // null: the first that there is

  WindowReach(Resources resources, Members members, int rank) {
    this.resources = resources;
    this.members = members;
    this.rank = rank;
    String way = Tunable.WINDOW.word();
    this.wanted = way.equals("auto") ? null : Exposed.Way.valueOf(way.toUpperCase(Locale.ROOT));
  }

  /** Whether the direct way may be taken where there is one. */
  boolean mayBeDirect() {
    return isAllowed(Exposed.Way.DIRECT);
  }

  private boolean isAllowed(Exposed.Way way) {
    return wanted == null || wanted == way;
  }

  /** Refuses memory of the program that the others cannot use as long as they may. */
  void requireLasting(String call, MemorySegment memory) {
    if (!memory.isNative()) {
      throw new ArgumentException(Reason.BUFFER,
          ("%s %s at rank %d: heap memory has no address that others can reach; allowed is native memory of "
              + "Job.allocate, Arena.global() and Arena.ofAuto()").formatted(call, memory, rank));
    }
    if (memory.isReadOnly()) {
      throw new ArgumentException(Reason.BUFFER,
          "%s %s at rank %d: the memory is read-only; a writable one is needed".formatted(call, memory, rank));
    }
    if (!LastingMemory.outlasts(memory, false)) {
      throw new ArgumentException(Reason.BUFFER,
          ("%s %s at rank %d: its arena can be closed while others use it; allowed is native memory of "
              + "Job.allocate, Arena.global() and Arena.ofAuto()").formatted(call, memory, rank));
    }
  }

  /**
   * Where memory of this rank begins in the segment's file; below zero: others reach it as memory of the process.
   * Refuses memory that is no shared allocation where a setting allows those alone.
   */
  long locate(MemorySegment memory) {
    if (memory.byteSize() == 0) {
      return 0;
    }
    long located = mayBeDirect() ? resources.heap().locate(memory, 0, memory.byteSize()) : -1;
    if (wanted == Exposed.Way.DIRECT && located < 0) {
      throw new ArgumentException(Reason.BUFFER,
          ("rank %d opens memory that is no shared allocation, and adrastea.window=direct allows those alone: take "
              + "memory of Job.allocate, or leave the setting at auto").formatted(rank));
    }
    return located;
  }

  /** So many bytes in whole words. */
  static long whole(long bytes) {
    return bytes + WORD - 1 & -WORD;
  }

  /** Bytes from a place in shared memory on, with all of the last word where words lie there as they do in memory. */
  private static long whole(long place, long bytes) {
    return (place & WORD - 1) == 0 ? whole(bytes) : bytes;
  }

  /** A shared allocation of a member, from a place in the segment's file on. */
  Exposed.Part shared(int member, long place, long bytes, int unit, long first) {
    int local = resources.peers().nodes().localRank(members.numbering().jobRank(member));
    MemorySegment there = resources.reach().reachTold(local, place, whole(place, bytes));
    return new Exposed.Part(Exposed.Way.DIRECT, bytes, unit, there, there.address(), null, first);
  }

  /** Memory of another member's process, from an address in it on; to be called inside the gate. */
  Exposed.Part foreign(int member, long start, long bytes, long segment, int unit, long first) {
    int peer = members.numbering().jobRank(member);
    RemoteMemory memory = resources.memory();
    Exposure exposure = new Exposure();
    exposure.set(Exposure.ADDRESS | Exposure.LASTING, segment);
    exposure.vector().add(start, bytes);
    int usable = memory.reaching(peer, exposure);
    if (isAllowed(Exposed.Way.XPMEM) && Space.XPMEM.isIn(usable)) {
      long here = resources.spaces().reach(segment, start, bytes);
      if (here >= 0) {
        MemorySegment there = MemorySegment.ofAddress(here).reinterpret(bytes);
        return new Exposed.Part(Exposed.Way.XPMEM, bytes, unit, there, start, exposure, first);
      }
    }
    if (isAllowed(Exposed.Way.CMA) && Space.CMA.isIn(usable)) {
      return new Exposed.Part(Exposed.Way.CMA, bytes, unit, null, start, exposure, first);
    }
    if (isAllowed(Exposed.Way.HANDLER)) {
      return new Exposed.Part(Exposed.Way.HANDLER, bytes, unit, null, start, exposure, first);
    }
    throw notOffered(peer);
  }

  /** Refuses a member whose memory is not reached by the way that a setting asks for, before there is any. */
  void requireOffered(int member, long segment) {
    int peer = members.numbering().jobRank(member);
    Space space = wanted == Exposed.Way.XPMEM ? Space.XPMEM : wanted == Exposed.Way.CMA ? Space.CMA : null;
    if (space == null || member == rank) {
      return;
    }
    if (space == Space.XPMEM && segment <= 0 || !space.isIn(resources.memory().reaching(peer))) {
      throw notOffered(peer);
    }
  }

  private AdrasteaException notOffered(int peer) {
    return new AdrasteaException(
        ("rank %s cannot be reached by adrastea.window=%s, which this system or that rank does not offer; leave the "
            + "setting at auto").formatted(members.name(peer), Tunable.WINDOW.value()));
  }
}
