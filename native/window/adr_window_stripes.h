/* The stripes of the memory of a window's members: short locks for elements that no single instruction can change, a
 * look at a time. Twin of io.adrastea.window.WindowStripes.
 *
 * A stripe is held for one element, by a member that does nothing else meanwhile, so nobody sleeps for one. Where the
 * holder dies the next one takes it over, by a CAS of owner and generation, so that exactly one does, and is told:
 * what the dead one was changing may be half done. */
#pragma once

#include "base/adr_stop.h"
#include "window/adr_window_lock.h"

struct adr_window_stripes {
  void *const *blocks; /* of all members, where they are mapped */
  uint32_t members;
  uint32_t self;
  uint32_t other; /* the member that the last look was about */
};

/* Looks for a stripe of a target's memory. */
static inline enum adr_window_look adr_window_stripes_try_acquire(struct adr_window_stripes *stripes, uint32_t target,
                                                                  uint32_t stripe, adr_window_dead *dead,
                                                                  void *caller) {
  adr_atomic_u64 *at =
      adr_window_block_word(stripes->blocks[target], adr_window_block_stripe(stripes->members, stripe));
  uint64_t word = adr_load_relaxed_u64(at); /* the exchange decides */
  while (adr_window_block_owner(word) == 0) {
    const uint64_t expected = word;
    /* SYNC window-stripe: acq_rel, pairs with release; orders the element's accesses after it. */
    word = adr_compare_exchange_acq_rel_u64(at, expected, adr_window_block_owned(expected, stripes->self));
    if (word == expected) {
      ADR_STOP(window_stripe_taken);
      return ADR_WINDOW_ACQUIRED;
    }
  }
  stripes->other = adr_window_block_owner(word) - 1;
  if (stripes->other >= stripes->members) { return ADR_WINDOW_BROKEN; }
  if (!dead(caller, stripes->other)) { return ADR_WINDOW_AWAITS; }
  /* SYNC window-stripe: acq_rel, as of release, in the dead owner's place; of several members one does it. */
  if (adr_cas_acq_rel_u64(at, word, adr_window_block_freed(word))) { return ADR_WINDOW_REPAIRED; }
  stripes->other = ADR_WINDOW_NOBODY; /* another one has */
  return ADR_WINDOW_AWAITS;
}

static inline void adr_window_stripes_release(struct adr_window_stripes *stripes, uint32_t target, uint32_t stripe) {
  adr_atomic_u64 *at =
      adr_window_block_word(stripes->blocks[target], adr_window_block_stripe(stripes->members, stripe));
  const uint64_t word = adr_load_relaxed_u64(at); /* this member's own */
  /* SYNC window-stripe: release, pairs with try_acquire; orders the element's accesses before it. */
  adr_store_release_u64(at, adr_window_block_freed(word));
  ADR_STOP(window_stripe_released);
}
