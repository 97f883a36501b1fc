package io.adrastea.engine.symmetric;

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
import io.adrastea.ranktable.Abilities;
import io.adrastea.ranktable.Capability;
import io.adrastea.shared.SymmetricRegions;
import io.adrastea.symmetric.SymmetricHeap;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Makes the symmetric heaps that a rank takes part in [OpenSHMEM over XPMEM 2011, 4.1]. All members tell each other how
 * large it is to be, the first one adds a region of the segment with a part for each, and an agreement tells whether
 * all have mapped it. If one has not, no member has the heap, and nothing is left of it.
 * <p>
 * A part is the heap, whole pages of it, and behind it data of the program of that member, which only members in C
 * have.
 */
public final class SymmetricHeaps {
  /** Parts begin at multiples of so many bytes: a huge page of most machines. */
  static final long STRIDE_UNIT = 2 << 20;

  /** Words of what each member tells: bytes of its heap, bytes of its data, a number of two words for its program. */
  private static final int LINE = 4;

  private static final int DATA = 1;

  /** What a member agrees to when it has made its side. */
  private static final int HAS_MAPPED = 1;

  private static final int HAS_ROOM = 2;

  /** The PE that adds the region. */
  static final int ROOT = 0;

  private static final long NO_REGION = -1;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final Resources resources;
  private final Waits waits;

  /** Makes the symmetric heaps of a rank, of which there are none yet. */
  public SymmetricHeaps(Resources resources, Waits waits) {
    this.resources = resources;
    this.waits = waits;
  }

  /**
   * Makes a heap; all members call it alike.
   *
   * @param rank of this one among the members
   * @param bytes of each member's part
   */
  public SymmetricState make(Collectives collectives, Members members, int rank, long bytes) {
    requireAble(members);
    long data = tell(collectives, members, bytes);
    long stride = alignUp(alignUp(bytes, SymmetricRegions.PAGE) + data, STRIDE_UNIT);
    long all = stride * members.numbering().size() + SymmetricRegions.PAGE; // the last one is the library's own
    RuntimeException failure = null;
    long index = NO_REGION;
    if (rank == ROOT) {
      try {
        index = add(all);
      } catch (SegmentException | IllegalArgumentException e) {
        failure = e;
      }
    }
    long told = collectives.bcast(index, ROOT);
    if (told == NO_REGION) {
      throw failure != null ? failure
          : new SegmentException(
              "rank %s has no room for a symmetric heap of %d bytes for each of %d PEs, and has thrown why"
                  .formatted(members.name(members.numbering().jobRank(ROOT)), bytes,
                      members.numbering().size()));
    }
    boolean made = false;
    try {
      SymmetricState state = map(collectives, members, rank, (int) told, stride, bytes);
      made = true;
      return state;
    } finally {
      if (!made && rank == ROOT) {
        resources.symmetric().giveBack((int) told);
      }
    }
  }

  private int add(long bytes) {
    int index = resources.symmetric().add(bytes);
    boolean reserved = false;
    try {
      resources.symmetric().reserve(index, bytes - SymmetricRegions.PAGE, SymmetricRegions.PAGE);
      reserved = true;
    } finally {
      if (!reserved) {
        resources.symmetric().giveBack(index);
      }
    }
    return index;
  }

  private SymmetricState map(Collectives collectives, Members members, int rank, int index, long stride, long bytes) {
    SymmetricState state = null;
    RuntimeException failure = null;
    try {
      MemorySegment whole =
          resources.symmetric().memory(index, stride * members.numbering().size() + SymmetricRegions.PAGE);
      state = new SymmetricState(resources, waits, collectives, members, rank, index, whole, stride, bytes);
    } catch (RuntimeException e) {
      failure = e;
    }
    int all = collectives.agreement().agree(failure == null ? HAS_MAPPED | HAS_ROOM : HAS_ROOM);
    if (failure != null) {
      throw failure;
    }
    if ((all & HAS_MAPPED) == 0) {
      throw new AdrasteaException("%s: a PE could not map the symmetric heap, and has thrown why; there is none"
          .formatted(members.label()));
    }
    if ((all & HAS_ROOM) == 0) {
      throw new SegmentException(
          "%s: a PE has no room for its program's data beside the symmetric heap, and has thrown why; there is none"
              .formatted(members.label()));
    }
    return state;
  }

  private static long alignUp(long bytes, long unit) {
    return (bytes + unit - 1) / unit * unit;
  }

  /** Refuses members that cannot take part, before anything is begun. */
  private void requireAble(Members members) {
    for (int member = 0; member < members.numbering().size(); member++) {
      int peer = members.numbering().jobRank(member);
      Abilities abilities = resources.peers().abilities(peer);
      if (!abilities.has(Capability.SHMEM)) {
        throw new CapabilityException(member, peer, "a symmetric heap with rank %s, which %s"
            .formatted(members.name(peer), abilities.lack(Capability.SHMEM)));
      }
      if (!resources.peers().sharesSlots(peer)) {
        throw new CapabilityException(member, peer,
            "a symmetric heap with rank %s, which shares no memory with this one; heaps are of ranks that all do"
                .formatted(members.name(peer)));
      }
    }
  }

  /**
   * Tells the others what this member asks for. Refuses the heap on all members alike where they do not ask for as many
   * bytes, or for too few or too many.
   *
   * @return the largest data of a program
   */
  private static long tell(Collectives collectives, Members members, long bytes) {
    int size = members.numbering().size();
    MemorySegment own = MemorySegment.ofArray(new long[] {bytes, 0, 0, 0});
    MemorySegment lines = MemorySegment.ofArray(new long[size * LINE]);
    collectives.allgather(Form.BLOCKING, new Contiguous(own, 0, own.byteSize()),
        new Contiguous(lines, 0, lines.byteSize()), own.byteSize(), 0);
    long largest = 0;
    for (int member = 0; member < size; member++) {
      requireAlike(lines, member);
      long data = lines.getAtIndex(LONG, (long) member * LINE + DATA);
      if (data < 0 || data % SymmetricRegions.PAGE != 0) {
        throw new AdrasteaException(
            ("PE %d tells of %d bytes of data beside a symmetric heap, and only whole pages of %d are told; run the "
                + "same version in all PEs").formatted(member, data, SymmetricRegions.PAGE));
      }
      largest = Math.max(largest, data);
    }
    requirePossible(bytes, largest, size);
    return largest;
  }

  private static void requireAlike(MemorySegment lines, int member) {
    long first = lines.getAtIndex(LONG, (long) ROOT * LINE);
    long other = lines.getAtIndex(LONG, (long) member * LINE);
    if (other != first) {
      throw new ArgumentException(Reason.COUNT,
          ("PE %d asks for a symmetric heap of %d bytes, and PE %d of %d; all PEs are to ask for as many, and no "
              + "heap was made").formatted(ROOT, first, member, other));
    }
  }

  private static void requirePossible(long bytes, long data, int size) {
    if (bytes < SymmetricHeap.GRAIN) {
      throw new ArgumentException(Reason.COUNT,
          "a symmetric heap of %d bytes for each PE; at least %d are allowed".formatted(bytes, SymmetricHeap.GRAIN));
    }
    long most = (SymmetricHeap.MAX_BYTES - STRIDE_UNIT) / size;
    if (bytes > most || data > most || alignUp(bytes, SymmetricRegions.PAGE) > most - data) {
      throw new SegmentException(
          "a symmetric heap of %d bytes for each of %d PEs is larger than any file; ask for less"
              .formatted(bytes, size));
    }
  }
}
