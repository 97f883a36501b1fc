/* Every operation on an atomic word against what a plain variable would do, and that none is lost between threads. */
#include "base/adr_atomic.h"

#include <pthread.h>

#include "check.h"

/* Numbers without a pattern (splitmix64). */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

enum { ROUNDS = 1000, THREAD_ROUNDS = 20000 };

/* A word between two others that must stay as they are. */
#define PREPARE(bits) \
  struct { \
    adr_atomic_u##bits before, word, behind; \
  } at = {5, 0, 7}; \
  uint##bits##_t old = (uint##bits##_t)next_random(&state), value = (uint##bits##_t)next_random(&state); \
  at.word = old;

#define CHANGE(bits, order, name, after) \
  { \
    PREPARE(bits) \
    CHECK(adr_##name##_##order##_u##bits(&at.word, value) == old); \
    CHECK(at.word == (uint##bits##_t)(after)); \
    CHECK(at.before == 5 && at.behind == 7); \
  }

#define COMPARE(bits, order) \
  { \
    PREPARE(bits) \
    CHECK(adr_compare_exchange_##order##_u##bits(&at.word, old + 1, value) == old && at.word == old); \
    CHECK(adr_compare_exchange_##order##_u##bits(&at.word, old, value) == old && at.word == value); \
    CHECK(!adr_cas_##order##_u##bits(&at.word, value + 1, old) && at.word == value); \
    CHECK(adr_cas_##order##_u##bits(&at.word, value, old) && at.word == old); \
    CHECK(at.before == 5 && at.behind == 7); \
  }

#define CHANGES(bits, order) \
  CHANGE(bits, order, add, old + value) \
  CHANGE(bits, order, and, old &value) \
  CHANGE(bits, order, or, old | value) \
  CHANGE(bits, order, xor, old ^ value) \
  CHANGE(bits, order, swap, value) \
  COMPARE(bits, order)

#define LOAD(bits, order) \
  { \
    PREPARE(bits) \
    CHECK(adr_load_##order##_u##bits(&at.word) == old && value == value); \
  }

#define STORE(bits, order) \
  { \
    PREPARE(bits) \
    adr_store_##order##_u##bits(&at.word, value); \
    CHECK(at.word == value && at.before == 5 && at.behind == 7); \
  }

/* clang-format off */
#define WIDTH(bits) \
  CHANGES(bits, relaxed) CHANGES(bits, acq_rel) CHANGES(bits, seq_cst) \
  LOAD(bits, relaxed) LOAD(bits, acquire) LOAD(bits, seq_cst) \
  STORE(bits, relaxed) STORE(bits, release) STORE(bits, seq_cst)
/* clang-format on */

static void does_what_a_plain_variable_would(void) {
  uint64_t state = 1;
  for (int round = 0; round < ROUNDS; round++) {
    WIDTH(32)
    WIDTH(64)
    uint32_t narrow = (uint32_t)next_random(&state);
    uint64_t wide = next_random(&state);
    CHECK(adr_load_once_u32(&narrow) == narrow && adr_load_once_u64(&wide) == wide);
  }
}

static struct {
  adr_atomic_u32 sum32, compared;
  adr_atomic_u64 sum64, bits;
} shared;

static void *work(void *unused) {
  for (int i = 0; i < THREAD_ROUNDS; i++) {
    adr_add_relaxed_u32(&shared.sum32, 1);
    adr_add_relaxed_u64(&shared.sum64, 1);
    uint32_t before = adr_load_relaxed_u32(&shared.compared), now;
    while ((now = adr_compare_exchange_acq_rel_u32(&shared.compared, before, before + 1)) != before) { before = now; }
    adr_xor_acq_rel_u64(&shared.bits, UINT64_C(1) << (i & 63));
  }
  return unused;
}

static void no_change_is_lost_between_threads(void) {
  pthread_t other;
  CHECK(pthread_create(&other, NULL, work, NULL) == 0);
  work(NULL);
  CHECK(pthread_join(other, NULL) == 0);
  CHECK_EQUAL(2 * THREAD_ROUNDS, shared.sum32);
  CHECK_EQUAL(2 * THREAD_ROUNDS, shared.sum64);
  CHECK_EQUAL(2 * THREAD_ROUNDS, shared.compared);
  CHECK_EQUAL(0, shared.bits);
}

int main(void) {
  RUN(does_what_a_plain_variable_would);
  RUN(no_change_is_lost_between_threads);
  return 0;
}
