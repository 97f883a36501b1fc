package io.adrastea.ranktable;

import static io.adrastea.layout.RankEntryDescriptor.*;

import io.adrastea.atomic.Words;
import io.adrastea.error.JoinException;
import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.segment.ProcessIdentity;
import io.adrastea.segment.Segment;
import io.adrastea.topology.CpuQuota;
import io.adrastea.topology.Cpus;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/**
 * The ranks of the node: process, state, core and CPU of each. Twin of {@code ranktable/adr_rank_table.h}. Not on the
 * path of messages.
 */
public final class RankTable {
  private final MemorySegment memory;
  private final long[] entries;
  private final Segment segment;
  private final long namespace = ProcessIdentity.namespace();
  private final long own = ProcessIdentity.self().pid(); // asked once: that reads files
  private final long visibleNamespace = ProcessIdentity.visibleNamespace();

  public RankTable(Segment segment) {
    this.memory = segment.memory();
    this.segment = segment;
    this.entries = new long[segment.geometry().ranks()];
    for (int rank = 0; rank < entries.length; rank++) {
      entries[rank] = segment.geometry().rankEntryOffset(rank);
    }
  }

  /** Number of ranks. */
  public int size() {
    return entries.length;
  }

  public int state(int rank) {
    // SYNC rank-state: acquire, pairs with the release below; orders the entry's other fields.
    return Words.loadAcquire(memory, entries[rank] + STATE_OFFSET);
  }

  public void state(int rank, int state) {
    // SYNC rank-state: release; orders the entry's other fields before the state that shows them.
    Words.storeRelease(memory, entries[rank] + STATE_OFFSET, state);
  }

  /** What a rank can do; valid once it has come. */
  public Abilities abilities(int rank) {
    return new Abilities(Words.load(memory, entries[rank] + CAPABILITIES_OFFSET), isOfC(rank));
  }

  /** Whether it is a program in C, without an engine. */
  public boolean isOfC(int rank) {
    return core(rank) == CORE_C;
  }

  /** {@code ADR_CORE_…}: the number of the core that the rank uses. */
  public int core(int rank) {
    return Words.load(memory, entries[rank] + CORE_OFFSET);
  }

  public long pid(int rank) {
    return Integer.toUnsignedLong(Words.load(memory, entries[rank] + PID_OFFSET));
  }

  /**
   * Process of a rank, as this process can address it; 0: it is in another PID namespace, as far as is known, or says
   * that it is this process, which is true only of the caller itself and of ranks that are threads. (Memory of that
   * process is written where its rank says.)
   *
   * @param caller rank of the caller
   */
  public int addressablePid(int rank, int caller) {
    int pid = Words.load(memory, entries[rank] + PID_OFFSET);
    boolean pretends = rank != caller && pid == (int) ProcessIdentity.self().pid() && !isThread(caller);
    return namespace != 0 && namespaceOf(rank) == namespace && !pretends ? pid : 0;
  }

  private boolean isThread(int rank) {
    return (Words.load(memory, entries[rank] + FLAGS_OFFSET) & FLAG_THREAD) != 0;
  }

  private long namespaceOf(int rank) {
    return Words.loadLong(memory, entries[rank] + PID_NAMESPACE_OFFSET);
  }

  private long told(int rank) {
    return Words.loadRelaxedLong(memory, entries[rank] + WAITING_OFFSET);
  }

  /** A rank of this process tells what it waits for, or what it moves; 0: nothing. */
  public void tell(int rank, long word) {
    Words.storeRelaxedLong(memory, entries[rank] + WAITING_OFFSET, word);
  }

  /** What a rank waits for that has waited for long, as {@link Waiting#word} has it; 0: nothing, as far as is known. */
  public long waiting(int rank) {
    long word = told(rank);
    return Moving.isOne(word) ? 0 : word;
  }

  /** What bytes a rank moves, as {@link Moving#word} has it; 0: it has not told of any, or told of a wait since. */
  public long moving(int rank) {
    long word = told(rank);
    return Moving.isOne(word) ? word : 0;
  }

  /**
   * Enters the calling process as {@code rank}, in state JOINING.
   *
   * @param capabilities {@link Capability#bits}
   * @param cpus on which its thread may run
   * @param quota of its control groups
   * @throws JoinException when another process has taken that rank; nothing is changed
   */
  public void enter(int rank, int core, int flags, int capabilities, Cpus cpus, CpuQuota quota) {
    ProcessIdentity self = ProcessIdentity.self();
    long entry = entries[rank];
    // The entry is zero until its rank comes: the process that changes the pid owns the rest of it. Relaxed: it decides
    // only whose the entry is. A process that loses reads nothing of it but the pid, and what the owner writes is shown
    // to the others by its state.
    if (!Words.casRelaxed(memory, entry + PID_OFFSET, 0, (int) self.pid())) {
      throw new JoinException(
          "rank %d of %d is already taken, by process %d; each process of a job needs a rank of its own"
              .formatted(rank, size(), pid(rank)));
    }
    Words.store(memory, entry + FLAGS_OFFSET, flags);
    Words.store(memory, entry + CAPABILITIES_OFFSET, capabilities);
    Words.store(memory, entry + CORE_OFFSET, core);
    Words.storeLong(memory, entry + START_TIME_OFFSET, self.start());
    Words.storeLong(memory, entry + PID_NAMESPACE_OFFSET, namespace);
    Words.store(memory, entry + CPU_OFFSET, cpus.only());
    Words.store(memory, entry + CPU_COUNT_OFFSET, cpus.count());
    Words.store(memory, entry + CPU_QUOTA_OFFSET, quota.hundredths());
    long[] words = cpus.words();
    for (int word = 0; word < Math.min(words.length, MAX_CPUS / Long.SIZE); word++) {
      Words.storeLong(memory, entry + CPUS_OFFSET + (long) word * Long.BYTES, words[word]);
    }
    state(rank, STATE_JOINING);
  }

  /**
   * Enters that a rank has failed before it came, so that nobody waits for it any more. For a launcher, once the rank's
   * process has ended.
   *
   * @return false: it had come, and nothing is changed
   */
  public boolean miss(int rank) {
    if (Words.casRelaxed(memory, entries[rank] + PID_OFFSET, 0, (int) own)) { // as in enter
      depart(rank, STATE_FAILED);
      return true;
    }
    // It died while it entered itself. SYNC rank-state: acq_rel, as in isPresent.
    boolean begun = Words.casAcqRel(memory, entries[rank] + STATE_OFFSET, STATE_ABSENT, STATE_FAILED);
    if (begun) {
      countDeparted();
    }
    return begun;
  }

  /** By its pid, where that means a process here. */
  private boolean isAliveByPid(int rank, boolean otherwise) {
    boolean visible = visibleNamespace != 0 && namespaceOf(rank) == visibleNamespace;
    long start = Words.loadLong(memory, entries[rank] + START_TIME_OFFSET);
    return visible ? new ProcessIdentity(pid(rank), start).isAlive() : otherwise;
  }

  /** A rank of this process, whose lock this process could not see. */
  private boolean isOwn(int rank) {
    return pid(rank) == own && namespaceOf(rank) == namespace;
  }

  private boolean isAlive(int rank) {
    Segment.Place place = segment.checkPlace(rank);
    return place == Segment.Place.HELD || isAliveByPid(rank, place == Segment.Place.UNKNOWN);
  }

  private void countDeparted() {
    // SYNC departed: acq_rel, pairs with the acquire in departed; orders the state before its count.
    Words.addAcqRel(memory, SegmentHeaderDescriptor.DEPARTED_OFFSET, 1);
  }

  /** How many ranks have left or were found dead; a rank that sees a number sees the states of so many. */
  public int departed() {
    // SYNC departed: acquire, pairs with the count of those that departed.
    return Words.loadAcquire(memory, SegmentHeaderDescriptor.DEPARTED_OFFSET);
  }

  /**
   * Enters that a rank takes part no more: it does nothing in the segment from now on.
   *
   * @param state LEFT or FAILED
   */
  public void depart(int rank, int state) {
    // SYNC rank-state: acq_rel; orders all that the rank did before the state that shows its end.
    int before = Words.swapAcqRel(memory, entries[rank] + STATE_OFFSET, state);
    if (before != STATE_LEFT && before != STATE_FAILED) {
      countDeparted();
    }
  }

  /**
   * Enters why a rank of this process fails. It is shown by the state FAILED, which the rank enters itself
   * ({@link #depart}), or a rank that finds that its process has ended before ({@link #isPresent}).
   *
   * @param reason a line of text; empty: none is given
   * @param aborts whether it wants the whole job to end
   */
  public void failing(int rank, String reason, boolean aborts) {
    FailureReason.write(memory, entries[rank] + REASON_OFFSET, reason);
    if (aborts) {
      Words.store(memory, entries[rank] + FLAGS_OFFSET, Words.load(memory, entries[rank] + FLAGS_OFFSET) | FLAG_ABORT);
    }
  }

  /** Why a rank has failed, as it said itself; empty: it has not failed, or could not say. */
  public String reason(int rank) {
    return state(rank) == STATE_FAILED ? FailureReason.read(memory, entries[rank] + REASON_OFFSET) : "";
  }

  /** Whether a rank wants the whole job to end; it has failed, or does so now. */
  public boolean aborts(int rank) {
    return (Words.load(memory, entries[rank] + FLAGS_OFFSET) & FLAG_ABORT) != 0;
  }

  /**
   * Whether the rank can still take part. A rank that has entered and whose process is gone is marked FAILED: it does
   * nothing more. Its process is there as long as the lock of its byte is; when that is gone, its pid and start time
   * decide, where they can be looked up, since a program may have closed all its files.
   */
  public boolean isPresent(int rank) {
    int state = state(rank);
    if (state == STATE_ABSENT) {
      return true; // may still come
    }
    if (state == STATE_LEFT || state == STATE_FAILED) {
      return false;
    }
    boolean alive = isOwn(rank) || isAlive(rank);
    // SYNC rank-state: acq_rel; not when the rank has said something else meanwhile. What it entered was written before
    // the kernel took its process away, which is what was seen here: the state shows that too, its reason for one.
    if (!alive && Words.casAcqRel(memory, entries[rank] + STATE_OFFSET, state, STATE_FAILED)) {
      countDeparted();
    }
    return alive;
  }

  /** Whether a rank has left the job in order. */
  public boolean hasLeft(int rank) {
    return state(rank) == STATE_LEFT;
  }

  /**
   * Whether the process of a rank runs. A rank that has left holds no lock any more, so that it is told by its number,
   * where that can be told.
   */
  public boolean isProcessPresent(int rank) {
    return state(rank) == STATE_LEFT ? isOwn(rank) || isAliveByPid(rank, false) : isPresent(rank);
  }

  /**
   * A rank of this process is about to sleep on words in shared memory that others write without a message. Owed
   * afterwards: a look at the words. Twin of {@code adr_word_sleeper_begin}, which argues the order.
   */
  public void sleepOnWords(int rank) {
    // SYNC word-sleeper: release; the fence puts it before the look at the words.
    Words.storeRelease(memory, entries[rank] + SLEEPS_ON_WORDS_OFFSET, 1);
    Words.fullFence(); // SYNC word-sleeper: pairs with the writer's; our flag comes before our look at the words
  }

  /** The rank is awake. */
  public void endSleepOnWords(int rank) {
    // Relaxed: a writer that still sees it makes a call for nothing.
    Words.storeRelaxed(memory, entries[rank] + SLEEPS_ON_WORDS_OFFSET, 0);
  }

  /**
   * Whether a rank sleeps on words, or is about to. To be called after a word was stored, with any order: the fence is
   * here.
   */
  public boolean sleepsOnWords(int rank) {
    Words.fullFence(); // SYNC word-sleeper: pairs with the sleeper's; our word comes before our look at its flag
    // SYNC word-sleeper: acquire; what is asked of its doorbell is asked after it.
    return Words.loadAcquire(memory, entries[rank] + SLEEPS_ON_WORDS_OFFSET) != 0;
  }

  /** CPUs on which a rank may run, of the first 1,024. */
  public Cpus cpus(int rank) {
    long[] words = new long[MAX_CPUS / Long.SIZE];
    for (int word = 0; word < words.length; word++) {
      words[word] = Words.loadLong(memory, entries[rank] + CPUS_OFFSET + (long) word * Long.BYTES);
    }
    return Cpus.ofWords(words);
  }

  /** CPUs on which any rank may run, of the first 1,024. */
  public Cpus cpus() {
    return cpus(all());
  }

  private Cpus cpus(int... ranks) {
    Cpus union = Cpus.of();
    for (int rank : ranks) {
      union = union.or(cpus(rank));
    }
    return union;
  }

  private int[] all() {
    return IntStream.range(0, entries.length).toArray();
  }

  /** How many CPUs all ranks have together, see {@link #usableCpus(int...)}. */
  public int usableCpus() {
    return usableCpus(all());
  }

  /**
   * How many CPUs these ranks have together: those on which any may run, as far as the least quota among them allows,
   * at least 1. Valid once they have entered.
   */
  public int usableCpus(int... ranks) {
    int most = Math.max(1, cpus(ranks).count());
    CpuQuota least = new CpuQuota(0);
    for (int rank : ranks) {
      // May have CPUs beyond the first 1,024.
      most = Math.max(most, Words.load(memory, entries[rank] + CPU_COUNT_OFFSET));
      least = least.lesser(new CpuQuota(Words.load(memory, entries[rank] + CPU_QUOTA_OFFSET)));
    }
    return least.limit(most);
  }

  /** Whether there are more ranks than CPUs for them, so that waiting must give the CPU away. */
  public boolean isOversubscribed() {
    return entries.length > usableCpus();
  }

  /** Whether every rank can wake those that sleep. */
  public boolean allWake() {
    for (long entry : entries) {
      if ((Words.load(memory, entry + FLAGS_OFFSET) & FLAG_WAKER) == 0) {
        return false;
      }
    }
    return true;
  }
}
