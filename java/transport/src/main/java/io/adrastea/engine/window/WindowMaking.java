package io.adrastea.engine.window;

import io.adrastea.config.Tunable;
import io.adrastea.core.LastingMemory;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Form;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.SegmentException;
import io.adrastea.payload.Contiguous;
import io.adrastea.ranktable.Capability;
import io.adrastea.space.Exposed;
import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;
import io.adrastea.window.WindowBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * A window that is being made, which all members do together: each takes memory of its own, one allgather tells all
 * where it lies, or that a member has failed, and an agreement tells whether all have reached all. A member that fails
 * keeps all others from having the window, and nothing is left of it.
 */
final class WindowMaking {
  private static final long ALIGNMENT = 128; // no two ranks' memory shares a cache line
  private static final int WORD = Long.BYTES; // memory is whole words, so that narrow elements lie in one

  private final Resources resources;
  private final Collectives collectives;
  private final Members members;
  private final int rank;
  private final Exposed.Way wanted; // null: the first that there is

  /**
   * What the members have told each other.
   *
   * @param local memory of this rank
   * @param block of this rank
   * @param allocation the memory in the shared heap that the window owns; null: none
   * @param blocks of all members
   */
  record Made(MemorySegment local, MemorySegment block, MemorySegment allocation, Exposed exposed,
      MemorySegment... blocks) {}

  private MemorySegment block; // null: not taken yet
  private MemorySegment local;
  private MemorySegment words; // private memory around that, which has its last word whole; null: there is no more
  private long located = -1; // where that begins in the segment's file; below zero: it is private memory
  private MemorySegment allocation; // of shared memory, which the window owns; null: none
  private Exposed.Part[] parts = {}; // null: not reached yet
  private RuntimeException failure; // of this rank; null: none
  private boolean lacksMemory; // that failure is want of native memory

  WindowMaking(Resources resources, Collectives collectives, Members members, int rank) {
    this.resources = resources;
    this.collectives = collectives;
    this.members = members;
    this.rank = rank;
    String way = Tunable.WINDOW.word();
    this.wanted = way.equals("auto") ? null : Exposed.Way.valueOf(way.toUpperCase(Locale.ROOT));
  }

  /** Refuses members that cannot take part, before anything is begun. */
  void requireAble() {
    for (int member = 0; member < members.numbering().size(); member++) {
      int peer = jobRank(member);
      int local = resources.peers().nodes().localRank(peer);
      if (!resources.table().has(local, Capability.WINDOWS)) {
        throw new CapabilityException(
            member, peer, "a window with rank %s, which %s".formatted(
                members.name(peer), resources.table().lack(local, Capability.WINDOWS)));
      }
    }
  }

  /** This rank is not to have the window, and so nobody is. */
  void refuse(RuntimeException cause) {
    failure = cause;
  }

  /** Takes memory of that many bytes for this rank, all zeros. */
  Made allocate(long bytes, int unit) {
    try {
      block = resources.heap().allocate(WindowBlock.bytes(members.numbering().size()), ALIGNMENT);
      if (bytes == 0) {
        local = MemorySegment.NULL;
      } else if (wanted == null || wanted == Exposed.Way.DIRECT) {
        allocation = resources.heap().allocate(whole(bytes), ALIGNMENT);
        local = allocation.asSlice(0, bytes);
      } else {
        words = Arena.ofAuto().allocate(whole(bytes), ALIGNMENT);
        local = words.asSlice(0, bytes);
      }
      locate();
    } catch (SegmentException e) {
      failure = e;
    } catch (OutOfMemoryError e) {
      lacksMemory = true;
      failure = new AdrasteaException(
          ("rank %d has no native memory of %d bytes for its part of a window: %s; free memory, raise "
              + "-XX:MaxDirectMemorySize, or ask for less").formatted(rank, bytes, e.getMessage()),
          e);
    }
    return make(unit);
  }

  private static long whole(long bytes) {
    return bytes + WORD - 1 & -WORD;
  }

  /** Bytes from a place in shared memory on, with all of the last word where words lie there as they do in memory. */
  private static long whole(long start, long bytes) {
    return (start & WORD - 1) == 0 ? whole(bytes) : bytes;
  }

  /** Opens memory of the program to the others. */
  Made over(MemorySegment memory, int unit) {
    local = memory;
    try {
      requireLasting(memory);
      block = resources.heap().allocate(WindowBlock.bytes(members.numbering().size()), ALIGNMENT);
      locate();
      if (wanted == Exposed.Way.DIRECT && located < 0 && memory.byteSize() > 0) {
        throw new ArgumentException(Reason.BUFFER,
            ("rank %d opens memory that is no shared allocation, and adrastea.window=direct allows those alone: take "
                + "memory of Job.allocate, or leave the setting at auto").formatted(rank));
      }
    } catch (SegmentException | IllegalArgumentException e) {
      failure = e;
    }
    return make(unit);
  }

  private void requireLasting(MemorySegment memory) {
    if (memory.byteSize() == 0) {
      return;
    }
    if (!memory.isNative()) {
      throw new ArgumentException(Reason.BUFFER,
          ("a window over %s at rank %d: heap memory has no address that others can reach; allowed is native memory of "
              + "Job.allocate, Arena.global() and Arena.ofAuto()").formatted(memory, rank));
    }
    if (memory.isReadOnly()) {
      throw new ArgumentException(Reason.BUFFER,
          "a window over %s at rank %d: the memory is read-only; a writable one is needed".formatted(memory, rank));
    }
    if (!LastingMemory.outlasts(memory, false)) {
      throw new ArgumentException(Reason.BUFFER,
          ("a window over %s at rank %d: its arena can be closed while others use it; allowed is native memory of "
              + "Job.allocate, Arena.global() and Arena.ofAuto()").formatted(memory, rank));
    }
  }

  private void locate() {
    located = local.byteSize() == 0 ? 0 : resources.heap().locate(local, 0, local.byteSize());
    if (wanted != null && wanted != Exposed.Way.DIRECT && local.byteSize() != 0) {
      located = -1; // a setting asks for another way than the direct one
    }
  }

  private int jobRank(int member) {
    return members.numbering().jobRank(member);
  }

  private Made make(int unit) {
    MemorySegment lines = exchange(unit);
    requireAll(lines);
    try {
      return new Made(local, block, allocation, reach(lines), blocks(lines));
    } catch (RuntimeException e) {
      failure = e;
      return null;
    }
  }

  /** Agrees with all members that each has reached all. */
  void confirm() {
    int all = collectives.agreement().agree(failure == null ? 1 : 0);
    if (failure != null) {
      throw failure;
    }
    if (all == 0) {
      throw new AdrasteaException(
          "%s: a member could not reach the memory of all others, and has thrown why; no window was made"
              .formatted(members.label()));
    }
  }

  /** Nothing was made: frees what was taken. */
  void giveBack() {
    for (Exposed.Part part : parts) {
      if (part != null) {
        Attachments.detach(resources.spaces(), part);
      }
    }
    if (block != null) {
      resources.heap().free(block);
    }
    if (allocation != null) {
      resources.heap().free(allocation);
    }
  }

  /** Tells all members where the memory of each lies. */
  private MemorySegment exchange(int unit) {
    MemorySegment own = MemorySegment.ofArray(new byte[WindowLine.BYTES]);
    MemorySegment lines = MemorySegment.ofArray(new byte[WindowLine.BYTES * members.numbering().size()]);
    WindowLine line = WindowLine.of(own, 0);
    if (failure != null) {
      boolean noRoom = failure instanceof SegmentException;
      int kept = lacksMemory ? WindowLine.NO_MEMORY : noRoom ? WindowLine.NO_ROOM : WindowLine.OTHER_FAILURE;
      line.write(WindowLine.SHARED, kept, unit, 0, 0, 0, 0);
    } else if (located >= 0) {
      line.write(WindowLine.SHARED, WindowLine.NO_FAILURE, unit, local.byteSize(), located,
          resources.heap().offset(block), 0);
    } else {
      line.write(WindowLine.ADDRESS, WindowLine.NO_FAILURE, unit, local.byteSize(), local.address(),
          resources.heap().offset(block), resources.memory().segment());
    }
    collectives.allgather(Form.BLOCKING, new Contiguous(own, 0, WindowLine.BYTES),
        new Contiguous(lines, 0, lines.byteSize()), WindowLine.BYTES, 0);
    return lines;
  }

  /** Refuses the window on all members alike where one has failed. */
  private void requireAll(MemorySegment lines) {
    if (failure != null) {
      throw failure;
    }
    for (int member = 0; member < members.numbering().size(); member++) {
      WindowLine line = WindowLine.of(lines, member);
      if (line.failure() == WindowLine.NO_ROOM) {
        throw new SegmentException(
            "rank %s has no room in shared memory for its part of a window; no rank has made any: free memory, or ask "
                .formatted(members.name(jobRank(member))) + "for less of it");
      }
      if (line.failure() == WindowLine.NO_MEMORY) {
        throw new AdrasteaException(
            "rank %s has no native memory for its part of a window; no rank has made any: free memory there, or ask "
                .formatted(members.name(jobRank(member))) + "for less of it");
      }
      if (line.failure() != WindowLine.NO_FAILURE) {
        throw new AdrasteaException(
            "rank %s could not open its memory as a window, and has thrown why; no rank has made any"
                .formatted(members.name(jobRank(member))));
      }
      if (!line.isKnown()) {
        throw new SegmentException(
            "rank %s tells of a part of a window that this version does not know; run the same version in all ranks"
                .formatted(members.name(jobRank(member))));
      }
    }
  }

  private MemorySegment[] blocks(MemorySegment lines) {
    int size = members.numbering().size();
    long bytes = WindowBlock.bytes(size);
    MemorySegment[] blocks = new MemorySegment[size];
    for (int member = 0; member < size; member++) {
      blocks[member] = resources.reach().reachTold(
          resources.peers().nodes().localRank(jobRank(member)), WindowLine.of(lines, member).block(), bytes);
    }
    return blocks;
  }

  private Exposed reach(MemorySegment lines) {
    parts = new Exposed.Part[members.numbering().size()];
    resources.gate().enter(); // what is learnt of peers
    try {
      for (int member = 0; member < parts.length; member++) {
        parts[member] = part(member, WindowLine.of(lines, member));
      }
    } finally {
      resources.gate().exit();
    }
    return Exposed.of(parts);
  }

  private Exposed.Part part(int member, WindowLine line) {
    int unit = (int) line.unit();
    if (line.bytes() == 0) {
      return new Exposed.Part(Exposed.Way.DIRECT, 0, unit, MemorySegment.NULL, 0, null);
    }
    if (line.kind() == WindowLine.SHARED) {
      int local = resources.peers().nodes().localRank(jobRank(member));
      MemorySegment there = resources.reach().reachTold(local, line.start(), whole(line.start(), line.bytes()));
      return new Exposed.Part(Exposed.Way.DIRECT, line.bytes(), unit, there, there.address(), null);
    }
    if (member == rank) {
      MemorySegment here = words == null ? local : words;
      return new Exposed.Part(Exposed.Way.DIRECT, line.bytes(), unit, here, here.address(), null);
    }
    return privatePart(member, line, unit);
  }

  private Exposed.Part privatePart(int member, WindowLine line, int unit) {
    int peer = jobRank(member);
    RemoteMemory memory = resources.memory();
    Exposure exposure = new Exposure();
    exposure.set(Exposure.ADDRESS | Exposure.LASTING, line.xpmem());
    exposure.vector().add(line.start(), line.bytes());
    int usable = memory.reaching(peer, exposure);
    if (isAllowed(Exposed.Way.XPMEM) && Space.XPMEM.isIn(usable)) {
      long here = resources.spaces().reach(line.xpmem(), line.start(), line.bytes());
      if (here >= 0) {
        MemorySegment there = MemorySegment.ofAddress(here).reinterpret(line.bytes());
        return new Exposed.Part(Exposed.Way.XPMEM, line.bytes(), unit, there, line.start(), exposure);
      }
    }
    if (isAllowed(Exposed.Way.CMA) && Space.CMA.isIn(usable)) {
      return new Exposed.Part(Exposed.Way.CMA, line.bytes(), unit, null, line.start(), exposure);
    }
    if (isAllowed(Exposed.Way.HANDLER)) {
      return new Exposed.Part(Exposed.Way.HANDLER, line.bytes(), unit, null, line.start(), exposure);
    }
    throw new AdrasteaException(
        ("rank %s cannot be reached by adrastea.window=%s, which this system or that rank does not offer; leave the "
            + "setting at auto").formatted(members.name(peer), Tunable.WINDOW.value()));
  }

  private boolean isAllowed(Exposed.Way way) {
    return wanted == null || wanted == way;
  }
}
