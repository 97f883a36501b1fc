package io.adrastea.ranktable;

import static io.adrastea.layout.RankEntryDescriptor.*;

import io.adrastea.error.JoinException;
import io.adrastea.segment.ProcessIdentity;
import io.adrastea.segment.Segment;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/**
 * Who is in the job: process, state, core and CPU of each rank. Twin of {@code ranktable/adr_rank_table.h}. Not on the path of
 * messages.
 */
public final class RankTable {
  private final MemorySegment memory;
  private final long[] entries;
  private final long namespace = ProcessIdentity.namespace();

  public RankTable(Segment segment) {
    this.memory = segment.memory();
    this.entries = new long[segment.geometry().ranks()];
    for (int rank = 0; rank < entries.length; rank++) {
      entries[rank] = segment.geometry().rankEntryOffset(rank);
    }
  }

  /** Number of ranks. */
  public int size() {
    return entries.length;
  }

  /**
   * Enters the calling process as {@code rank}, in state JOINING.
   *
   * @throws JoinException when another process has taken that rank; nothing is changed
   */
  public void enter(int rank, int core, int flags, Cpus cpus) {
    ProcessIdentity self = ProcessIdentity.self();
    long entry = entries[rank];
    // the entry is zero until its rank comes: who changes the pid owns the rest of it
    if (!Words.casAcqRel(memory, entry + PID_OFFSET, 0, (int) self.pid())) {
      throw new JoinException(
          "rank %d of %d is already taken, by process %d; each process of a job needs a rank of its own"
              .formatted(rank, size(), pid(rank)));
    }
    Words.store(memory, entry + FLAGS_OFFSET, flags);
    Words.store(memory, entry + CORE_OFFSET, core);
    Words.storeLong(memory, entry + START_TIME_OFFSET, self.start());
    Words.storeLong(memory, entry + PID_NAMESPACE_OFFSET, namespace);
    Words.store(memory, entry + CPU_OFFSET, cpus.only());
    Words.store(memory, entry + CPU_COUNT_OFFSET, cpus.count());
    state(rank, STATE_JOINING);
  }

  public int state(int rank) {
    // SYNC rank-state: acquire, pairs with the release below; orders the entry's other fields.
    return Words.loadAcquire(memory, entries[rank] + STATE_OFFSET);
  }

  public void state(int rank, int state) {
    // SYNC rank-state: release; orders the entry's other fields before the state that shows them.
    Words.storeRelease(memory, entries[rank] + STATE_OFFSET, state);
  }

  public long pid(int rank) {
    return Integer.toUnsignedLong(Words.load(memory, entries[rank] + PID_OFFSET));
  }

  /** Process of a rank, as this process can address it; 0: it is in another PID namespace. */
  public int addressablePid(int rank) {
    boolean visible = Words.loadLong(memory, entries[rank] + PID_NAMESPACE_OFFSET) == namespace;
    return visible ? Words.load(memory, entries[rank] + PID_OFFSET) : 0;
  }

  /** Whether a rank speaks the channel level only: messages in cells, no rendezvous. */
  public boolean isChannel(int rank) {
    return (Words.load(memory, entries[rank] + FLAGS_OFFSET) & FLAG_CHANNEL) != 0;
  }

  /** {@code ADR_CORE_…}: the number of the core that the rank uses. */
  public int core(int rank) {
    return Words.load(memory, entries[rank] + CORE_OFFSET);
  }

  /**
   * Whether the rank can still take part. A rank that has entered and whose process is gone is marked FAILED. One
   * in another PID namespace cannot be looked up and counts as there until it says otherwise.
   */
  public boolean isPresent(int rank) {
    int state = state(rank);
    if (state == STATE_ABSENT) {
      return true; // may still come
    }
    if (state == STATE_LEFT || state == STATE_FAILED) {
      return false;
    }
    long entry = entries[rank];
    boolean visible = Words.loadLong(memory, entry + PID_NAMESPACE_OFFSET) == namespace;
    boolean alive =
        !visible || new ProcessIdentity(pid(rank), Words.loadLong(memory, entry + START_TIME_OFFSET)).isAlive();
    if (!alive) {
      Words.casAcqRel(memory, entry + STATE_OFFSET, state, STATE_FAILED);
    }
    return alive;
  }

  /** Whether there are more ranks than CPUs for them, so that waiting must give the CPU away. */
  public boolean isCrowded() {
    java.util.BitSet pinned = new java.util.BitSet();
    int most = 0;
    boolean allPinned = true;
    for (long entry : entries) {
      int cpu = Words.load(memory, entry + CPU_OFFSET);
      if (cpu >= 0) {
        pinned.set(cpu);
      }
      allPinned &= cpu >= 0;
      most = Math.max(most, Words.load(memory, entry + CPU_COUNT_OFFSET));
    }
    return entries.length > (allPinned ? pinned.cardinality() : Math.max(most, pinned.cardinality()));
  }
}
