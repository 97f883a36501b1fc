/* In place of fuzz_beside.c: what another rank could write is written right behind a load, before the next one. So a
 * word that is read twice, once for the check and once for the use, is another one the second time, without any luck,
 * on one CPU as on many, and for the same input each time.
 *
 * The code under test is compiled with -fsanitize=thread, which has it call these functions at each access; they are
 * here, and the sanitizer's own are not linked. */
#include <string.h>

#include "base/adr_atomic.h"
#include "fuzz_beside.h"
#include "fuzz_driver.h"

enum { LOADS_PER_SPOIL = 8, INPUT_BYTES = 32, MOST_BESIDE = 2, MOST_MAPPINGS = 1 };

struct stretch {
  uintptr_t begin;
  size_t bytes;
  uintptr_t memory; /* what is read from `begin` on is written from here on */
};

static bool started;
static struct fuzz_job *job;
static struct stretch stretches[1 + MOST_BESIDE + MOST_MAPPINGS];
static size_t count;
static struct fuzz_random random_state;

static adr_atomic_u64 *pending; /* is about to be loaded, and to be spoiled at the next access */
static adr_atomic_u64 *spoiled; /* last, unless it was written to since */
static uint64_t before, other;

void fuzz_beside_start(uint64_t seed) {
  (void)seed;
  started = true;
}

bool fuzz_beside_is_on(void) { return started; }

void fuzz_beside_begin(uint64_t hash) { random_state.state = hash; }

static void expose(const void *begin, void *memory, size_t bytes) {
  fuzz_require(count < sizeof stretches / sizeof *stretches, "more memories than can be exposed");
  stretches[count++] = (struct stretch){(uintptr_t)begin, bytes, (uintptr_t)memory};
}

void fuzz_beside_hide(void) {
  count = 0;
  pending = spoiled = NULL;
}

void fuzz_beside_expose_job(struct fuzz_job *exposed) {
  fuzz_beside_hide();
  job = exposed;
  if (started) { expose(job->segment.base, job->segment.base, job->segment.shape.segment_bytes); }
}

void fuzz_beside_expose(void *memory, size_t bytes) {
  if (started) { expose(memory, memory, bytes); }
}

void fuzz_beside_expose_mapping(const void *mapping, void *memory, size_t bytes) {
  if (started) { expose(mapping, memory, bytes); }
}

void fuzz_beside_hide_mapping(const void *mapping) {
  for (size_t i = 0; i < count; i++) {
    if ((uintptr_t)mapping == stretches[i].begin) { stretches[i] = stretches[--count]; }
  }
}

/* Half of the values differ in their lower bits alone: lengths, and what is near. */
static uint64_t value(uint64_t now) {
  uint8_t bytes[INPUT_BYTES];
  for (size_t i = 0; i < INPUT_BYTES; i += sizeof(uint64_t)) {
    uint64_t eight = fuzz_random_next(&random_state);
    memcpy(bytes + i, &eight, sizeof eight);
  }
  struct fuzz_input in = {bytes, INPUT_BYTES};
  return fuzz_below(&in, 2) == 0 ? now ^ fuzz_u16(&in) : fuzz_value(job, &in, now);
}

/* The word spoiled before is again what it was: else nothing would pass a check any more. */
static void spoil(adr_atomic_u64 *word) {
  if (fuzz_random_below(&random_state, LOADS_PER_SPOIL) != 0) { return; }
  if (spoiled != NULL && adr_load_relaxed_u64(spoiled) == other) { adr_store_relaxed_u64(spoiled, before); }
  before = adr_load_relaxed_u64(word);
  other = value(before);
  adr_store_relaxed_u64(word, other);
  spoiled = word;
}

static adr_atomic_u64 *word_at(const volatile void *address) {
  for (size_t i = 0; i < count; i++) {
    uintptr_t offset = (uintptr_t)address - stretches[i].begin;
    if (offset < stretches[i].bytes) { return (adr_atomic_u64 *)(stretches[i].memory + (offset & ~(uintptr_t)7)); }
  }
  return NULL;
}

/* Called before any access. */
static void settle(void) {
  adr_atomic_u64 *word = pending;
  pending = NULL;
  if (word != NULL) { spoil(word); }
}

static void before_load(const volatile void *address) {
  settle();
  pending = word_at(address);
}

static void after_atomic(const volatile void *address) {
  adr_atomic_u64 *word = word_at(address);
  if (word != NULL) { spoil(word); }
}

/* What the compiler puts in. */
#define ACCESS(name, what) \
  void __tsan_##name(void *address); \
  void __tsan_##name(void *address) { what; }
#define ACCESSES(bytes) \
  ACCESS(read##bytes, before_load(address)) \
  ACCESS(unaligned_read##bytes, before_load(address)) \
  ACCESS(write##bytes, settle(); (void)address) \
  ACCESS(unaligned_write##bytes, settle(); (void)address)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
ACCESS(func_entry, (void)address)

void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
void __tsan_read_range(void *address, size_t bytes);
void __tsan_read_range(void *address, size_t bytes) {
  (void)bytes;
  before_load(address);
}
void __tsan_write_range(void *address, size_t bytes);
void __tsan_write_range(void *address, size_t bytes) {
  (void)address, (void)bytes;
  settle();
}
/* Some compilers put these in for calls of the library. */
void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
  settle();
  return memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes) {
  settle();
  return memmove(to, from, bytes);
}
void *__tsan_memset(void *to, int value, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes) {
  settle();
  return memset(to, value, bytes);
}
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order) { (void)order; }

#define CHANGE(type, bits, name) \
  type __tsan_atomic##bits##_##name(volatile type *word, type value, int order); \
  type __tsan_atomic##bits##_##name(volatile type *word, type value, int order) { \
    (void)order; \
    settle(); \
    type found = FUZZ_##name(word, value); \
    after_atomic(word); \
    return found; \
  }
#define FUZZ_exchange(word, value) __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST)
#define FUZZ_fetch_add(word, value) __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST)
#define FUZZ_fetch_sub(word, value) __atomic_fetch_sub(word, value, __ATOMIC_SEQ_CST)
#define FUZZ_fetch_or(word, value) __atomic_fetch_or(word, value, __ATOMIC_SEQ_CST)
#define FUZZ_fetch_and(word, value) __atomic_fetch_and(word, value, __ATOMIC_SEQ_CST)
#define FUZZ_fetch_xor(word, value) __atomic_fetch_xor(word, value, __ATOMIC_SEQ_CST)

#define COMPARE(type, bits, name) \
  bool __tsan_atomic##bits##_compare_exchange_##name(volatile type *word, type *expected, type value, int order, \
                                                     int failed); \
  bool __tsan_atomic##bits##_compare_exchange_##name(volatile type *word, type *expected, type value, int order, \
                                                     int failed) { \
    (void)order, (void)failed; \
    settle(); \
    bool done = __atomic_compare_exchange_n(word, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    after_atomic(word); \
    return done; \
  }

#define ATOMICS(type, bits) \
  type __tsan_atomic##bits##_load(const volatile type *word, int order); \
  type __tsan_atomic##bits##_load(const volatile type *word, int order) { \
    (void)order; \
    settle(); \
    type found = __atomic_load_n(word, __ATOMIC_SEQ_CST); \
    after_atomic(word); \
    return found; \
  } \
  void __tsan_atomic##bits##_store(volatile type *word, type value, int order); \
  void __tsan_atomic##bits##_store(volatile type *word, type value, int order) { \
    (void)order; \
    settle(); \
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST); \
  } \
  COMPARE(type, bits, strong) \
  COMPARE(type, bits, weak) \
  CHANGE(type, bits, exchange) \
  CHANGE(type, bits, fetch_add) \
  CHANGE(type, bits, fetch_sub) \
  CHANGE(type, bits, fetch_or) \
  CHANGE(type, bits, fetch_and) \
  CHANGE(type, bits, fetch_xor)
ATOMICS(uint8_t, 8)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)
