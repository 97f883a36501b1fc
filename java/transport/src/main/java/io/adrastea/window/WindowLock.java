package io.adrastea.window;

import static io.adrastea.window.WindowBlock.MEMORY;
import static io.adrastea.window.WindowLook.ACQUIRED;
import static io.adrastea.window.WindowLook.AWAITS;
import static io.adrastea.window.WindowLook.BROKEN;
import static io.adrastea.window.WindowLook.NOBODY;
import static io.adrastea.window.WindowLook.REPAIRED;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/**
 * One member's side of the locks of a window, a look at a time: nothing waits here, and the caller is asked which
 * members are dead. Twin of {@code window/adr_window_lock.h}.
 *
 * <p>
 * A target's memory has one exclusive holder or any number of others. A member that wants it alone takes the word
 * {@code exclusive} of the target, and then looks at two sets, both of which have to be empty: the members that share
 * this target, and those that are in lockAll. One that wants a share, or all, puts its bit into the set first, and then
 * looks at {@code exclusive}. So of two that come at once one sees the other at least. A sharer that sees an owner
 * takes its bit off and waits. An owner that sees a sharer keeps the word, so that no others come, or gives it back
 * where the caller wants that. One that sees a member in lockAll gives the word back: lockAll looks at no target, and
 * its member looks at {@code exclusive} when it first comes to a target ({@link #settle}), so it may have begun before.
 * So that members in lockAll do not keep an exclusive lock away for ever, its bit in {@code wanted} lets those that
 * come later wait.
 *
 * <p>
 * What is waited for does not change but by its holder's release, behind which those are woken whose bits are in
 * {@code waiters}: a look that has to wait puts the bit there, and the caller looks again before it sleeps. A caller
 * that waits for a share may wait for one that waits, in the program, for a member that does not get its share since
 * this lock is held back: so it does not hold others back all the time ({@code holdsBack}), but by turns.
 *
 * <p>
 * The holder's death leaves its word or its bits. The next one that has to wait for it takes them away, by a
 * read-modify-write, so that exactly one does, and is told. What a member that died in between of its own steps has
 * left are bits of the same sets, or the word, and each step leaves what the others can take away.
 *
 * <p>
 * One thread at a time; none of these calls makes an object. What the looks return is in {@link WindowLook}.
 */
public final class WindowLock {
  // What an attempt has left in shared memory.
  private static final int TAKEN = 1; // `exclusive` of the target has this member as its owner
  private static final int LISTED = 2; // its bit is among the waiters of the target
  private static final int LISTED_WHOLE = 4; // it counts among the attempts that have one among those of the window
  private static final int WANTS = 8; // it counts among those that have one in `wanted`

  private final MemorySegment[] blocks; // which stay as long as this
  private final long[] addresses; // of the blocks
  private final int[] attempts; // by target, and behind them of lockAll: what this member has left so far
  private final long whole; // offset of the line of the whole window
  private final long wanted; // offset of the wanted
  private final int members;
  private final int self;
  private int other = NOBODY;
  private int wakes = NOBODY; // target whose waiters are to be woken
  private boolean wakesOfWhole; // those of the whole window are
  private boolean ofAll; // the last look found members in lockAll
  private int wakeFrom; // the first member that was not asked yet whether it waits
  private int listed; // attempts that have this member's bit among the waiters of the whole window
  private int wanting; // attempts that have its bit in `wanted`

  /**
   * One member's side of a window's locks.
   *
   * @param blocks of all members, where they are mapped: {@link WindowBlock#bytes} each, zeros at the start, in memory
   * that stays as long as it is reachable
   * @throws IllegalArgumentException when a block is heap memory, or shorter, or not aligned
   */
  public WindowLock(MemorySegment[] blocks, int self) {
    this.blocks = blocks.clone();
    this.members = blocks.length;
    this.addresses = new long[members];
    for (int member = 0; member < members; member++) {
      addresses[member] = WindowBlock.address(blocks[member], member, members);
    }
    this.attempts = new int[members + 1];
    this.whole = WindowBlock.whole(members);
    this.wanted = WindowBlock.wanted(members, 0);
    this.self = self;
  }

  /** The member that the last look was about; {@link WindowLook#NOBODY}: none. */
  public int other() {
    return other;
  }

  private long ownHolders() {
    return WindowBlock.holders(self / Long.SIZE);
  }

  private static long waiters(int member) {
    return WindowBlock.waiters(member / Long.SIZE);
  }

  private long whole(long offset) {
    return whole + offset;
  }

  private long ownWanted() {
    return wanted + Long.BYTES * (long) (self / Long.SIZE);
  }

  private static long bit(int member) {
    return 1L << member;
  }

  /** Whether members wait in a line; what this member has changed comes before. */
  private boolean hasWaiters(long line) {
    long bits = 0;
    for (int first = 0; first < members; first += Long.SIZE) {
      // SYNC window-waiters: seq_cst, pairs with list; it comes behind what this member has changed.
      bits |= Words.loadSeqCstLong(MEMORY, line + waiters(first));
    }
    return bits != 0;
  }

  private void wakeOf(int target) {
    if (!hasWaiters(addresses[target])) {
      return;
    }
    wakes = target;
    wakeFrom = 0;
  }

  private void wakeOfWhole() {
    if (!hasWaiters(addresses[0] + whole)) {
      return;
    }
    wakesOfWhole = true;
    wakeFrom = 0;
  }

  /** Puts this member's bit among the waiters of a target; the caller looks once more before it sleeps. */
  private void list(int target) {
    if ((attempts[target] & LISTED) != 0) {
      return;
    }
    attempts[target] |= LISTED;
    // SYNC window-waiters: seq_cst, pairs with nextWaiter; the bit is there before the next look at what is waited for.
    Words.orSeqCstLong(MEMORY, addresses[target] + waiters(self), bit(self));
  }

  private void listWhole(int attempt) {
    if ((attempts[attempt] & LISTED_WHOLE) != 0) {
      return;
    }
    attempts[attempt] |= LISTED_WHOLE;
    if (listed++ > 0) {
      return;
    }
    // SYNC window-waiters: seq_cst, as of list.
    Words.orSeqCstLong(MEMORY, addresses[0] + whole(waiters(self)), bit(self));
  }

  private void want(int target) {
    if ((attempts[target] & WANTS) != 0) {
      return;
    }
    attempts[target] |= WANTS;
    if (wanting++ > 0) {
      return;
    }
    Words.orRelaxedLong(MEMORY, addresses[0] + ownWanted(), bit(self)); // a member that misses it goes first
  }

  private void endWant(int target) {
    if ((attempts[target] & WANTS) == 0) {
      return;
    }
    attempts[target] &= ~WANTS;
    if (--wanting > 0) {
      return;
    }
    // SYNC window-wanted: seq_cst, pairs with look; it comes before the look at the waiters.
    Words.andSeqCstLong(MEMORY, addresses[0] + ownWanted(), ~bit(self));
    wakeOfWhole();
  }

  /** Takes all away that an attempt has left but the word. */
  private void endLate(int attempt) {
    endWant(attempt);
    if ((attempts[attempt] & LISTED) != 0) {
      // A member that still sees it wakes for nothing.
      Words.andRelaxedLong(MEMORY, addresses[attempt] + waiters(self), ~bit(self));
    }
    if ((attempts[attempt] & LISTED_WHOLE) != 0 && --listed == 0) {
      Words.andRelaxedLong(MEMORY, addresses[0] + whole(waiters(self)), ~bit(self)); // likewise
    }
    attempts[attempt] = 0;
  }

  private void end(int attempt) {
    if ((attempts[attempt] & ~TAKEN) != 0) {
      endLate(attempt);
    }
    attempts[attempt] = 0;
  }

  /** Frees {@code exclusive}, which this member owns, so that nobody else writes it. */
  private void giveBack(int target) {
    long word = Words.loadRelaxedLong(MEMORY, addresses[target]);
    attempts[target] &= ~TAKEN;
    // SYNC window-exclusive: seq_cst, pairs with take, tryShared and settle; orders this epoch's accesses before it,
    // and the look at the waiters behind it.
    Words.swapSeqCstLong(MEMORY, addresses[target], WindowBlock.freed(word));
    wakeOf(target);
  }

  /** Takes back what the looks for a lock of a target, or a settle, have left so far. */
  public void withdraw(int target) {
    if ((attempts[target] & TAKEN) != 0) {
      giveBack(target);
    }
    end(target);
  }

  /** Returns what a look finds at a word {@code exclusive} that has an owner. */
  private int awaitOwner(int target, long word, IntPredicate dead) {
    ofAll = false;
    other = WindowBlock.owner(word) - 1;
    if (other < 0 || other >= members) {
      end(target);
      return BROKEN;
    }
    if (!dead.test(other)) {
      list(target);
      return AWAITS;
    }
    // SYNC window-exclusive: seq_cst, as of giveBack, in the dead owner's place; of several members one does it.
    if (Words.casSeqCstLong(MEMORY, addresses[target], word, WindowBlock.freed(word))) {
      end(target);
      wakeOf(target);
      return REPAIRED;
    }
    other = NOBODY; // another one has
    return AWAITS;
  }

  /** Takes a dead member's bit off; {@code ACQUIRED}: another one has. */
  private static int repair(long at, long bit) {
    // SYNC window-shares, window-all, window-wanted: seq_cst, as of a release, in the dead member's place; of several
    // members one does it.
    long before = Words.andSeqCstLong(MEMORY, at, ~bit);
    return (before & bit) != 0 ? REPAIRED : ACQUIRED;
  }

  /** Adds the bits of one word of a set to what was found before: the worst counts, and sets {@code other}. */
  private int lookAtBits(long at, int first, long bits, int found, IntPredicate dead) {
    int most = found;
    for (long left = bits; left != 0; left &= left - 1) {
      int member = first + Long.numberOfTrailingZeros(left);
      int one = AWAITS;
      if (member >= members) {
        one = BROKEN;
      } else if (dead.test(member)) {
        one = repair(at, left & -left);
      }
      if (one > most) {
        most = one;
        other = member;
      }
    }
    return most;
  }

  /** Looks whether a set is empty, the bits of the dead taken off. */
  private int look(long firstAt, int step, long but, IntPredicate dead) {
    int found = ACQUIRED;
    long at = firstAt;
    for (int first = 0; first < members; first += Long.SIZE) {
      // SYNC window-shares, window-all, window-wanted: seq_cst, pairs with tryShared, tryAll and their releases, and
      // with endWant; it comes behind this member's store to `exclusive`, or to `waiters`.
      long bits = Words.loadSeqCstLong(MEMORY, at);
      if (first == (self & -Long.SIZE)) {
        bits &= ~but;
      }
      if (bits != 0) {
        found = lookAtBits(at, first, bits, found, dead);
      }
      at += step;
    }
    return found;
  }

  /** Looks at the members in lockAll and, {@code alsoShares}, at the sharers of a target. */
  private int lookAtHolders(int target, boolean alsoShares, IntPredicate dead) {
    int found = look(addresses[0] + whole(WindowBlock.holders(0)), 2 * Long.BYTES, 0, dead);
    ofAll = found != ACQUIRED;
    if (ofAll || !alsoShares) {
      return found;
    }
    return look(addresses[target] + WindowBlock.holders(0), 2 * Long.BYTES, 0, dead);
  }

  /** Takes {@code exclusive} of a target, if it is free. */
  private int take(int target, IntPredicate dead) {
    long word = Words.loadRelaxedLong(MEMORY, addresses[target]); // the exchange decides
    while (WindowBlock.owner(word) == 0) {
      long expected = word;
      long owned = WindowBlock.owned(word, self);
      // SYNC window-exclusive: seq_cst, pairs with giveBack, so that the last epoch's accesses come before; and orders
      // the look at the holders behind it.
      word = Words.compareExchangeSeqCstLong(MEMORY, addresses[target], expected, owned);
      if (word == expected) {
        attempts[target] |= TAKEN;
        return ACQUIRED;
      }
    }
    return awaitOwner(target, word, dead);
  }

  /** Leaves in shared memory what a member leaves that goes on waiting for an exclusive lock, or nothing. */
  private int refuse(int target, boolean holdsBack, int found) {
    if (found != AWAITS) {
      withdraw(target);
      wakeOf(target);
      wakeOfWhole();
      return found;
    }
    boolean isOfAll = ofAll;
    if ((attempts[target] & TAKEN) != 0 && (isOfAll || !holdsBack)) {
      giveBack(target);
    }
    if (isOfAll) {
      listWhole(target);
    } else {
      list(target);
    }
    if (isOfAll && holdsBack) {
      want(target);
    } else {
      endWant(target);
    }
    return found;
  }

  /**
   * Looks for the exclusive lock of a target.
   *
   * @param holdsBack those that come later wait until this one has had it
   */
  public int tryExclusive(int target, boolean holdsBack, IntPredicate dead) {
    int left = attempts[target];
    int found = ACQUIRED;
    if (left != 0 && (left & TAKEN) == 0) { // refused before: it looks first, so that the word stays where it is
      found = lookAtHolders(target, !holdsBack, dead);
    }
    if (found == ACQUIRED && (left & TAKEN) == 0) {
      found = take(target, dead);
    }
    if (found == ACQUIRED) {
      found = lookAtHolders(target, true, dead);
    }
    if (found != ACQUIRED) {
      return refuse(target, holdsBack, found);
    }
    end(target);
    return ACQUIRED;
  }

  public void releaseExclusive(int target) {
    giveBack(target);
  }

  /** Looks for a share of the lock of a target. */
  public int tryShared(int target, IntPredicate dead) {
    if (attempts[target] != 0) { // refused before: it looks first, so that nobody waits for its bit
      // SYNC window-exclusive: seq_cst, pairs with giveBack; it comes behind this member's bit in `waiters`.
      long word = Words.loadSeqCstLong(MEMORY, addresses[target]);
      if (WindowBlock.owner(word) != 0) {
        return awaitOwner(target, word, dead);
      }
    }
    // SYNC window-shares: seq_cst, pairs with look; it comes before the look at `exclusive`.
    Words.orSeqCstLong(MEMORY, addresses[target] + ownHolders(), bit(self));
    // SYNC window-exclusive: seq_cst, pairs with take, and with giveBack, so that the last epoch's accesses come
    // before.
    long word = Words.loadSeqCstLong(MEMORY, addresses[target]);
    if (WindowBlock.owner(word) == 0) {
      end(target);
      return ACQUIRED;
    }
    releaseShared(target);
    return awaitOwner(target, word, dead);
  }

  public void releaseShared(int target) {
    // SYNC window-shares: seq_cst, pairs with look; orders this epoch's accesses before it, and the look at the waiters
    // behind it.
    Words.andSeqCstLong(MEMORY, addresses[target] + ownHolders(), ~bit(self));
    wakeOf(target);
  }

  /** Looks for a share of all targets; none is looked at before it is settled. */
  public int tryAll(IntPredicate dead) {
    int found = REPAIRED;
    while (found == REPAIRED) { // a member that only wanted it held nothing
      found = look(addresses[0] + wanted, Long.BYTES, bit(self), dead);
    }
    if (found == AWAITS) {
      listWhole(members);
      return found;
    }
    if (found == BROKEN) {
      end(members);
      return found;
    }
    // SYNC window-all: seq_cst, pairs with look; it comes before the looks at `exclusive` of the targets.
    Words.orSeqCstLong(MEMORY, addresses[0] + whole(ownHolders()), bit(self));
    end(members);
    return ACQUIRED;
  }

  public void releaseAll() {
    // SYNC window-all: seq_cst, pairs with look; orders this epoch's accesses before it, and the look at the waiters
    // behind it.
    Words.andSeqCstLong(MEMORY, addresses[0] + whole(ownHolders()), ~bit(self));
    wakeOfWhole();
  }

  /** Takes back what the looks for all have left so far. */
  public void withdrawAll() {
    end(members);
  }

  /**
   * Before the first access to a target since {@link #tryAll}: looks whether no exclusive lock was there before. Where
   * it has repaired something, this member is still in lockAll.
   */
  public int settle(int target, IntPredicate dead) {
    // SYNC window-exclusive: seq_cst, pairs with take, and with giveBack, so that the last epoch's accesses come
    // before; it comes behind this member's bit in `all`.
    long word = Words.loadSeqCstLong(MEMORY, addresses[target]);
    if (WindowBlock.owner(word) == 0) {
      end(target);
      return ACQUIRED;
    }
    int found = awaitOwner(target, word, dead);
    if (found != AWAITS || other == NOBODY) {
      return found;
    }
    // SYNC window-waiters: seq_cst, pairs with list; it comes behind this member's bit in `all`. An owner that still
    // waits for sharers may sleep, and is to give the word back.
    if ((Words.loadSeqCstLong(MEMORY, addresses[target] + waiters(other)) & bit(other)) != 0) {
      wakeOf(target);
    }
    return found;
  }

  /** The next of the waiters in a line, from {@code wakeFrom} on; the bits of the dead are taken off. */
  private int nextIn(long line, IntPredicate dead) {
    while (wakeFrom < members) {
      int from = wakeFrom;
      long at = line + waiters(from);
      // SYNC window-waiters: seq_cst, pairs with list; it comes behind what this member has changed.
      long bits = Words.loadSeqCstLong(MEMORY, at) & -1L << from;
      if (bits == 0) {
        wakeFrom = (from | Long.SIZE - 1) + 1;
        continue;
      }
      int member = (from & -Long.SIZE) + Long.numberOfTrailingZeros(bits);
      wakeFrom = member + 1;
      if (member >= members || member == self) {
        continue;
      }
      if (!dead.test(member)) {
        return member;
      }
      Words.andRelaxedLong(MEMORY, at, ~bit(member)); // nobody relies on it
    }
    return NOBODY;
  }

  /**
   * To be called after each of the other calls until it returns {@link WindowLook#NOBODY}: the next member that may
   * sleep until what they have changed, and is to be woken.
   */
  public int nextWaiter(IntPredicate dead) {
    if (wakes != NOBODY) {
      int member = nextIn(addresses[wakes], dead);
      if (member != NOBODY) {
        return member;
      }
      wakes = NOBODY;
      wakeFrom = 0;
    }
    if (wakesOfWhole) {
      int member = nextIn(addresses[0] + whole, dead);
      if (member != NOBODY) {
        return member;
      }
      wakesOfWhole = false;
    }
    return NOBODY;
  }
}
