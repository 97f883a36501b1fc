/* The word that each PE has of a lock in symmetric memory, and the PE whose word tells the end of the queue. Twin of
 * io.adrastea.lock.LockWord.
 *
 *     bits 0-15    last      the last PE of the queue; used in the word of the lock's home alone
 *     bits 16-31   next      the PE behind this one
 *     bits 32-47   signal    how far this PE is (enum adr_lock_signal)
 *     bits 48-63   previous  the PE before this one: what [OpenSHMEM over XPMEM 2011, 4.6] leaves unused
 *
 * A PE is named by its number plus 1, and 0 names no PE: so a word of zeros is one of a free lock, and there are at
 * most 65,534 PEs. The word is changed as a whole, by instructions of 64 bits: Java has none that change 16. */
#pragma once

#include <stdint.h>

/* All PEs have numbers below this one. */
#define ADR_LOCK_MOST_PES 65534u

/* Spreads the homes of locks that lie side by side: 2^32 over the golden ratio. */
#define ADR_LOCK_SPREAD 0x9e3779b1u

enum adr_lock_signal {
  ADR_LOCK_FREE,    /* not in the queue */
  ADR_LOCK_ENTERS,  /* about to put itself behind `previous`, or there, and not linked: the lock is not handed to it */
  ADR_LOCK_WAITS,   /* behind `previous` */
  ADR_LOCK_GRANTED, /* the lock was handed to this PE, which has not looked since */
  ADR_LOCK_HOLDS,   /* it has the lock, or is about to take it as it is free */
  ADR_LOCK_LEAVES,  /* behind `previous`, and being taken out of the queue: the lock is not handed to it */
};

static inline uint32_t adr_lock_word_last(uint64_t word) { return (uint16_t)word; }
static inline uint32_t adr_lock_word_next(uint64_t word) { return (uint16_t)(word >> 16); }
static inline uint32_t adr_lock_word_signal(uint64_t word) { return (uint16_t)(word >> 32); }
static inline uint32_t adr_lock_word_previous(uint64_t word) { return (uint16_t)(word >> 48); }

static inline uint64_t adr_lock_word_with_last(uint64_t word, uint32_t last) {
  return (word & ~UINT64_C(0xffff)) | last;
}

static inline uint64_t adr_lock_word_with_next(uint64_t word, uint32_t next) {
  return (word & ~UINT64_C(0xffff0000)) | (uint64_t)next << 16;
}

/* The word with another signal and another PE before its own. */
static inline uint64_t adr_lock_word_standing(uint64_t word, uint32_t signal, uint32_t previous) {
  return (word & UINT64_C(0xffffffff)) | (uint64_t)signal << 32 | (uint64_t)previous << 48;
}

/* The PE whose word has `last` of the lock at an offset of the symmetric memory. No division: it is on the way of each
 * call. */
static inline uint32_t adr_lock_word_home(uint64_t offset, uint32_t pes) {
  const uint32_t spread = (uint32_t)(offset >> 3) * ADR_LOCK_SPREAD;
  return (uint32_t)((uint64_t)spread * pes >> 32);
}
