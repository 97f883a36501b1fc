/* Atomic words. The memory order is in the call's name; no default order exists. Twin of io.adrastea.atomic.Words.
 *
 * All shared words are 32 or 64 bits, naturally aligned and lock-free, so that the same access made by
 * another process, or by a Java VarHandle, is one access to the same word.
 *
 * Read-modify-writes return what the word was before, and come in three orders: relaxed (the operation alone is atomic,
 * and orders nothing), acq_rel, and seq_cst. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint32_t adr_atomic_u32;
typedef _Atomic uint64_t adr_atomic_u64;

_Static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2,
               "words shared between processes must be lock-free");
_Static_assert(sizeof(adr_atomic_u64) == 8 && sizeof(adr_atomic_u32) == 4, "atomics carry no lock");

/* Exactly one plain load: what was checked is what is used, though a broken peer may write meanwhile. */
static inline uint32_t adr_load_once_u32(const uint32_t *word) { return *(const volatile uint32_t *)word; }
static inline uint64_t adr_load_once_u64(const uint64_t *word) { return *(const volatile uint64_t *)word; }

/* Keeps the compiler, and nobody else, from moving accesses over it: no instruction. */
static inline void adr_compiler_fence(void) { atomic_signal_fence(memory_order_seq_cst); }

/* Orders everything before it with everything behind it. */
static inline void adr_full_fence(void) {
#ifdef __SANITIZE_THREAD__ /* It knows no fences; the races that it is to find do not depend on this one. */
  adr_atomic_u32 word = 0;
  atomic_fetch_add_explicit(&word, 1, memory_order_seq_cst);
#else
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

/* Orders stores before it, also those of read-modify-writes, with stores behind it; loads may pass it. */
static inline void adr_store_fence(void) {
#ifdef __SANITIZE_THREAD__ /* As above. */
  adr_full_fence();
#elif defined(__aarch64__) /* C11 has none that is so weak. */
  __asm__ volatile("dmb ishst" ::: "memory");
#else
  atomic_thread_fence(memory_order_release);
#endif
}

/* Words of 32 bits. */
static inline uint32_t adr_load_relaxed_u32(const adr_atomic_u32 *word) {
  return atomic_load_explicit(word, memory_order_relaxed);
}
static inline uint32_t adr_load_acquire_u32(const adr_atomic_u32 *word) {
  return atomic_load_explicit(word, memory_order_acquire);
}
static inline uint32_t adr_load_seq_cst_u32(const adr_atomic_u32 *word) {
  return atomic_load_explicit(word, memory_order_seq_cst);
}
static inline void adr_store_relaxed_u32(adr_atomic_u32 *word, uint32_t value) {
  atomic_store_explicit(word, value, memory_order_relaxed);
}
static inline void adr_store_release_u32(adr_atomic_u32 *word, uint32_t value) {
  atomic_store_explicit(word, value, memory_order_release);
}
static inline void adr_store_seq_cst_u32(adr_atomic_u32 *word, uint32_t value) {
  atomic_store_explicit(word, value, memory_order_seq_cst);
}
static inline uint32_t adr_add_relaxed_u32(adr_atomic_u32 *word, uint32_t value) {
  return atomic_fetch_add_explicit(word, value, memory_order_relaxed);
}
static inline uint32_t adr_add_acq_rel_u32(adr_atomic_u32 *word, uint32_t value) {
  return atomic_fetch_add_explicit(word, value, memory_order_acq_rel);
}
static inline uint32_t adr_add_seq_cst_u32(adr_atomic_u32 *word, uint32_t value) {
  return atomic_fetch_add_explicit(word, value, memory_order_seq_cst);
}
static inline uint32_t adr_and_relaxed_u32(adr_atomic_u32 *word, uint32_t bits) {
  return atomic_fetch_and_explicit(word, bits, memory_order_relaxed);
}
static inline uint32_t adr_and_acq_rel_u32(adr_atomic_u32 *word, uint32_t bits) {
  return atomic_fetch_and_explicit(word, bits, memory_order_acq_rel);
}
static inline uint32_t adr_and_seq_cst_u32(adr_atomic_u32 *word, uint32_t bits) {
  return atomic_fetch_and_explicit(word, bits, memory_order_seq_cst);
}
static inline uint32_t adr_or_relaxed_u32(adr_atomic_u32 *word, uint32_t bits) {
  return atomic_fetch_or_explicit(word, bits, memory_order_relaxed);
}
static inline uint32_t adr_or_acq_rel_u32(adr_atomic_u32 *word, uint32_t bits) {
  return atomic_fetch_or_explicit(word, bits, memory_order_acq_rel);
}
static inline uint32_t adr_or_seq_cst_u32(adr_atomic_u32 *word, uint32_t bits) {
  return atomic_fetch_or_explicit(word, bits, memory_order_seq_cst);
}
static inline uint32_t adr_xor_relaxed_u32(adr_atomic_u32 *word, uint32_t bits) {
  return atomic_fetch_xor_explicit(word, bits, memory_order_relaxed);
}
static inline uint32_t adr_xor_acq_rel_u32(adr_atomic_u32 *word, uint32_t bits) {
  return atomic_fetch_xor_explicit(word, bits, memory_order_acq_rel);
}
static inline uint32_t adr_xor_seq_cst_u32(adr_atomic_u32 *word, uint32_t bits) {
  return atomic_fetch_xor_explicit(word, bits, memory_order_seq_cst);
}
static inline uint32_t adr_swap_relaxed_u32(adr_atomic_u32 *word, uint32_t value) {
  return atomic_exchange_explicit(word, value, memory_order_relaxed);
}
static inline uint32_t adr_swap_acq_rel_u32(adr_atomic_u32 *word, uint32_t value) {
  return atomic_exchange_explicit(word, value, memory_order_acq_rel);
}
static inline uint32_t adr_swap_seq_cst_u32(adr_atomic_u32 *word, uint32_t value) {
  return atomic_exchange_explicit(word, value, memory_order_seq_cst);
}
/* Stores `value` if the word is `expected`, and returns what it was: `expected` if it was stored. On failure of the
 * acq_rel form the word was read with acquire. */
static inline uint32_t adr_compare_exchange_relaxed_u32(adr_atomic_u32 *word, uint32_t expected, uint32_t value) {
  atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_relaxed, memory_order_relaxed);
  return expected;
}
static inline uint32_t adr_compare_exchange_acq_rel_u32(adr_atomic_u32 *word, uint32_t expected, uint32_t value) {
  atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_acq_rel, memory_order_acquire);
  return expected;
}
static inline uint32_t adr_compare_exchange_seq_cst_u32(adr_atomic_u32 *word, uint32_t expected, uint32_t value) {
  atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_seq_cst, memory_order_seq_cst);
  return expected;
}
/* Stores `value` if the word is `expected`; returns whether it was stored. */
static inline bool adr_cas_relaxed_u32(adr_atomic_u32 *word, uint32_t expected, uint32_t value) {
  return atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_relaxed, memory_order_relaxed);
}
static inline bool adr_cas_acq_rel_u32(adr_atomic_u32 *word, uint32_t expected, uint32_t value) {
  return atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_acq_rel, memory_order_acquire);
}
static inline bool adr_cas_seq_cst_u32(adr_atomic_u32 *word, uint32_t expected, uint32_t value) {
  return atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_seq_cst, memory_order_seq_cst);
}

/* Words of 64 bits. */
static inline uint64_t adr_load_relaxed_u64(const adr_atomic_u64 *word) {
  return atomic_load_explicit(word, memory_order_relaxed);
}
static inline uint64_t adr_load_acquire_u64(const adr_atomic_u64 *word) {
  return atomic_load_explicit(word, memory_order_acquire);
}
static inline uint64_t adr_load_seq_cst_u64(const adr_atomic_u64 *word) {
  return atomic_load_explicit(word, memory_order_seq_cst);
}
static inline void adr_store_relaxed_u64(adr_atomic_u64 *word, uint64_t value) {
  atomic_store_explicit(word, value, memory_order_relaxed);
}
static inline void adr_store_release_u64(adr_atomic_u64 *word, uint64_t value) {
  atomic_store_explicit(word, value, memory_order_release);
}
static inline void adr_store_seq_cst_u64(adr_atomic_u64 *word, uint64_t value) {
  atomic_store_explicit(word, value, memory_order_seq_cst);
}
static inline uint64_t adr_add_relaxed_u64(adr_atomic_u64 *word, uint64_t value) {
  return atomic_fetch_add_explicit(word, value, memory_order_relaxed);
}
static inline uint64_t adr_add_acq_rel_u64(adr_atomic_u64 *word, uint64_t value) {
  return atomic_fetch_add_explicit(word, value, memory_order_acq_rel);
}
static inline uint64_t adr_add_seq_cst_u64(adr_atomic_u64 *word, uint64_t value) {
  return atomic_fetch_add_explicit(word, value, memory_order_seq_cst);
}
static inline uint64_t adr_and_relaxed_u64(adr_atomic_u64 *word, uint64_t bits) {
  return atomic_fetch_and_explicit(word, bits, memory_order_relaxed);
}
static inline uint64_t adr_and_acq_rel_u64(adr_atomic_u64 *word, uint64_t bits) {
  return atomic_fetch_and_explicit(word, bits, memory_order_acq_rel);
}
static inline uint64_t adr_and_seq_cst_u64(adr_atomic_u64 *word, uint64_t bits) {
  return atomic_fetch_and_explicit(word, bits, memory_order_seq_cst);
}
static inline uint64_t adr_or_relaxed_u64(adr_atomic_u64 *word, uint64_t bits) {
  return atomic_fetch_or_explicit(word, bits, memory_order_relaxed);
}
static inline uint64_t adr_or_acq_rel_u64(adr_atomic_u64 *word, uint64_t bits) {
  return atomic_fetch_or_explicit(word, bits, memory_order_acq_rel);
}
static inline uint64_t adr_or_seq_cst_u64(adr_atomic_u64 *word, uint64_t bits) {
  return atomic_fetch_or_explicit(word, bits, memory_order_seq_cst);
}
static inline uint64_t adr_xor_relaxed_u64(adr_atomic_u64 *word, uint64_t bits) {
  return atomic_fetch_xor_explicit(word, bits, memory_order_relaxed);
}
static inline uint64_t adr_xor_acq_rel_u64(adr_atomic_u64 *word, uint64_t bits) {
  return atomic_fetch_xor_explicit(word, bits, memory_order_acq_rel);
}
static inline uint64_t adr_xor_seq_cst_u64(adr_atomic_u64 *word, uint64_t bits) {
  return atomic_fetch_xor_explicit(word, bits, memory_order_seq_cst);
}
static inline uint64_t adr_swap_relaxed_u64(adr_atomic_u64 *word, uint64_t value) {
  return atomic_exchange_explicit(word, value, memory_order_relaxed);
}
static inline uint64_t adr_swap_acq_rel_u64(adr_atomic_u64 *word, uint64_t value) {
  return atomic_exchange_explicit(word, value, memory_order_acq_rel);
}
static inline uint64_t adr_swap_seq_cst_u64(adr_atomic_u64 *word, uint64_t value) {
  return atomic_exchange_explicit(word, value, memory_order_seq_cst);
}
/* Stores `value` if the word is `expected`, and returns what it was: `expected` if it was stored. On failure of the
 * acq_rel form the word was read with acquire. */
static inline uint64_t adr_compare_exchange_relaxed_u64(adr_atomic_u64 *word, uint64_t expected, uint64_t value) {
  atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_relaxed, memory_order_relaxed);
  return expected;
}
static inline uint64_t adr_compare_exchange_acq_rel_u64(adr_atomic_u64 *word, uint64_t expected, uint64_t value) {
  atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_acq_rel, memory_order_acquire);
  return expected;
}
static inline uint64_t adr_compare_exchange_seq_cst_u64(adr_atomic_u64 *word, uint64_t expected, uint64_t value) {
  atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_seq_cst, memory_order_seq_cst);
  return expected;
}
/* Stores `value` if the word is `expected`; returns whether it was stored. */
static inline bool adr_cas_relaxed_u64(adr_atomic_u64 *word, uint64_t expected, uint64_t value) {
  return atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_relaxed, memory_order_relaxed);
}
static inline bool adr_cas_acq_rel_u64(adr_atomic_u64 *word, uint64_t expected, uint64_t value) {
  return atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_acq_rel, memory_order_acquire);
}
static inline bool adr_cas_seq_cst_u64(adr_atomic_u64 *word, uint64_t expected, uint64_t value) {
  return atomic_compare_exchange_strong_explicit(word, &expected, value, memory_order_seq_cst, memory_order_seq_cst);
}
