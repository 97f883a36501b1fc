package io.adrastea.shmem;

import io.adrastea.engine.symmetric.SymmetricLocks;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.error.TimeLimitException;

/**
 * A lock that all PEs share: a long number of a symmetric object, zero as long as nobody has it or waits for it. PEs
 * get it in the order in which they came [OpenSHMEM over XPMEM 2011, 4.6]. What a PE has done under it is seen by the
 * next one. {@link Shmem#lock} gives it; each PE has an object of its own for the same lock.
 *
 * <p>
 * A lock belongs to a PE, not to a thread. Where a PE dies with it, the next one is told, which does not have it then;
 * the lock goes on.
 */
public final class ShmemLock {
  private final SymmetricLocks locks;
  private final Shmem shmem;
  private final Symmetric object;
  private final long offset;

  ShmemLock(Shmem shmem, Symmetric object, long offset) {
    this.shmem = shmem;
    this.locks = shmem.state().locks();
    this.object = object;
    this.offset = offset;
  }

  private long place(String call) {
    shmem.context().placeOfElement(call, object, offset, Long.BYTES, shmem.pe());
    return object.start() + offset;
  }

  /**
   * Waits until this PE has the lock.
   *
   * @throws IllegalStateException when this PE has it, another thread of this PE waits for it, the object was freed, or
   * the heap is closed
   * @throws RankFailedException when a PE died that had the lock: this PE has not got it, what the dead one was
   * changing may be half done, and the next call goes on
   * @throws InterruptedWaitException when the thread is interrupted while it waits; this PE does not have the lock then
   * @throws TimeLimitException when the limit of the caller's wait comes, likewise
   * @throws SegmentException when something else was stored in the lock's word
   */
  public void set() {
    locks.set(place("set"));
  }

  /**
   * Takes the lock if no PE has it or waits for it.
   *
   * @return whether this PE has it now
   * @throws IllegalStateException as {@link #set}
   * @throws RankFailedException as {@link #set}
   * @throws SegmentException as {@link #set}
   */
  public boolean test() {
    return locks.test(place("test"));
  }

  /**
   * Hands the lock to the PE that has waited longest, or frees it.
   *
   * @throws IllegalStateException when this PE has not set it, the object was freed, or the heap is closed
   * @throws SegmentException when something else was stored in the lock's word
   */
  public void clear() {
    locks.clear(place("clear"));
  }

  @Override
  public String toString() {
    return "the lock at offset %d in %s".formatted(offset, object);
  }
}
