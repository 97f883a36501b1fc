package io.adrastea.engine.window;

import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.collective.Form;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.SegmentException;
import io.adrastea.payload.Contiguous;
import io.adrastea.ranktable.Abilities;
import io.adrastea.ranktable.Capability;
import io.adrastea.space.Exposed;
import io.adrastea.window.WindowBlock;
import io.adrastea.window.WindowTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A window that is being made, which all members do together: each takes memory of its own, one allgather tells all
 * where it lies, or that a member has failed, and an agreement tells whether all have reached all. A member that fails
 * keeps all others from having the window, and nothing is left of it.
 */
final class WindowMaking {
  private static final long ALIGNMENT = 128; // no two ranks' memory shares a cache line

  private final Resources resources;
  private final Collectives collectives;
  private final Members members;
  private final int rank;
  private final WindowReach reach;

  /**
   * What the members have told each other.
   *
   * @param local memory of this rank
   * @param block of this rank
   * @param allocation the memory in the shared heap that the window owns, or the head of its table; null: none
   * @param heads of the tables of all members; null: their memory was named when the window was made
   * @param blocks of all members
   */
  record Made(MemorySegment local, MemorySegment block, MemorySegment allocation, Exposed exposed,
      MemorySegment[] heads, MemorySegment... blocks) {}

  private MemorySegment block; // null: not taken yet
  private MemorySegment local;
  private MemorySegment words; // private memory around that, which has its last word whole; null: there is no more
  private long located = -1; // where that begins in the segment's file; below zero: it is private memory
  private MemorySegment allocation; // of shared memory, which the window owns; null: none
  private boolean dynamic; // that is the head of a table
  private Exposed.Part[] parts = {}; // null: not reached yet
  private RuntimeException failure; // of this rank; null: none
  private boolean lacksMemory; // that failure is want of native memory

  WindowMaking(Resources resources, Collectives collectives, Members members, int rank) {
    this.resources = resources;
    this.collectives = collectives;
    this.members = members;
    this.rank = rank;
    this.reach = new WindowReach(resources, members, rank);
  }

  /** Refuses members that cannot take part, before anything is begun. */
  void requireAble() {
    for (int member = 0; member < members.numbering().size(); member++) {
      int peer = jobRank(member);
      Abilities abilities = resources.peers().abilities(peer);
      if (!abilities.has(Capability.WINDOWS)) {
        throw new CapabilityException(
            member, peer, "a window with rank %s, which %s".formatted(
                members.name(peer), abilities.lack(Capability.WINDOWS)));
      }
      if (!resources.peers().sharesSlots(peer)) {
        throw new CapabilityException(
            member, peer,
            "a window with rank %s, which shares no memory with this one; windows are of ranks that all do"
                .formatted(members.name(peer)));
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
      takeBlock();
      if (bytes == 0) {
        local = MemorySegment.NULL;
      } else if (reach.mayBeDirect()) {
        allocation = resources.heap().allocate(WindowReach.whole(bytes), ALIGNMENT);
        local = allocation.asSlice(0, bytes);
      } else {
        words = Arena.ofAuto().allocate(WindowReach.whole(bytes), ALIGNMENT);
        local = words.asSlice(0, bytes);
      }
      located = reach.locate(local);
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

  private void takeBlock() {
    block = resources.heap().allocate(WindowBlock.bytes(members.numbering().size()), ALIGNMENT);
  }

  /** Opens memory of the program to the others. */
  Made over(MemorySegment memory, int unit) {
    local = memory;
    try {
      if (memory.byteSize() > 0) {
        reach.requireLasting("a window over", memory);
      }
      takeBlock();
      located = reach.locate(memory);
    } catch (SegmentException | IllegalArgumentException e) {
      failure = e;
    }
    return make(unit);
  }

  /** Makes a window that memory is attached to afterwards. */
  Made dynamic() {
    dynamic = true;
    local = MemorySegment.NULL;
    try {
      takeBlock();
      allocation = resources.heap().allocate(WindowTable.HEAD_BYTES, ALIGNMENT);
    } catch (SegmentException e) {
      failure = e;
    }
    return make(1);
  }

  private int jobRank(int member) {
    return members.numbering().jobRank(member);
  }

  private Made make(int unit) {
    MemorySegment lines = exchange(unit);
    requireAll(lines);
    try {
      requireAlike(lines);
      return new Made(local, block, allocation, reach(lines), dynamic ? heads(lines) : null, blocks(lines));
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
    } else if (dynamic) {
      line.write(WindowLine.DYNAMIC, WindowLine.NO_FAILURE, unit, 0, resources.heap().offset(allocation),
          resources.heap().offset(block), resources.memory().segment());
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

  /** Refuses a window that some members make as a dynamic one and others do not; a C rank makes none. */
  private void requireAlike(MemorySegment lines) {
    for (int member = 0; member < members.numbering().size(); member++) {
      if ((WindowLine.of(lines, member).kind() == WindowLine.DYNAMIC) != dynamic) {
        throw new AdrasteaException(
            ("rank %s makes %s and rank %s makes %s; Window.dynamic is called by all ranks or by none, and C ranks "
                + "take no part in dynamic windows. No rank has made any").formatted(
                    members.name(jobRank(rank)), kind(dynamic), members.name(jobRank(member)), kind(!dynamic)));
      }
    }
  }

  private static String kind(boolean dynamic) {
    return dynamic ? "a dynamic window" : "a window of memory that it names";
  }

  private MemorySegment[] blocks(MemorySegment lines) {
    int size = members.numbering().size();
    long bytes = WindowBlock.bytes(size);
    MemorySegment[] blocks = new MemorySegment[size];
    for (int member = 0; member < size; member++) {
      blocks[member] = told(member, WindowLine.of(lines, member).block(), bytes);
    }
    return blocks;
  }

  private MemorySegment[] heads(MemorySegment lines) {
    MemorySegment[] heads = new MemorySegment[members.numbering().size()];
    for (int member = 0; member < heads.length; member++) {
      heads[member] = told(member, WindowLine.of(lines, member).start(), WindowTable.HEAD_BYTES);
    }
    return heads;
  }

  private MemorySegment told(int member, long place, long bytes) {
    return resources.reach().reachTold(resources.peers().nodes().localRank(jobRank(member)), place, bytes);
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
    if (dynamic) { // of each stretch by itself
      reach.requireOffered(member, line.xpmem());
      return new Exposed.Part(Exposed.Way.HANDLER, 0, unit, null, 0, null, 0);
    }
    if (line.bytes() == 0) {
      return new Exposed.Part(Exposed.Way.DIRECT, 0, unit, MemorySegment.NULL, 0, null, 0);
    }
    if (line.kind() == WindowLine.SHARED) {
      return reach.shared(member, line.start(), line.bytes(), unit, 0);
    }
    if (member == rank) {
      MemorySegment here = words == null ? local : words;
      return new Exposed.Part(Exposed.Way.DIRECT, line.bytes(), unit, here, here.address(), null, 0);
    }
    return reach.foreign(member, line.start(), line.bytes(), line.xpmem(), unit, 0);
  }
}
