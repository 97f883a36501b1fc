package io.adrastea.lock;

import static io.adrastea.lock.LockLook.ACQUIRED;
import static io.adrastea.lock.LockLook.AWAITS;
import static io.adrastea.lock.LockLook.BROKEN;
import static io.adrastea.lock.LockLook.NOBODY;
import static io.adrastea.lock.LockLook.RELEASED;
import static io.adrastea.lock.LockLook.REPAIRED;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/**
 * One PE's side of the locks of OpenSHMEM, a look at a time: nothing waits here, and the caller is asked which PEs are
 * dead. Twin of {@code lock/adr_mcs_lock.h}, which tells the algorithm and why it is right.
 *
 * <p>
 * The lock is that of Mellor-Crummey and Scott, in one symmetric word of 64 bits (Brightwell and Pedretti 2011, section
 * 4.6), whose parts are in {@link LockWord}: first-in-first-out. Of a PE that dies with the lock the next one is told,
 * which has it then; of one that dies while it waits nobody is told. The table ({@link LockTable}) is touched when a PE
 * is taken out of a queue alone.
 *
 * <p>
 * One thread at a time; none of these calls makes an object. What they return is in {@link LockLook}. The offset that
 * they take is that of the lock's word in each PE's symmetric memory, a multiple of 8.
 */
public final class McsLock {
  private final MemorySegment memory;
  private final MemorySegment table;
  private final long stride;
  private final int pes;
  private final int self;
  private int other = NOBODY;
  private int wakes = NOBODY; // the PE that is to be woken

  /**
   * One PE's side of all locks in symmetric memory.
   *
   * @param memory the symmetric memory of all PEs, where it is mapped, that of PE 0 first
   * @param stride from the memory of one PE to that of the next, in bytes
   * @param table {@link LockTable#bytes} in memory that all PEs map
   * @param pes PEs, at most {@link LockWord#MOST_PES}
   * @param self this PE
   * @throws IllegalArgumentException when the memory or the table is shorter or not aligned, or there are too many PEs
   */
  public McsLock(MemorySegment memory, long stride, MemorySegment table, int pes, int self) {
    boolean isMemory = pes > 0 && stride >= 0 && stride <= memory.byteSize() / pes;
    boolean isAligned = (memory.address() | stride | table.address()) % Long.BYTES == 0;
    boolean isPe = pes <= LockWord.MOST_PES && self >= 0 && self < pes;
    if (!isMemory || !isAligned || !isPe || table.byteSize() < LockTable.bytes()) {
      throw new IllegalArgumentException(
          ("memory %s, stride %d, table %s, PE %d of %d; allowed are at most %d PEs, as many strides of memory, and %d"
              + " bytes of the table, all at multiples of %d")
              .formatted(memory, stride, table, self, pes, LockWord.MOST_PES, LockTable.bytes(), Long.BYTES));
    }
    this.memory = memory;
    this.stride = stride;
    this.table = table;
    this.pes = pes;
    this.self = self;
  }

  /** The PE that the last look was about; {@link LockLook#NOBODY}: none. */
  public int other() {
    return other;
  }

  private long wordOf(long offset, int pe) {
    return stride * pe + offset;
  }

  private long ownWord(long offset) {
    return wordOf(offset, self);
  }

  private long homeWord(long offset) {
    return wordOf(offset, LockWord.home(offset, pes));
  }

  private boolean isHome(long offset) {
    return LockWord.home(offset, pes) == self;
  }

  /** This PE, as words name it. */
  private int ownName() {
    return self + 1;
  }

  /** Whether a word may name this one as another PE than its own. */
  private boolean isOther(int name) {
    return name != 0 && name <= pes && name != ownName();
  }

  private long own(long offset) {
    // SYNC lock-signal: acquire, pairs with handOver; orders what this PE does under the lock after it.
    return Words.loadAcquireLong(memory, ownWord(offset));
  }

  private int last(long offset) {
    // SYNC lock-last: acquire, pairs with enter, whose PE has written its own word before.
    return LockWord.last(Words.loadAcquireLong(memory, homeWord(offset)));
  }

  /** The word of a PE that is found in the queue. */
  private long seen(long offset, int pe) {
    // SYNC lock-previous: acquire, pairs with stand; orders the looks at the words before that one's after it.
    return Words.loadAcquireLong(memory, wordOf(offset, pe));
  }

  private int awaits(int pe) {
    other = pe;
    return AWAITS;
  }

  private int broken(int pe) {
    other = pe;
    return BROKEN;
  }

  private static boolean isWaiting(int signal) {
    return signal == LockWord.ENTERS || signal == LockWord.WAITS || signal == LockWord.LEAVES;
  }

  /** Writes how far a PE is into its word, if that is as it was seen. */
  private boolean stand(long word, long was, int signal, int previous) {
    // SYNC lock-signal: acq_rel, pairs with own and handOver: either the lock comes to a PE, or its word is closed.
    return Words.casAcqRelLong(memory, word, was, LockWord.standing(was, signal, previous));
  }

  /** Writes how far a PE is, wherever it stands. */
  private void setSignal(long word, int signal) {
    long was = Words.loadRelaxedLong(memory, word); // the exchange decides
    long expected;
    do {
      expected = was;
      long wanted = LockWord.standing(expected, signal, LockWord.previous(expected));
      // SYNC lock-signal: acq_rel, pairs with seen; orders the link before it.
      was = Words.compareExchangeAcqRelLong(memory, word, expected, wanted);
    } while (was != expected);
  }

  /** Makes a PE stand behind another one, however far it is. */
  private void setPrevious(long word, int previous) {
    long was = Words.loadRelaxedLong(memory, word); // the exchange decides
    long expected;
    do {
      expected = was;
      long wanted = LockWord.standing(expected, LockWord.signal(expected), previous);
      // SYNC lock-previous: acq_rel, pairs with seen; orders the link before it.
      was = Words.compareExchangeAcqRelLong(memory, word, expected, wanted);
    } while (was != expected);
  }

  /** Makes a PE, the one before {@code name}, tell who is next. */
  private void linkNext(long word, int name) {
    long was = Words.loadRelaxedLong(memory, word); // the exchange decides
    long expected;
    do {
      expected = was;
      // SYNC lock-next: acq_rel, pairs with next; orders what the one behind has written into its word before it.
      was = Words.compareExchangeAcqRelLong(memory, word, expected, LockWord.withNext(expected, name));
    } while (was != expected);
  }

  /** Makes a PE that still names {@code name} as the next one name none. */
  private void unlinkNext(long word, int name) {
    long was = Words.loadRelaxedLong(memory, word); // the exchange decides
    while (LockWord.next(was) == name) {
      long expected = was;
      // SYNC lock-next: acq_rel, pairs with next, which finds the link gone when it finds this PE's word free.
      was = Words.compareExchangeAcqRelLong(memory, word, expected, LockWord.withNext(expected, 0));
      if (was == expected) {
        break;
      }
    }
  }

  private int next(long offset) {
    // SYNC lock-next: acquire, pairs with linkNext and unlinkNext.
    return LockWord.next(Words.loadAcquireLong(memory, ownWord(offset)));
  }

  /** Makes this PE's word its own again; that of a home keeps {@code last}. */
  private void freeOwn(long offset) {
    long word = ownWord(offset);
    if (!isHome(offset)) {
      // SYNC lock-previous: release, pairs with seen; orders the links before it.
      Words.storeReleaseLong(memory, word, 0);
      return;
    }
    long was = Words.loadRelaxedLong(memory, word); // the exchange decides
    long expected;
    do {
      expected = was;
      // SYNC lock-previous: acq_rel, likewise.
      was = Words.compareExchangeAcqRelLong(memory, word, expected, LockWord.last(expected));
    } while (was != expected);
  }

  /**
   * Puts this PE behind the PE that is last in the word of the home, if that is as it was seen; returns what it was.
   * Its own word says before what it stands for then.
   */
  private long enter(long offset, long home, int signal, int previous) {
    long entered = LockWord.standing(0, signal, previous);
    long wanted = LockWord.withLast(home, ownName());
    if (isHome(offset)) {
      wanted = LockWord.withLast(entered, ownName());
    } else {
      // SYNC lock-previous: release, pairs with seen; the exchange publishes it.
      Words.storeReleaseLong(memory, ownWord(offset), entered);
    }
    // SYNC lock-last: acq_rel, pairs with last and with leaveLast, so that what was done under the lock before comes
    // before; orders this PE's word before it.
    return Words.compareExchangeAcqRelLong(memory, homeWord(offset), home, wanted);
  }

  /** Makes another PE, or none, the last one, where this one is. */
  private boolean leaveLast(long offset, int to) {
    long word = homeWord(offset);
    long was = Words.loadRelaxedLong(memory, word); // the exchange decides
    while (LockWord.last(was) == ownName()) {
      long expected = was;
      // SYNC lock-last: acq_rel, pairs with enter; orders what was done under the lock before it.
      was = Words.compareExchangeAcqRelLong(memory, word, expected, LockWord.withLast(expected, to));
      if (was == expected) {
        return true;
      }
    }
    return false;
  }

  /**
   * The PE whose {@code previous} is this one, found from the last one on; 0: there is none. Beside others' changes it
   * may find none though there is one.
   */
  private int findNext(long offset) {
    int name = last(offset);
    for (int steps = 0; steps < pes && isOther(name); steps++) {
      int previous = LockWord.previous(seen(offset, name - 1));
      if (previous == ownName()) {
        return name;
      }
      name = previous;
    }
    return 0;
  }

  private boolean beginChange(long offset, IntPredicate dead) {
    return LockTable.tryAcquire(table, offset, self, pes, dead);
  }

  private int endChange(long offset, int found) {
    LockTable.release(table, offset);
    return found;
  }

  /** The PE before this one is dead, and its word says that the lock is there. */
  private int takeOver(long offset, long mine, int signal) {
    if (!stand(ownWord(offset), mine, LockWord.HOLDS, 0)) {
      return awaits(NOBODY);
    }
    return signal == LockWord.HOLDS ? REPAIRED : ACQUIRED;
  }

  /** Takes the dead PE {@code before}, the one before this one, out of the queue, or takes the lock over from it. */
  private int takeOut(long offset, int before) {
    long mine = own(offset);
    if (LockWord.signal(mine) != LockWord.WAITS || LockWord.previous(mine) != before + 1) {
      return awaits(NOBODY); // the one before has left meanwhile, or has handed the lock over
    }
    long its = seen(offset, before);
    int signal = LockWord.signal(its);
    if (signal == LockWord.HOLDS || signal == LockWord.GRANTED) {
      return takeOver(offset, mine, signal);
    }
    int previous = LockWord.previous(its);
    if (!isWaiting(signal) || previous == before + 1 || !isOther(previous)) {
      return broken(before);
    }
    other = NOBODY; // the next look tells who is before this one now
    if (signal != LockWord.LEAVES && !stand(wordOf(offset, before), its, LockWord.LEAVES, previous)) {
      return AWAITS;
    }
    linkNext(wordOf(offset, previous - 1), ownName());
    setPrevious(ownWord(offset), previous);
    return AWAITS;
  }

  /** Enters the queue, or only a free lock. */
  private int join(long offset, boolean waits) {
    long home = Words.loadRelaxedLong(memory, homeWord(offset)); // the exchange decides
    int previous;
    while (true) {
      previous = LockWord.last(home);
      if (previous != 0 && !isOther(previous)) {
        return broken(LockWord.home(offset, pes));
      }
      if (previous != 0 && !waits) {
        freeOwn(offset);
        return awaits(previous - 1);
      }
      long was = enter(offset, home, previous == 0 ? LockWord.HOLDS : LockWord.ENTERS, previous);
      if (was == home) {
        break;
      }
      home = was;
    }
    if (previous == 0) {
      return ACQUIRED;
    }
    linkNext(wordOf(offset, previous - 1), ownName());
    setSignal(ownWord(offset), LockWord.WAITS);
    return awaits(previous - 1);
  }

  /** A look of a PE that is in the queue, with its word. */
  private int lookAgain(long offset, long mine, IntPredicate dead) {
    int before = LockWord.previous(mine) - 1;
    if (!isOther(before + 1)) {
      return broken(self);
    }
    if (!dead.test(before)) {
      return awaits(before);
    }
    if (!beginChange(offset, dead)) {
      return awaits(NOBODY);
    }
    other = before;
    return endChange(offset, takeOut(offset, before));
  }

  /** Whether this PE has the lock. */
  public boolean holds(long offset) {
    return LockWord.signal(Words.loadRelaxedLong(memory, ownWord(offset))) == LockWord.HOLDS; // this PE's own
  }

  /** A look for the lock: the first one enters the queue. {@code AWAITS} this PE itself: it has the lock. */
  public int set(long offset, IntPredicate dead) {
    long mine = own(offset);
    switch (LockWord.signal(mine)) {
      case LockWord.FREE :
        return join(offset, true);
      case LockWord.WAITS :
        return lookAgain(offset, mine, dead);
      case LockWord.GRANTED :
        setSignal(ownWord(offset), LockWord.HOLDS);
        return ACQUIRED;
      case LockWord.HOLDS :
        return awaits(self);
      default :
        return broken(self);
    }
  }

  /** All PEs of the queue are dead, if the last one is no other than in the home's word: takes the lock behind them. */
  private int testDead(long offset, long home, IntPredicate dead) {
    int name = LockWord.last(home);
    for (int steps = 0; steps < pes; steps++) {
      if (!isOther(name)) {
        return broken(LockWord.home(offset, pes));
      }
      if (!dead.test(name - 1)) {
        return awaits(name - 1);
      }
      long its = seen(offset, name - 1);
      int signal = LockWord.signal(its);
      if (signal == LockWord.HOLDS || signal == LockWord.GRANTED) {
        other = name - 1;
        if (enter(offset, home, LockWord.HOLDS, 0) == home) {
          return signal == LockWord.HOLDS ? REPAIRED : ACQUIRED;
        }
        freeOwn(offset);
        return awaits(NOBODY);
      }
      name = LockWord.previous(its);
    }
    return broken(LockWord.home(offset, pes));
  }

  /**
   * Takes the lock if it is free, or if all PEs in its queue are dead; {@code AWAITS}: it is not. Does not enter the
   * queue.
   */
  public int test(long offset, IntPredicate dead) {
    if (LockWord.signal(own(offset)) != LockWord.FREE) {
      return awaits(self);
    }
    // SYNC lock-last: acquire, pairs with enter, whose PE has written its own word before.
    long home = Words.loadAcquireLong(memory, homeWord(offset));
    int end = LockWord.last(home);
    if (!isOther(end) || !dead.test(end - 1)) {
      return join(offset, false);
    }
    return testDead(offset, home, dead);
  }

  /** Finds out, as owner of the table's word, who is next, and links it where it is dead and cannot. */
  private int settleNext(long offset, IntPredicate dead) {
    other = NOBODY; // the next look hands the lock over
    int linked = next(offset);
    if (last(offset) == ownName()) { // and what was linked before is not there any more
      if (linked != 0) {
        unlinkNext(ownWord(offset), linked);
      }
      return AWAITS;
    }
    int name = findNext(offset);
    if (name == 0) {
      return broken(LockWord.home(offset, pes));
    }
    long its = seen(offset, name - 1);
    int signal = LockWord.signal(its);
    if (!isWaiting(signal)) {
      return broken(name - 1);
    }
    if (!dead.test(name - 1)) {
      return awaits(name - 1); // it is about to link itself
    }
    if (linked != name) {
      linkNext(ownWord(offset), name);
    }
    if (signal != LockWord.WAITS) { // where the one behind it links itself meanwhile, the next look does it
      stand(wordOf(offset, name - 1), its, LockWord.WAITS, ownName());
    }
    return AWAITS;
  }

  private int findOutNext(long offset, IntPredicate dead) {
    int name = findNext(offset);
    if (name != 0 && !dead.test(name - 1)) {
      return awaits(name - 1); // in between two steps
    }
    if (!beginChange(offset, dead)) {
      return awaits(NOBODY);
    }
    return endChange(offset, settleNext(offset, dead));
  }

  /** Hands the lock to the PE {@code name}, if it stands behind this one and has linked itself. */
  private boolean handOver(long offset, int name) {
    long its = seen(offset, name - 1);
    while (LockWord.signal(its) == LockWord.WAITS && LockWord.previous(its) == ownName()) {
      long expected = its;
      long wanted = LockWord.standing(expected, LockWord.GRANTED, 0);
      // SYNC lock-signal: acq_rel, pairs with own; orders what was done under the lock before it.
      its = Words.compareExchangeAcqRelLong(memory, wordOf(offset, name - 1), expected, wanted);
      if (its == expected) {
        return true;
      }
    }
    return false;
  }

  /** A look of a PE that has the lock, and wants to be rid of it. */
  private int release(long offset, IntPredicate dead) {
    int name = next(offset);
    if (name == 0 && leaveLast(offset, 0)) {
      freeOwn(offset);
      return RELEASED;
    }
    if (name != 0 && !isOther(name)) {
      return broken(self);
    }
    if (name != 0 && handOver(offset, name)) {
      freeOwn(offset);
      wakes = name - 1;
      return RELEASED;
    }
    return findOutNext(offset, dead);
  }

  /**
   * Hands the lock, which this PE has, to the next one, or frees it: to be called until it is {@code RELEASED}.
   * {@code AWAITS}: PE {@code other} is in between two steps, and wakes nobody behind them. {@code BROKEN}, and this PE
   * is the other one: it does not have the lock.
   */
  public int clear(long offset, IntPredicate dead) {
    if (!holds(offset)) {
      return broken(self);
    }
    return release(offset, dead);
  }

  /** Takes this PE out of the end of the queue; its word is closed. */
  private boolean leaveEnd(long offset, int previous) {
    if (!leaveLast(offset, previous)) {
      return false;
    }
    unlinkNext(wordOf(offset, previous - 1), ownName());
    return true;
  }

  /** Takes this PE out of the queue before the PE {@code name}; its word is closed. */
  private void leaveMiddle(long offset, int previous, int name) {
    linkNext(wordOf(offset, previous - 1), name);
    setPrevious(wordOf(offset, name - 1), previous);
    wakes = name - 1; // it waits for another one now
  }

  /** A look of a PE that waits, and gives up, as owner of the table's word. */
  private int leave(long offset, IntPredicate dead) {
    long mine = own(offset);
    int previous = LockWord.previous(mine);
    if (LockWord.signal(mine) != LockWord.WAITS) {
      return awaits(NOBODY); // it has the lock now
    }
    if (!isOther(previous)) {
      return broken(self);
    }
    int name = 0;
    if (last(offset) != ownName()) {
      name = findNext(offset);
      if (name == 0) {
        return broken(LockWord.home(offset, pes));
      }
      // Until a PE that lives has linked itself here, this word is not to become another's.
      if (name != next(offset) && !dead.test(name - 1)) {
        return awaits(name - 1);
      }
    }
    other = NOBODY;
    do {
      mine = own(offset);
      if (LockWord.signal(mine) != LockWord.WAITS) {
        return AWAITS;
      }
    } while (!stand(ownWord(offset), mine, LockWord.LEAVES, previous));
    if (name != 0) {
      leaveMiddle(offset, previous, name);
    } else if (!leaveEnd(offset, previous)) { // another one has come
      setSignal(ownWord(offset), LockWord.WAITS);
      return AWAITS;
    }
    freeOwn(offset);
    return RELEASED;
  }

  /**
   * Takes this PE out of the queue, wherever it stands, and with the lock, as {@link #clear} does: to be called until
   * it is {@code RELEASED}.
   */
  public int withdraw(long offset, IntPredicate dead) {
    switch (LockWord.signal(own(offset))) {
      case LockWord.FREE :
        return RELEASED;
      case LockWord.GRANTED, LockWord.HOLDS :
        return release(offset, dead);
      case LockWord.WAITS :
        if (!beginChange(offset, dead)) {
          return awaits(NOBODY);
        }
        return endChange(offset, leave(offset, dead));
      default :
        return broken(self);
    }
  }

  /**
   * To be called after each of the other calls: the PE that may sleep until what they have changed, and is to be woken;
   * {@link LockLook#NOBODY}: there is none.
   */
  public int nextWaiter() {
    int pe = wakes;
    wakes = NOBODY;
    return pe;
  }
}
