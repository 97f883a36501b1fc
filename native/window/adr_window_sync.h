/* Post, start, complete and wait of a window [MPI-2], by words that one member writes alone: each says how often it has
 * posted to another one, and how often it has completed towards it, since the window was made. Nothing waits here. Twin
 * of io.adrastea.window.WindowSync.
 *
 * A start that has come to a target k times waits until that one has posted k times; a wait behind k posts to an origin
 * until that one has completed k times. So groups need not be those of all members, an epoch is never taken for
 * another one, and nobody resets a word. */
#pragma once

#include "base/adr_stop.h"
#include "window/adr_window_block.h"

struct adr_window_sync {
  void *const *blocks; /* of all members, where they are mapped */
  uint32_t members;
  uint32_t self;
};

/* Says that this member's memory is open to another one, once more. */
static inline void adr_window_sync_post(const struct adr_window_sync *sync, uint32_t to) {
  adr_atomic_u64 *posts = adr_window_block_word(sync->blocks[sync->self], adr_window_block_posts(sync->members, to));
  const uint64_t before = adr_load_relaxed_u64(posts); /* this member's own */
  /* SYNC window-posts: release, pairs with has_posted; orders what this member has done to its memory before it. */
  adr_store_release_u64(posts, before + 1);
  ADR_STOP(window_posted);
}

/* Whether a target has posted to this member so often. */
static inline bool adr_window_sync_has_posted(const struct adr_window_sync *sync, uint32_t target, uint64_t count) {
  const adr_atomic_u64 *posts =
      adr_window_block_word(sync->blocks[target], adr_window_block_posts(sync->members, sync->self));
  /* SYNC window-posts: acquire, pairs with post; orders this member's accesses to that memory after it. */
  return adr_load_acquire_u64(posts) >= count;
}

/* Says that this member has done all that it does to a target's memory until it starts again. */
static inline void adr_window_sync_complete(const struct adr_window_sync *sync, uint32_t target) {
  adr_atomic_u64 *completes =
      adr_window_block_word(sync->blocks[sync->self], adr_window_block_completes(sync->members, target));
  const uint64_t before = adr_load_relaxed_u64(completes); /* this member's own */
  /* SYNC window-completes: release, pairs with has_completed; orders this member's accesses to that memory before
   * it. */
  adr_store_release_u64(completes, before + 1);
  ADR_STOP(window_completed);
}

/* Whether an origin has completed towards this member so often. */
static inline bool adr_window_sync_has_completed(const struct adr_window_sync *sync, uint32_t origin, uint64_t count) {
  const adr_atomic_u64 *completes =
      adr_window_block_word(sync->blocks[origin], adr_window_block_completes(sync->members, sync->self));
  /* SYNC window-completes: acquire, pairs with complete; orders what this member does to its memory after it. */
  return adr_load_acquire_u64(completes) >= count;
}
