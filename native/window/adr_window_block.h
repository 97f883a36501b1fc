/* The block of a member of a window in its shared memory: how many bytes it has, and where its words lie. It is all
 * zeros at the start, at a multiple of 128, and all of its words have 64 bits. Twin of io.adrastea.window.WindowBlock.
 *
 *     line of the lock of this member's memory    exclusive, -, then (shares, waiters) for each 64 members
 *     line of the whole window, member 0's alone  -, -, then (all, waiters) for each 64 members, then the wanted
 *     posts                                       one for each member: how often this one has posted to it
 *     completes                                   one for each member: how often this one has completed towards it
 *     stripes                                     64, for elements that no single instruction can change
 *
 * Each of the five begins at a multiple of 128. `exclusive` and a stripe hold the member that has them, plus 1, in
 * their lower half, and in their upper half a generation, which each release raises. Of the words with a bit for each
 * member, word i is about the members from 64 i on. Posts and completes are written by the member itself alone. */
#pragma once

#include <stdint.h>

#include "base/adr_atomic.h"
#include "base/adr_base.h"

#define ADR_WINDOW_ALIGNMENT 128
#define ADR_WINDOW_STRIPES 64
#define ADR_WINDOW_STRIPE_BYTES 64 /* so many bytes beside each other share a stripe */

static inline uint64_t adr_window_block_align(uint64_t bytes) { return adr_align_up(bytes, ADR_WINDOW_ALIGNMENT); }

/* Words of a set with a bit for each member. */
static inline uint32_t adr_window_block_words(uint32_t members) { return (members + 63) / 64; }

/* The offset of word i of shares or all, in its line. */
static inline uint64_t adr_window_block_holders(uint32_t word) { return 16 + 16 * (uint64_t)word; }

/* The offset of word i of the waiters, in their line. */
static inline uint64_t adr_window_block_waiters(uint32_t word) { return 24 + 16 * (uint64_t)word; }

/* The offset of the line of the whole window. */
static inline uint64_t adr_window_block_whole(uint32_t members) {
  return adr_window_block_align(adr_window_block_holders(adr_window_block_words(members)));
}

static inline uint64_t adr_window_block_wanted(uint32_t members, uint32_t word) {
  const uint32_t words = adr_window_block_words(members);
  return adr_window_block_whole(members) + adr_window_block_holders(words) + 8 * (uint64_t)word;
}

/* The offset of how often the member has posted to another one. */
static inline uint64_t adr_window_block_posts(uint32_t members, uint32_t to) {
  const uint32_t words = adr_window_block_words(members);
  return adr_window_block_align(adr_window_block_wanted(members, words)) + 8 * (uint64_t)to;
}

/* The offset of how often the member has completed towards another one. */
static inline uint64_t adr_window_block_completes(uint32_t members, uint32_t target) {
  return adr_window_block_align(adr_window_block_posts(members, members)) + 8 * (uint64_t)target;
}

static inline uint64_t adr_window_block_stripe(uint32_t members, uint32_t stripe) {
  return adr_window_block_align(adr_window_block_completes(members, members)) + 8 * (uint64_t)stripe;
}

static inline uint64_t adr_window_block_bytes(uint32_t members) {
  return adr_window_block_stripe(members, ADR_WINDOW_STRIPES);
}

/* The stripe of an element, by its displacement in bytes from the beginning of the member's memory. */
static inline uint32_t adr_window_block_stripe_of(uint64_t displacement) {
  return (uint32_t)(displacement / ADR_WINDOW_STRIPE_BYTES % ADR_WINDOW_STRIPES);
}

/* The member that has an `exclusive` or a stripe, plus 1; 0: nobody. */
static inline uint32_t adr_window_block_owner(uint64_t word) { return (uint32_t)word; }

/* The word with an owner. */
static inline uint64_t adr_window_block_owned(uint64_t word, uint32_t member) { return word | (member + 1); }

/* The word without its owner, of the next generation. */
static inline uint64_t adr_window_block_freed(uint64_t word) { return ((word >> 32) + 1) << 32; }

static inline adr_atomic_u64 *adr_window_block_word(void *block, uint64_t offset) {
  return (adr_atomic_u64 *)(void *)((uint8_t *)block + offset);
}
