package io.adrastea.window;

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
 * one, and nobody resets a word.
 */
public final class WindowSync {
  private final MemorySegment[] blocks;
  private final int members;
  private final int self;

  /** @param blocks of all members, where they are mapped: {@link WindowBlock#bytes} each, zeros at the start */
  public WindowSync(MemorySegment[] blocks, int self) {
    this.blocks = blocks.clone();
    this.members = blocks.length;
    this.self = self;
  }

  /** Says that this member's memory is open to another one, once more. */
  public void post(int to) {
    long posts = WindowBlock.posts(members, to);
    long before = Words.loadRelaxedLong(blocks[self], posts); // this member's own
    // SYNC window-posts: release, pairs with hasPosted; orders what this member has done to its memory before it.
    Words.storeReleaseLong(blocks[self], posts, before + 1);
  }

  /** Whether a target has posted to this member so often. */
  public boolean hasPosted(int target, long count) {
    long posts = WindowBlock.posts(members, self);
    // SYNC window-posts: acquire, pairs with post; orders this member's accesses to that memory after it.
    return Words.loadAcquireLong(blocks[target], posts) >= count;
  }

  /** Says that this member has done all that it does to a target's memory until it starts again. */
  public void complete(int target) {
    long completes = WindowBlock.completes(members, target);
    long before = Words.loadRelaxedLong(blocks[self], completes); // this member's own
    // SYNC window-completes: release, pairs with hasCompleted; orders this member's accesses to that memory before it.
    Words.storeReleaseLong(blocks[self], completes, before + 1);
  }

  /** Whether an origin has completed towards this member so often. */
  public boolean hasCompleted(int origin, long count) {
    long completes = WindowBlock.completes(members, self);
    // SYNC window-completes: acquire, pairs with complete; orders what this member does to its memory after it.
    return Words.loadAcquireLong(blocks[origin], completes) >= count;
  }
}
