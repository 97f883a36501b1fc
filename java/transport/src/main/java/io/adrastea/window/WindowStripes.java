package io.adrastea.window;

import static io.adrastea.window.WindowLook.ACQUIRED;
import static io.adrastea.window.WindowLook.AWAITS;
import static io.adrastea.window.WindowLook.BROKEN;
import static io.adrastea.window.WindowLook.NOBODY;
import static io.adrastea.window.WindowLook.REPAIRED;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/**
 * The stripes of the memory of a window's members: short locks for elements that no single instruction can change, a
 * look at a time. Twin of {@code window/adr_window_stripes.h}.
 *
 * <p>
 * A stripe is held for one element, by a member that does nothing else meanwhile, so nobody sleeps for one. Where the
 * holder dies the next one takes it over, by a CAS of owner and generation, so that exactly one does, and is told: what
 * the dead one was changing may be half done.
 */
public final class WindowStripes {
  private final MemorySegment[] blocks;
  private final int members;
  private final int self;
  private int other = NOBODY;

  /** @param blocks of all members, where they are mapped: {@link WindowBlock#bytes} each, zeros at the start */
  public WindowStripes(MemorySegment[] blocks, int self) {
    this.blocks = blocks.clone();
    this.members = blocks.length;
    this.self = self;
  }

  /** The member that the last look was about; {@link WindowLook#NOBODY}: none. */
  public int other() {
    return other;
  }

  /** Looks for a stripe of a target's memory. */
  public int tryAcquire(int target, int stripe, IntPredicate dead) {
    long at = WindowBlock.stripe(members, stripe);
    long word = Words.loadRelaxedLong(blocks[target], at); // the exchange decides
    while (WindowBlock.owner(word) == 0) {
      long expected = word;
      // SYNC window-stripe: acq_rel, pairs with release; orders the element's accesses after it.
      word = Words.compareExchangeAcqRelLong(blocks[target], at, expected, WindowBlock.owned(expected, self));
      if (word == expected) {
        return ACQUIRED;
      }
    }
    other = WindowBlock.owner(word) - 1;
    if (other < 0 || other >= members) {
      return BROKEN;
    }
    if (!dead.test(other)) {
      return AWAITS;
    }
    // SYNC window-stripe: acq_rel, as of release, in the dead owner's place; of several members one does it.
    if (Words.casAcqRelLong(blocks[target], at, word, WindowBlock.freed(word))) {
      return REPAIRED;
    }
    other = NOBODY; // another one has
    return AWAITS;
  }

  public void release(int target, int stripe) {
    long at = WindowBlock.stripe(members, stripe);
    long word = Words.loadRelaxedLong(blocks[target], at); // this member's own
    // SYNC window-stripe: release, pairs with tryAcquire; orders the element's accesses before it.
    Words.storeReleaseLong(blocks[target], at, WindowBlock.freed(word));
  }
}
