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
 */
public final class SymmetricHeaps {
  /** Parts begin at multiples of so many bytes: a huge page of most machines. */
  static final long STRIDE_UNIT = 2 << 20;

  private static final int ROOT = 0;
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
    requireAlike(collectives, members, bytes);
    long stride = (bytes + STRIDE_UNIT - 1) / STRIDE_UNIT * STRIDE_UNIT;
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
    int all = collectives.agreement().agree(failure == null ? 1 : 0);
    if (failure != null) {
      throw failure;
    }
    if (all == 0) {
      throw new AdrasteaException("%s: a PE could not map the symmetric heap, and has thrown why; there is none"
          .formatted(members.label()));
    }
    return state;
  }

  /** Refuses members that cannot take part, before anything is begun. */
  private void requireAble(Members members) {
    for (int member = 0; member < members.numbering().size(); member++) {
      int peer = members.numbering().jobRank(member);
      int local = resources.peers().nodes().localRank(peer);
      if (!resources.table().has(local, Capability.SHMEM)) {
        throw new CapabilityException(member, peer, "a symmetric heap with rank %s, which %s"
            .formatted(members.name(peer), resources.table().lack(local, Capability.SHMEM)));
      }
    }
  }

  /** Refuses the heap on all members alike where they do not ask for as many bytes, or for too few or too many. */
  private static void requireAlike(Collectives collectives, Members members, long bytes) {
    int size = members.numbering().size();
    MemorySegment own = MemorySegment.ofArray(new long[] {bytes});
    MemorySegment asked = MemorySegment.ofArray(new long[size]);
    collectives.allgather(Form.BLOCKING, new Contiguous(own, 0, Long.BYTES),
        new Contiguous(asked, 0, asked.byteSize()), Long.BYTES, 0);
    for (int member = 0; member < size; member++) {
      long other = asked.getAtIndex(LONG, member);
      if (other != asked.getAtIndex(LONG, ROOT)) {
        throw new ArgumentException(Reason.COUNT,
            ("PE %d asks for a symmetric heap of %d bytes, and PE %d of %d; all PEs are to ask for as many, and no "
                + "heap was made").formatted(ROOT, asked.getAtIndex(LONG, ROOT), member, other));
      }
    }
    if (bytes < SymmetricHeap.GRAIN) {
      throw new ArgumentException(Reason.COUNT,
          "a symmetric heap of %d bytes for each PE; at least %d are allowed".formatted(bytes, SymmetricHeap.GRAIN));
    }
    if (bytes > (SymmetricHeap.MAX_BYTES - STRIDE_UNIT) / size) {
      throw new SegmentException(
          "a symmetric heap of %d bytes for each of %d PEs is larger than any file; ask for less"
              .formatted(bytes, size));
    }
  }
}
