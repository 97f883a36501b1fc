package io.adrastea.engine.window;

import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.SegmentException;
import io.adrastea.space.Exposed;
import io.adrastea.wait.Gate;
import io.adrastea.window.WindowTable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The memory that the members of a dynamic window have attached, as one of them knows it [MPI-3]. A displacement is an
 * address in the target's process. Each member tells of its stretches by a table in shared memory
 * ({@link WindowTable}); the others keep what they have read of it, and look at its version at each access: while that
 * is the same, an access costs one load and a search more than one to a window whose memory was named when it was made.
 *
 * <p>
 * {@link #find} is asked at each access, outside of the gate; all else enters it.
 */
final class Stretches {
  private static final int LEAST_ROOM = 32; // stretches of the first list
  private static final long MOST_ROOM = Integer.MAX_VALUE / 2 / WindowTable.WORDS;
  private static final long ALIGNMENT = 128;

  private final Resources resources;
  private final Gate gate;
  private final Members members;
  private final WindowReach reach;
  private final Attachments attachments;
  private final MemorySegment[] heads;
  private final int rank;
  private final StretchList[] known; // by member
  private final MemorySegment[] lists = new MemorySegment[2]; // of this rank, by version modulo 2; null: none yet
  private final List<MemorySegment> taken = new ArrayList<>(); // lists, also those that have become too short

  Stretches(Resources resources, Members members, int rank, Attachments attachments, MemorySegment... heads) {
    this.resources = resources;
    this.gate = resources.gate();
    this.members = members;
    this.reach = new WindowReach(resources, members, rank);
    this.attachments = attachments;
    this.heads = heads;
    this.rank = rank;
    this.known = new StretchList[heads.length];
    Arrays.fill(known, StretchList.EMPTY);
  }

  // Asked at each access

  /**
   * The stretch of a member that holds all bytes from an address to another one; refuses those that none holds.
   *
   * @param call what the program has called, for exceptions
   * @param displacement as the program has named it, for exceptions
   * @param high behind the last byte
   */
  Exposed.Part find(String call, int target, long displacement, long low, long high) {
    StretchList list = known[target];
    if (target != rank && list.version != WindowTable.version(heads[target])) {
      list = learn(target);
    }
    StretchList.One one = high < low ? null : list.find(low, high);
    if (one == null) {
      throw outside(call, target, displacement, low, high);
    }
    Exposed.Part part = one.part;
    return part == null ? reach(target, one) : part;
  }

  private IndexOutOfBoundsException outside(String call, int target, long displacement, long low, long high) {
    return new IndexOutOfBoundsException(
        ("%s of %d bytes at displacement %d of rank %d in %s: that rank has attached no stretch of memory that holds "
            + "all of them, which reach from address %d to %d of its process; nothing was accessed").formatted(call,
                high - low, displacement, target, members.label(), low, high));
  }

  /** Where in a member's memory an access begins: at its address. */
  long place(String call, int target, long displacement, long bytes) {
    if (displacement < 0 || bytes > Long.MAX_VALUE - displacement) {
      throw outside(call, target, displacement, displacement, displacement + bytes);
    }
    find(call, target, displacement, displacement, displacement + bytes);
    return displacement;
  }

  /** Where the origin of elements lies that reach from low to high around it: it need not lie in a stretch itself. */
  long placeAround(String call, int target, long displacement, long low, long high) {
    long from = displacement + low;
    long to = displacement + high;
    if (displacement < 0 || low < 0 != from < displacement || high < 0 != to < displacement) { // it has overflowed
      throw outside(call, target, displacement, from, to);
    }
    find(call, target, displacement, from, to);
    return displacement;
  }

  /** Memory of this rank that holds so many bytes from an address on; null: it has attached none. */
  Exposed.Part own(long address, long bytes) {
    boolean isRange = address > 0 && bytes >= 0 && bytes <= Long.MAX_VALUE - address;
    StretchList.One one = isRange ? known[rank].find(address, address + bytes) : null;
    return one == null ? null : one.part;
  }

  /** At the first access to a stretch. */
  private Exposed.Part reach(int target, StretchList.One one) {
    gate.enter();
    try {
      if (one.part == null) { // else another thread was faster
        Exposed.Part part = one.place >= 0 ? reach.shared(target, one.place, one.bytes, 1, one.start)
            : reach.foreign(target, one.start, one.bytes, one.segment, 1, one.start);
        attachments.add(target, part);
        one.part = part;
      }
      return one.part;
    } finally {
      gate.exit();
    }
  }

  // What the others tell

  /** A member has changed its stretches: reads them. */
  private StretchList learn(int target) {
    gate.enter();
    try {
      StretchList before = known[target];
      long version = WindowTable.version(heads[target]);
      while (before.version != version) {
        long[] words = read(target, version);
        long now = WindowTable.version(heads[target]);
        if (now == version) {
          StretchList after = StretchList.of(version, before, name(target), words);
          known[target] = after;
          drop(before, after);
          return after;
        }
        version = now; // what was read may be of two versions
      }
      return before;
    } finally {
      gate.exit();
    }
  }

  private String name(int member) {
    return members.name(members.numbering().jobRank(member));
  }

  /** The stretches of a version; some words or other where the version is another one afterwards. */
  private long[] read(int target, long version) {
    MemorySegment head = heads[target];
    long place = WindowTable.place(head, version);
    long room = WindowTable.room(head, version);
    long count = WindowTable.count(head, version);
    if (WindowTable.version(head) != version) { // place and room may belong to two lists
      return new long[0];
    }
    if (count < 0 || count > room || room > MOST_ROOM) {
      throw new SegmentException(
          "rank %s tells of %d stretches in a list of %d in a dynamic window; that rank is broken".formatted(
              name(target), count, room));
    }
    long[] words = new long[(int) count * WindowTable.WORDS];
    if (count > 0) {
      int local = resources.peers().nodes().localRank(members.numbering().jobRank(target));
      WindowTable.read(resources.reach().reachTold(local, place, WindowTable.listBytes(room)), words);
    }
    return words;
  }

  private void drop(StretchList before, StretchList after) {
    for (int index = 0; index < before.count(); index++) {
      StretchList.One one = before.get(index);
      if (one.part != null && !after.has(one)) {
        attachments.drop(one.part);
      }
    }
  }

  // What this rank tells

  /** Opens memory of the program to the others, in one stretch. */
  void attach(MemorySegment memory) {
    gate.enter();
    try {
      String call = "attach in %s of".formatted(members.label());
      if (memory.byteSize() == 0) {
        throw new ArgumentException(Reason.BUFFER,
            "%s %s at rank %d: it has no bytes; allowed is memory of 1 byte or more".formatted(call, memory, rank));
      }
      reach.requireLasting(call, memory);
      StretchList before = known[rank];
      StretchList.One other = before.overlap(memory.address(), memory.byteSize());
      if (other != null) {
        throw new ArgumentException(Reason.BUFFER,
            ("%s %d bytes at displacement %d of rank %d: %d bytes at displacement %d are attached already, and "
                + "stretches do not overlap; detach those first, or attach what is not attached yet").formatted(
                    call, memory.byteSize(), memory.address(), rank, other.bytes, other.start));
      }
      long place = reach.locate(memory);
      StretchList.One one = new StretchList.One(memory.address(), memory.byteSize(), place,
          place < 0 ? resources.memory().segment() : 0, before.version + 1);
      one.part = place < 0
          ? new Exposed.Part(Exposed.Way.DIRECT, memory.byteSize(), 1, memory, memory.address(), null, memory.address())
          : reach.shared(rank, place, memory.byteSize(), 1, memory.address());
      StretchList after = before.with(one);
      MemorySegment list = list(after);
      known[rank] = after; // before others know that they may ask for it
      publish(list, after);
    } finally {
      gate.exit();
    }
  }

  /** Ends the use of memory that was attached. */
  void detach(MemorySegment memory) {
    gate.enter();
    try {
      StretchList before = known[rank];
      StretchList.One one = memory.byteSize() == 0 ? null
          : before.find(memory.address(), memory.address() + memory.byteSize());
      if (one == null || one.start != memory.address() || one.bytes != memory.byteSize()) {
        throw new ArgumentException(Reason.BUFFER,
            ("detach in %s of %d bytes at displacement %d of rank %d, which were not attached: what is attached at "
                + "once is detached at once").formatted(members.label(), memory.byteSize(), memory.address(), rank));
      }
      StretchList after = before.without(one);
      publish(list(after), after);
      known[rank] = after;
    } finally {
      gate.exit();
    }
  }

  private void publish(MemorySegment list, StretchList after) {
    WindowTable.publish(heads[rank], list, resources.heap().offset(list),
        list.byteSize() / WindowTable.listBytes(1), after.words());
  }

  /** A list that is not in use, with room for some stretches. */
  private MemorySegment list(StretchList after) {
    int which = (int) (after.version & 1);
    MemorySegment list = lists[which];
    if (list == null || list.byteSize() < WindowTable.listBytes(after.count())) {
      long room = Math.max(LEAST_ROOM, 2L * after.count());
      list = resources.heap().allocate(WindowTable.listBytes(room), ALIGNMENT);
      taken.add(list);
      lists[which] = list;
    }
    return list;
  }

  /** What was taken of the shared heap. */
  List<MemorySegment> taken() {
    return taken;
  }
}
