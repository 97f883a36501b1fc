package io.adrastea.engine.window;

import io.adrastea.atomic.Words;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.datatype.Program;
import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;
import io.adrastea.ranktable.Waiting;
import io.adrastea.space.Exposed;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import io.adrastea.window.WindowLock;
import io.adrastea.window.WindowLook;
import io.adrastea.window.WindowSync;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The epochs of a window at one rank: which members' memory it may access now, and who may access its own [SCI-MPICH
 * 2002, 4.2]. Epochs belong to the window of a rank, not to a thread. What ranks tell each other for them stands in
 * shared memory ({@code window}): no message is sent, and a member that does not call anything delays nobody but those
 * that wait for it by its nature.
 *
 * <p>
 * {@link #place} is asked at each access, outside of the gate; all else enters it.
 */
public final class Epochs {
  /** Which epoch of accesses is open. */
  private enum Access {
    /** There is none. */
    NONE("no epoch"),
    /** A fence has begun it, to all members. */
    FENCE("the epoch of a fence"),
    /** A start has begun it, to members that have posted. */
    STARTED("the epoch of a start"),
    /** Locks have begun it, to each member that is locked. */
    LOCKED("the epoch of a lock"),
    /** A lock of all has begun it. */
    LOCKED_ALL("the epoch of lockAll"),
    /** A thread waits for a start or a lock of all. */
    BEGINNING("an epoch that a thread of this rank waits to begin"),
    /** The window is closed. */
    CLOSED("a closed window");

    private final String words;

    Access(String words) {
      this.words = words;
    }
  }

  private static final byte UNLOCKED = 0;
  private static final byte SHARED = 1;
  private static final byte EXCLUSIVE = 2;
  private static final byte AWAITED = 3;
  private static final long SHUT = -1;
  private static final long BY_TABLE = -2; // open, and what may be accessed is looked up: memory is attached to it

  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final Collectives collectives;
  private final Members members;
  private final Exposed exposed;
  private final Stretches stretches; // null: the memory was named when the window was made
  private final WindowMessages messages;
  private final Attachments attachments;
  private final WindowLock lock;
  private final WindowSync sync;
  private final int rank;
  private final int size;
  private final boolean exclusiveThread; // one thread at a time is in a call
  private final IntPredicate gone;
  private final LockWait lockWait = new LockWait();
  private final SyncWait syncWait = new SyncWait();

  private final long[] most; // by member: the highest displacement that may be accessed now; SHUT: none; BY_TABLE
  private final long[] highest; // by member: the highest one in its memory; BY_TABLE
  private final byte[] locks; // by member
  private final Attempt[] attempts; // by member; the last one: of all. null: not made yet
  private final long[] posts; // by member: how many of its posts were taken by a start
  private final long[] completes; // by member: how many of its completes are waited for since the beginning
  private final Counts starting;
  private final Counts awaiting;
  private Access access = Access.NONE;
  private int locked; // members
  private final boolean[] named; // by member: is in the list of a post or start that is looked at
  private int[] targets = {}; // of the start, or of the last one
  private int[] lastOrigins = {}; // of the last post
  private int[] origins; // of the post; null: nothing is posted

  /** What is tried for. */
  private enum Kind {
    EXCLUSIVE, SHARED, ALL, SETTLE
  }

  /** One try for a lock; reused for each one of the same target. */
  private static final class Attempt {
    private static final int TURN = 7; // the looks of which one does not hold others back

    private final int target;
    private Kind kind;
    private int looks;
    private int outcome;
    private int other;

    Attempt(int target) {
      this.target = target;
    }

    /** Whether others that come later are to wait; not always, since one that waits may wait for such a one. */
    boolean holdsBack() {
      return (looks++ & TURN) != TURN;
    }

    int awaited(int self) {
      return other == WindowLook.NOBODY ? self : other;
    }

    String words() {
      return switch (kind) {
        case EXCLUSIVE -> "exclusive lock of rank %d".formatted(target);
        case SHARED -> "shared lock of rank %d".formatted(target);
        case ALL -> "lock of all ranks";
        case SETTLE -> "access to rank %d, which another one has locked for itself,".formatted(target);
      };
    }
  }

  /** What a start waits for, or a wait: that each of some members has posted, or completed, so often. */
  private final class Counts {
    private final boolean ofPosts;
    private int[] members = {};
    private int first; // those before it have
    private int gone; // the one of which it was found last that it is gone

    Counts(boolean ofPosts) {
      this.ofPosts = ofPosts;
    }

    Counts of(int... some) {
      members = some;
      first = 0;
      return this;
    }

    private boolean has(int member) {
      return ofPosts ? sync.hasPosted(member, posts[member] + 1) : sync.hasCompleted(member, completes[member]);
    }

    /** Whether all have. */
    boolean areMet() {
      while (first < members.length && has(members[first])) {
        first++;
      }
      return first == members.length;
    }

    /** The first member that has not, and is gone; none is: {@code NONE}. */
    int missing() {
      int lost = Condition.NONE;
      for (int index = first; lost == Condition.NONE && index < members.length; index++) {
        gone = members[index];
        lost = gone == rank || has(gone) ? Condition.NONE : liveness.missing(jobRank(gone));
      }
      return lost;
    }

    /** The first member that has not. */
    int awaited() {
      return first < members.length ? members[first] : rank;
    }

    String words(int member) {
      return (ofPosts ? "start, for the post of rank %d" : "wait for the complete of rank %d").formatted(member);
    }
  }

  Epochs(Resources resources, Waits waits, Collectives collectives, Members members, int rank, Exposed exposed,
      Stretches stretches, WindowMessages messages, Attachments attachments, MemorySegment... blocks) {
    this.gate = resources.gate();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.collectives = collectives;
    this.members = members;
    this.exposed = exposed;
    this.stretches = stretches;
    this.messages = messages;
    this.attachments = attachments;
    this.rank = rank;
    this.size = blocks.length;
    this.exclusiveThread = gate.isExclusive();
    this.lock = new WindowLock(blocks, rank);
    this.sync = new WindowSync(blocks, rank);
    this.gone = member -> liveness.isGone(jobRank(member));
    this.most = new long[size];
    this.highest = new long[size];
    for (int target = 0; target < size; target++) {
      highest[target] = stretches == null ? exposed.bytes(target) / exposed.unit(target) : BY_TABLE;
    }
    this.locks = new byte[size];
    this.attempts = new Attempt[size + 1];
    this.posts = new long[size];
    this.completes = new long[size];
    this.named = new boolean[size];
    this.starting = new Counts(true);
    this.awaiting = new Counts(false);
    Arrays.fill(most, SHUT);
  }

  private int jobRank(int member) {
    return members.numbering().jobRank(member);
  }

  // Asked at each access

  /**
   * Where in a member's memory an access begins, in bytes; refuses one outside of an epoch, or of the memory, before
   * anything is done.
   *
   * @param call what the program has called, for exceptions
   */
  public long place(String call, int target, long displacement, long bytes) {
    if (target >= 0 && target < most.length && displacement >= 0 && displacement <= most[target]) {
      long at = displacement * exposed.unit(target);
      if (bytes <= exposed.bytes(target) - at) {
        return at;
      }
    }
    return placeSlowly(call, target, displacement, bytes);
  }

  /** Where an element begins that a single access is to reach whole. */
  public long placeOfElement(String call, int target, long displacement, int bytes) {
    long at = place(call, target, displacement, bytes);
    if ((at + exposed.part(target).address() & bytes - 1) != 0) {
      throw misaligned(call, target, displacement, bytes);
    }
    return at;
  }

  /**
   * Refuses elements that atomic accesses take and that do not all lie at multiples of their size.
   *
   * @param at of the first one, in bytes
   * @param program how elements lie there; null: one after the other
   * @param count of elements of the program
   */
  public void requireAligned(String call, int target, long displacement, long at, Operator op, ElementKind kind,
      Program program, long count) {
    int bytes = WindowAtomics.alignment(op, kind);
    long base = exposed.part(target).address() + at;
    if (bytes == 1) {
      return;
    }
    if (program == null) {
      if ((base & bytes - 1) != 0) {
        throw misaligned(call, target, displacement, bytes);
      }
      return;
    }
    Typed elements = new Typed(null, null, program, MemorySegment.NULL, 0, count);
    Cursor cursor = new Cursor();
    Stretch stretch = new Stretch();
    cursor.begin(elements.bytes());
    while (cursor.left() > 0) {
      elements.stretch(cursor, stretch);
      if ((base + stretch.offset() & bytes - 1) != 0 || stretch.bytes() % kind.bytes() != 0) {
        throw misaligned(call, target, displacement, bytes);
      }
      elements.seek(cursor, cursor.position() + stretch.bytes());
    }
  }

  /** Refuses a place at which elements do not lie that atomic accesses take. */
  IllegalArgumentException misaligned(String call, int target, long displacement, int bytes) {
    return new ArgumentException(Reason.OTHER,
        ("%s at displacement %d of rank %d in %s: an element of %d bytes is to lie at a multiple of them, since it is "
            + "accessed at once").formatted(call, displacement, target, members.label(), bytes));
  }

  private long placeSlowly(String call, int target, long displacement, long bytes) {
    requireMember(call, target);
    if (access == Access.LOCKED_ALL && most[target] == SHUT) {
      settle(target);
      return place(call, target, displacement, bytes);
    }
    requireAccess(call, target, displacement);
    if (stretches != null) {
      return stretches.place(call, target, displacement, bytes);
    }
    throw new IndexOutOfBoundsException(
        ("%s of %d bytes at displacement %d of rank %d in %s, which has %d bytes there, counted by %d; nothing was "
            + "accessed").formatted(call, bytes, displacement, target, members.label(), exposed.bytes(target),
                exposed.unit(target)));
  }

  /**
   * Where the origin of elements lies in a member's memory of a dynamic window, in bytes.
   *
   * @param low where the first byte of the elements lies, from the origin on
   * @param high behind the last one
   */
  public long placeAround(String call, int target, long displacement, long low, long high) {
    requireMember(call, target);
    settleFor(target);
    requireAccess(call, target, displacement);
    return stretches.placeAround(call, target, displacement, low, high);
  }

  private void requireAccess(String call, int target, long displacement) {
    if (most[target] == SHUT) {
      throw new IllegalStateException(
          access == Access.CLOSED
              ? "%s at rank %d in %s: the window is closed".formatted(call, rank, members.label())
              : ("%s at displacement %d of rank %d in %s: there is %s, and none that reaches that rank; begin one by "
                  + "fence(), lock(), lockAll() or start()")
                  .formatted(call, displacement, target, members.label(), access.words));
    }
  }

  private void requireMember(String call, int member) {
    if (member < 0 || member >= size) {
      throw new ArgumentException(Reason.RANK,
          "%s of rank %d in %s, which has ranks 0 to %d".formatted(call, member, members.label(), size - 1));
    }
  }

  /** Whether nobody but the calling thread accesses a member's memory now. */
  public boolean isAlone(int target) {
    return locks[target] == EXCLUSIVE && exclusiveThread;
  }

  /** Refuses a call that has a meaning inside of an epoch of accesses alone. */
  private void requireOpen(String call) {
    if (access == Access.CLOSED) {
      throw new IllegalStateException("%s at rank %d in %s: the window is closed".formatted(call, rank,
          members.label()));
    }
  }

  /** Refuses to begin an epoch inside of another one. The epoch of a fence ends by that, as in MPI. */
  private void requireNoEpoch(String call) {
    requireOpen(call);
    if (access != Access.NONE && access != Access.FENCE) {
      throw new IllegalStateException("%s at rank %d in %s, where %s is open; end that first".formatted(
          call, rank, members.label(), access.words));
    }
  }

  private void open(int target) {
    most[target] = highest[target];
  }

  /** Orders what this rank has stored and loaded before with what comes behind. */
  private static void order() {
    Words.fullFence(); // SYNC window-flush: pairs with that of another rank; orders accesses to the windows' memory
  }

  // Fences

  /** Ends the epoch before, at all members, and begins another one to all. */
  public void fence() {
    passFence();
    for (int target = 0; target < size; target++) {
      open(target);
    }
    access = Access.FENCE;
  }

  /** Ends the epoch before, at all members, and begins none. */
  public void lastFence() {
    passFence();
  }

  private void passFence() {
    requireNoEpoch("fence");
    if (origins != null) {
      throw new IllegalStateException(
          "fence at rank %d in %s, which has posted to other ranks; await() ends that first".formatted(rank,
              members.label()));
    }
    messages.flushAll();
    shutAll();
    order();
    collectives.barrier();
    throwLost();
  }

  private void shutAll() {
    Arrays.fill(most, SHUT);
    access = Access.NONE;
  }

  // Post, start, complete, wait

  /** Lets some members access this rank's memory, until {@link #await}. */
  public void post(int... members) {
    gate.enter();
    try {
      requireOpen("post");
      if (origins != null) {
        throw new IllegalStateException(
            "post at rank %d in %s, which has posted already; await() ends that first".formatted(rank,
                this.members.label()));
      }
      int[] posted = distinct("post", lastOrigins, members);
      lastOrigins = posted;
      for (int origin : posted) {
        completes[origin]++;
        sync.post(origin);
      }
      wakeAll(posted);
      origins = posted;
    } finally {
      gate.exit();
    }
  }

  /** A copy of some members, each named once; in the array that had such before, where they are as many. */
  private int[] distinct(String call, int[] before, int... members) {
    if (Arrays.equals(before, members)) {
      return before; // looked at before
    }
    Arrays.fill(named, false);
    for (int member : members) {
      requireMember(call, member);
      if (named[member]) {
        throw new ArgumentException(Reason.RANK,
            "%s with rank %d twice in %s; name each once".formatted(call, member, this.members.label()));
      }
      named[member] = true;
    }
    int[] some = before.length == members.length ? before : new int[members.length];
    System.arraycopy(members, 0, some, 0, some.length);
    return some;
  }

  private void wake(int member) {
    if (member != rank) {
      waits.wakeWordSleeperInside(jobRank(member));
    }
  }

  private void wakeAll(int... some) {
    for (int member : some) {
      wake(member);
    }
  }

  /** Begins an epoch to members, once each has posted. */
  public void start(int... members) {
    gate.enter();
    try {
      requireNoEpoch("start");
      int[] wanted = distinct("start", targets, members);
      if (access == Access.FENCE) {
        shutAll();
      }
      access = Access.BEGINNING;
      try {
        await(starting.of(wanted));
      } finally {
        access = Access.NONE;
      }
      for (int target : wanted) {
        posts[target]++;
        open(target);
      }
      targets = wanted;
      access = Access.STARTED;
    } finally {
      gate.exit();
    }
  }

  /** Ends the epoch of the start: all accesses are done at their targets. */
  public void complete() {
    gate.enter();
    try {
      requireOpen("complete");
      if (access != Access.STARTED) {
        throw new IllegalStateException(
            "complete at rank %d in %s: no epoch was started; start() begins one".formatted(rank, members.label()));
      }
    } finally {
      gate.exit();
    }
    RuntimeException lost = null;
    for (int target : targets) {
      RuntimeException one = flushed(target);
      lost = lost == null ? one : lost;
    }
    gate.enter();
    try {
      shutAll();
      for (int target : targets) {
        sync.complete(target);
      }
      wakeAll(targets);
    } finally {
      gate.exit();
    }
    if (lost != null) {
      throw lost;
    }
  }

  /** Ends what was posted, once each member has completed. */
  public void await() {
    gate.enter();
    try {
      requirePosted("await");
      try {
        await(awaiting.of(origins));
      } catch (RankFailedException e) {
        origins = null;
        throw e;
      }
      origins = null;
    } finally {
      gate.exit();
    }
  }

  /** Ends what was posted if each member has completed; whether it has ended. */
  public boolean test() {
    gate.enter();
    try {
      requirePosted("test");
      if (!awaiting.of(origins).areMet()) {
        waits.step();
        return false;
      }
      origins = null;
      return true;
    } finally {
      gate.exit();
    }
  }

  private void requirePosted(String call) {
    requireOpen(call);
    if (origins == null) {
      throw new IllegalStateException("%s at rank %d in %s, which has posted to nobody; post() begins that"
          .formatted(call, rank, members.label()));
    }
  }

  private void await(Counts counts) {
    if (!counts.areMet()) {
      waits.await(syncWait, counts, waits.beginWait(jobRank(counts.awaited())));
    }
  }

  // Locks

  /** Locks a member's memory, shared with others or for this rank alone, and begins an epoch to it. */
  public void lock(int target, boolean exclusive) {
    gate.enter();
    try {
      requireMember("lock", target);
      requireLocks(target);
      if (access == Access.FENCE) {
        shutAll();
      }
      access = Access.LOCKED;
      locked++;
      int outcome = exclusive ? lock.tryExclusive(target, true, gone) : lock.tryShared(target, gone);
      if (outcome != WindowLook.ACQUIRED) {
        takeLate(target, exclusive, outcome);
      }
      locks[target] = exclusive ? EXCLUSIVE : SHARED;
      open(target);
    } finally {
      gate.exit();
    }
  }

  /** Waits for a lock that the first look has not got; other threads are refused what does not go with it. */
  private void takeLate(int target, boolean exclusive, int outcome) {
    locks[target] = AWAITED;
    boolean taken = false;
    try {
      take(attempt(target, exclusive ? Kind.EXCLUSIVE : Kind.SHARED), outcome);
      taken = true;
    } finally {
      if (!taken) {
        unlocked(target);
      }
    }
  }

  private void unlocked(int target) {
    locks[target] = UNLOCKED;
    most[target] = SHUT;
    if (--locked == 0) {
      access = Access.NONE;
    }
  }

  private void requireLocks(int target) {
    requireOpen("lock");
    if (access != Access.LOCKED) {
      requireNoEpoch("lock");
    } else if (locks[target] != UNLOCKED) {
      throw new IllegalStateException(
          "lock of rank %d in %s, which rank %d has locked %s; a rank locks another one once at a time".formatted(
              target, members.label(), rank,
              locks[target] == AWAITED ? "or waits to lock, in another thread"
                  : locks[target] == EXCLUSIVE ? "for itself" : "with others"));
    }
  }

  /** Locks the memory of all members, shared with others, and begins an epoch to all. */
  public void lockAll() {
    gate.enter();
    try {
      requireNoEpoch("lockAll");
      if (access == Access.FENCE) {
        shutAll();
      }
      int outcome = lock.tryAll(gone);
      if (outcome != WindowLook.ACQUIRED) {
        access = Access.BEGINNING;
        try {
          take(attempt(size, Kind.ALL), outcome);
        } finally {
          access = Access.NONE;
        }
      }
      access = Access.LOCKED_ALL; // each target is opened at its first access
    } finally {
      gate.exit();
    }
  }

  /** Before the program accesses a member's memory itself: what a first call in the epoch of a lock of all does. */
  public void settleFor(int target) {
    if (access == Access.LOCKED_ALL && most[target] == SHUT) {
      settle(target);
    }
  }

  /** The first access to a member in the epoch of a lock of all: waits until nobody has it alone. */
  private void settle(int target) {
    gate.enter();
    try {
      int outcome = lock.settle(target, gone);
      if (outcome != WindowLook.ACQUIRED) {
        take(attempt(target, Kind.SETTLE), outcome);
      }
      open(target);
    } finally {
      gate.exit();
    }
  }

  /** Flushes a member; what the end of the epoch is to throw, which ends all the same; null: all is done. */
  private RuntimeException flushed(int target) {
    try {
      messages.flush(target);
    } catch (RankFailedException e) {
      return e;
    }
    return attachments.lost();
  }

  /** Ends the epoch to a member: all accesses are done there. */
  public void unlock(int target) {
    requireMember("unlock", target);
    if (locks[target] == UNLOCKED || locks[target] == AWAITED) {
      requireOpen("unlock");
      throw new IllegalStateException("unlock of rank %d in %s, which rank %d has not locked".formatted(target,
          members.label(), rank));
    }
    RuntimeException lost = flushed(target);
    gate.enter();
    try {
      boolean exclusive = locks[target] == EXCLUSIVE;
      unlocked(target);
      if (exclusive) {
        lock.releaseExclusive(target);
      } else {
        lock.releaseShared(target);
      }
      wakeWaiters();
    } finally {
      gate.exit();
    }
    if (lost != null) {
      throw lost;
    }
  }

  /** Ends the epoch to all members. */
  public void unlockAll() {
    requireOpen("unlockAll");
    if (access != Access.LOCKED_ALL) {
      throw new IllegalStateException("unlockAll at rank %d in %s: there is no epoch of lockAll".formatted(rank,
          members.label()));
    }
    RuntimeException lost = null;
    try {
      messages.flushAll();
    } catch (RankFailedException e) {
      lost = e;
    }
    RuntimeException detached = attachments.lost();
    lost = lost == null ? detached : lost;
    gate.enter();
    try {
      shutAll();
      lock.releaseAll();
      wakeWaiters();
    } finally {
      gate.exit();
    }
    if (lost != null) {
      throw lost;
    }
  }

  private Attempt attempt(int target, Kind kind) {
    Attempt attempt = attempts[target];
    if (attempt == null) {
      attempt = new Attempt(target);
      attempts[target] = attempt;
    }
    attempt.kind = kind;
    attempt.looks = 1;
    return attempt;
  }

  /**
   * Waits for a lock; throws, and holds nothing, where a member that had it has died.
   *
   * @param first what the first look has found
   */
  private void take(Attempt attempt, int first) {
    saw(attempt, first);
    int outcome = first == WindowLook.AWAITS ? await(attempt) : first;
    if (outcome == WindowLook.REPAIRED) {
      throw liveness.failure(members, jobRank(attempt.other), attempt.words());
    }
    if (outcome == WindowLook.BROKEN) {
      throw new SegmentException("%s in %s names member %d, but there are %d; a rank of this job is broken"
          .formatted(attempt.words(), members.label(), attempt.other, size));
    }
  }

  private int await(Attempt attempt) {
    try {
      waits.await(lockWait, attempt, waits.beginWait(jobRank(attempt.awaited(rank))));
      return attempt.outcome;
    } catch (RuntimeException | Error e) {
      giveUp(attempt);
      wakeWaiters();
      throw e;
    }
  }

  /** Takes back what an attempt has left so far, or the lock, if it has got that in the last moment. */
  private void giveUp(Attempt attempt) {
    boolean acquired = attempt.outcome == WindowLook.ACQUIRED;
    switch (attempt.kind) {
      case EXCLUSIVE -> {
        lock.withdraw(attempt.target);
        if (acquired) {
          lock.releaseExclusive(attempt.target);
        }
      }
      case SHARED -> {
        lock.withdraw(attempt.target);
        if (acquired) {
          lock.releaseShared(attempt.target);
        }
      }
      case ALL -> {
        lock.withdrawAll();
        if (acquired) {
          lock.releaseAll();
        }
      }
      case SETTLE -> lock.withdraw(attempt.target);
    }
  }

  private int look(Attempt attempt) {
    int outcome = switch (attempt.kind) {
      case EXCLUSIVE -> lock.tryExclusive(attempt.target, attempt.holdsBack(), gone);
      case SHARED -> lock.tryShared(attempt.target, gone);
      case ALL -> lock.tryAll(gone);
      case SETTLE -> lock.settle(attempt.target, gone);
    };
    saw(attempt, outcome);
    return outcome;
  }

  private void saw(Attempt attempt, int outcome) {
    attempt.outcome = outcome;
    attempt.other = lock.other();
    wakeWaiters();
  }

  private void wakeWaiters() {
    for (int member = lock.nextWaiter(gone); member != WindowLook.NOBODY; member = lock.nextWaiter(gone)) {
      wake(member);
    }
  }

  /** The wait for a lock. */
  private final class LockWait implements Condition<Attempt> {
    /** A wait asks again behind an answer that has ended it: then nothing more is looked for. */
    @Override
    public boolean isMet(Attempt attempt, int polls) {
      for (int left = polls; left > 0; left--) {
        if (attempt.outcome != WindowLook.AWAITS || look(attempt) != WindowLook.AWAITS) {
          return true;
        }
        Thread.onSpinWait();
      }
      return false;
    }

    @Override
    public boolean isOnWords() {
      return true;
    }

    @Override
    public int missing(Attempt attempt) {
      return attempt.other == WindowLook.NOBODY ? NONE : liveness.missing(jobRank(attempt.other));
    }

    /** Not reached where the member that is gone has the lock: the next look clears up behind it. */
    @Override
    public void fail(Attempt attempt, int lost) {}

    @Override
    public Waiting waiting(Attempt attempt) {
      int peer = attempt.other == WindowLook.NOBODY ? NONE : jobRank(attempt.other);
      return new Waiting(RankEntryDescriptor.IN_WINDOW, peer, 0);
    }

    @Override
    public String words(Attempt attempt) {
      return "for %s in %s".formatted(attempt.words(), members.label());
    }
  }

  /** The wait for what other members say: that they have posted, or completed. */
  private final class SyncWait implements Condition<Counts> {
    @Override
    public boolean isMet(Counts counts, int polls) {
      for (int left = polls; left > 0; left--) {
        if (counts.areMet()) {
          return true;
        }
        Thread.onSpinWait();
      }
      return false;
    }

    @Override
    public boolean isOnWords() {
      return true;
    }

    @Override
    public int missing(Counts counts) {
      return counts.missing();
    }

    @Override
    public void fail(Counts counts, int lost) {
      throw liveness.failure(members, lost, counts.words(counts.gone));
    }

    @Override
    public Waiting waiting(Counts counts) {
      return new Waiting(RankEntryDescriptor.IN_WINDOW, jobRank(counts.awaited()), 0);
    }

    @Override
    public String words(Counts counts) {
      return "%s in %s".formatted(counts.words(counts.awaited()), members.label());
    }
  }

  // Completion inside of an epoch

  /** Waits until what this rank has done to a member's memory is done there. */
  public void flush(int target) {
    requireMember("flush", target);
    requirePassive("flush");
    messages.flush(target);
    order();
    throwLost();
  }

  /** Waits until what this rank has done to any memory is done there. */
  public void flushAll() {
    requirePassive("flushAll");
    messages.flushAll();
    order();
    throwLost();
  }

  /** In an epoch of locks, what was handed in can be used again: it can be as soon as a call returns. */
  public void flushLocal() {
    requirePassive("flushLocal");
  }

  /** What others have put into this rank's memory is seen by its loads from now on, and its stores by them. */
  public void sync() {
    requireOpen("sync");
    order();
  }

  private void requirePassive(String call) {
    requireOpen(call);
    if (access != Access.LOCKED && access != Access.LOCKED_ALL) {
      throw new IllegalStateException(
          "%s at rank %d in %s, where there is %s; it is for the epochs of lock() and lockAll()".formatted(call, rank,
              members.label(), access.words));
    }
  }

  private void throwLost() {
    RuntimeException lost = attachments.lost();
    if (lost != null) {
      throw lost;
    }
  }

  /**
   * Refuses a call inside of an epoch, in words that name the window.
   *
   * @param fences whether the epoch of a fence keeps it out, too
   */
  void requireNone(String call, boolean fences) {
    requireNoEpoch(call);
    if (fences && access == Access.FENCE) {
      throw new IllegalStateException("%s at rank %d in %s, where %s is open; lastFence() ends that first".formatted(
          call, rank, members.label(), access.words));
    }
    if (origins != null) {
      throw new IllegalStateException(
          "%s at rank %d in %s, which has posted to other ranks; await() ends that first".formatted(call, rank,
              members.label()));
    }
  }

  /** There are no more. */
  void close() {
    shutAll();
    access = Access.CLOSED;
  }
}
