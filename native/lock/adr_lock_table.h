/* The library's table beside the locks: who is just taking PEs out of queues. It has 64 words, all zeros at the start,
 * in memory that every PE maps; a lock uses the one that its offset tells. Twin of io.adrastea.lock.LockTable.
 *
 * A word has its owner plus 1 in its lower half, and in its upper half a generation, which each change of owner raises.
 * It is held for a few steps, within one call. The next one takes it over from an owner that is dead: what that one has
 * left half done shows in the words of the lock, and those that come across it there complete it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/adr_atomic.h"
#include "base/adr_stop.h"

#define ADR_LOCK_TABLE_WORDS 64

/* Bytes of the table, at a multiple of 8. */
static inline uint64_t adr_lock_table_bytes(void) { return sizeof(uint64_t) * ADR_LOCK_TABLE_WORDS; }

/* The offset of the word of the lock at `offset` of the symmetric memory. */
static inline uint64_t adr_lock_table_place(uint64_t offset) { return offset & (adr_lock_table_bytes() - 8); }

static inline adr_atomic_u64 *adr_lock_table_word(void *table, uint64_t offset) {
  return (adr_atomic_u64 *)((uint8_t *)table + adr_lock_table_place(offset));
}

/* Plus 1; 0: none. */
static inline uint32_t adr_lock_table_owner(uint64_t word) { return (uint32_t)word; }

/* The word with another owner, of the next generation; `owner`: plus 1, 0: none. */
static inline uint64_t adr_lock_table_owned(uint64_t word, uint32_t owner) { return ((word >> 32) + 1) << 32 | owner; }

/* Whether a PE does nothing more; `caller` is handed through. */
typedef bool adr_lock_dead(void *caller, uint32_t pe);

/* Returns whether this PE has the word now: it was free, or its owner is dead. A PE that has it already, from a call
 * that an exception has ended, goes on. */
static inline bool adr_lock_table_try_acquire(void *table, uint64_t offset, uint32_t self, uint32_t pes,
                                              adr_lock_dead *dead, void *caller) {
  adr_atomic_u64 *at = adr_lock_table_word(table, offset);
  const uint64_t word = adr_load_relaxed_u64(at); /* the exchange decides */
  const uint32_t owner = adr_lock_table_owner(word);
  if (owner != 0 && owner != self + 1 && owner <= pes && !dead(caller, owner - 1)) { return false; }
  /* SYNC lock-table: acq_rel, pairs with release; orders what this PE reads of the queue after it. */
  return adr_cas_acq_rel_u64(at, word, adr_lock_table_owned(word, self + 1));
}

static inline void adr_lock_table_release(void *table, uint64_t offset) {
  adr_atomic_u64 *at = adr_lock_table_word(table, offset);
  const uint64_t word = adr_load_relaxed_u64(at); /* this PE's own */
  /* SYNC lock-table: release, pairs with try_acquire; orders what this PE has changed before it. */
  adr_store_release_u64(at, adr_lock_table_owned(word, 0));
  ADR_STOP(lock_table_released);
}
