package io.adrastea.window;

import static io.adrastea.window.WindowBlock.MEMORY;

import io.adrastea.atomic.Words;
import java.lang.foreign.MemorySegment;

/**
 * Post, start, complete and wait of a window [MPI-2], by words that one member writes alone: each says how often it has
 * posted to another one, and how often it has completed towards it, since the window was made. Nothing waits here. Twin
 * of {@code window/adr_window_sync.h}.
 *
 * <p>
 * A start that has come to a target k times waits until that one has posted k times; a wait behind k posts to an origin
 * until that one has completed k times. So groups need not be those of all members, an epoch is never taken for another
 * one, and nobody resets a word. Whoever calls has checked that there is such a member.
 */
public final class WindowSync {
  private final MemorySegment[] blocks; // which stay as long as this
  private final long[] posts; // by member: the address of the first of its counts of posts
  private final long[] completes; // likewise
  private final long own; // offset of what others count towards this member, from the first one on
  private final int self;

  /**
   * One member's side of the counts.
   *
   * @param blocks of all members, where they are mapped: {@link WindowBlock#bytes} each, zeros at the start, in memory
   * that stays as long as it is reachable
   * @throws IllegalArgumentException when a block is heap memory, or shorter, or not aligned
   */
  public WindowSync(MemorySegment[] blocks, int self) {
    this.blocks = blocks.clone();
    this.posts = new long[blocks.length];
    this.completes = new long[blocks.length];
    for (int member = 0; member < blocks.length; member++) {
      long block = WindowBlock.address(blocks[member], member, blocks.length);
      posts[member] = block + WindowBlock.posts(blocks.length, 0);
      completes[member] = block + WindowBlock.completes(blocks.length, 0);
    }
    this.own = (long) Long.BYTES * self;
    this.self = self;
  }

  /** Says that this member's memory is open to another one, once more. */
  public void post(int to) {
    long count = posts[self] + (long) Long.BYTES * to;
    long before = Words.loadRelaxedLong(MEMORY, count); // this member's own
    // SYNC window-posts: release, pairs with hasPosted; orders what this member has done to its memory before it.
    Words.storeReleaseLong(MEMORY, count, before + 1);
  }

  /** Whether a target has posted to this member so often. */
  public boolean hasPosted(int target, long count) {
    // SYNC window-posts: acquire, pairs with post; orders this member's accesses to that memory after it.
    return Words.loadAcquireLong(MEMORY, posts[target] + own) >= count;
  }

  /** Says that this member has done all that it does to a target's memory until it starts again. */
  public void complete(int target) {
    long count = completes[self] + (long) Long.BYTES * target;
    long before = Words.loadRelaxedLong(MEMORY, count); // this member's own
    // SYNC window-completes: release, pairs with hasCompleted; orders this member's accesses to that memory before it.
    Words.storeReleaseLong(MEMORY, count, before + 1);
  }

  /** Whether an origin has completed towards this member so often. */
  public boolean hasCompleted(int origin, long count) {
    // SYNC window-completes: acquire, pairs with complete; orders what this member does to its memory after it.
    return Words.loadAcquireLong(MEMORY, completes[origin] + own) >= count;
  }
}
