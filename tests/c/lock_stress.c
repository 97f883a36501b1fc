/* lock_stress PES ROUNDS: threads are PEs, and take in turn at random one of a few locks, by set or by test; some give
 * up in between. Under a lock a PE changes two plain words, which are equal whenever the lock is there. The accesses
 * are plain, so that a sanitizer sees a lock that does not order them. In the end all words are zeros. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "check.h"
#include "lock/adr_mcs_lock.h"

enum { MOST_PES = 16, LOCKS = 3 };

struct pair {
  _Alignas(128) uint64_t first, second;
};

static adr_atomic_u64 words[MOST_PES][LOCKS];
static adr_atomic_u64 table[ADR_LOCK_TABLE_WORDS];
static struct pair pairs[LOCKS];
static uint64_t taken[MOST_PES];
static uint32_t pes, rounds;
static pthread_barrier_t start;

struct pe {
  uint32_t self;
  uint64_t random;
  struct adr_mcs_lock lock;
};

static bool nobody_is_dead(void *caller, uint32_t pe) {
  CHECK(caller == NULL && pe < pes);
  return false;
}

static uint32_t draw(struct pe *me, uint32_t below) {
  me->random = me->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(me->random >> 33) % below;
}

/* Returns whether it has the lock; else it has given up. */
static bool set(struct pe *me, uint64_t offset) {
  for (;;) {
    const enum adr_lock_look found = adr_mcs_lock_set(&me->lock, offset, nobody_is_dead, NULL);
    if (found == ADR_LOCK_ACQUIRED) { return true; }
    CHECK_EQUAL(ADR_LOCK_AWAITS, found);
    if (draw(me, 8) == 0) { break; }
    sched_yield();
  }
  for (;;) {
    const enum adr_lock_look found = adr_mcs_lock_withdraw(&me->lock, offset, nobody_is_dead, NULL);
    adr_mcs_lock_next_waiter(&me->lock);
    if (found == ADR_LOCK_RELEASED) { return false; }
    CHECK_EQUAL(ADR_LOCK_AWAITS, found);
    sched_yield();
  }
}

static bool test(struct pe *me, uint64_t offset) {
  const enum adr_lock_look found = adr_mcs_lock_test(&me->lock, offset, nobody_is_dead, NULL);
  CHECK(found == ADR_LOCK_ACQUIRED || found == ADR_LOCK_AWAITS);
  return found == ADR_LOCK_ACQUIRED;
}

static void clear(struct pe *me, uint64_t offset) {
  CHECK(adr_mcs_lock_holds(&me->lock, offset));
  for (;;) {
    const enum adr_lock_look found = adr_mcs_lock_clear(&me->lock, offset, nobody_is_dead, NULL);
    adr_mcs_lock_next_waiter(&me->lock);
    if (found == ADR_LOCK_RELEASED) { break; }
    CHECK_EQUAL(ADR_LOCK_AWAITS, found);
    sched_yield();
  }
  CHECK(!adr_mcs_lock_holds(&me->lock, offset));
}

static void change(struct pe *me, struct pair *pair) {
  CHECK_EQUAL(pair->first, pair->second);
  pair->first++;
  if (draw(me, 16) == 0) { sched_yield(); } /* others come in between, if the lock lets them */
  CHECK_EQUAL(pair->first, pair->second + 1);
  pair->second++;
}

static void *play(void *argument) {
  struct pe *me = argument;
  me->lock = adr_mcs_lock_of(words, sizeof words[0], table, pes, me->self);
  pthread_barrier_wait(&start);
  for (uint32_t round = 0; round < rounds; round++) {
    const uint32_t number = draw(me, LOCKS);
    const uint64_t offset = sizeof words[0][0] * number;
    if (!(draw(me, 4) == 0 ? test(me, offset) : set(me, offset))) { continue; }
    change(me, &pairs[number]);
    taken[me->self]++;
    clear(me, offset);
  }
  return NULL;
}

int main(int argc, char **argv) {
  static struct pe all[MOST_PES];
  pthread_t threads[MOST_PES];
  CHECK_EQUAL(3, argc);
  pes = (uint32_t)atoi(argv[1]);
  rounds = (uint32_t)atoi(argv[2]);
  CHECK(pes > 0 && pes <= MOST_PES);
  CHECK_EQUAL(sizeof table, adr_lock_table_bytes());
  CHECK_EQUAL(0, pthread_barrier_init(&start, NULL, pes));
  for (uint32_t pe = 0; pe < pes; pe++) {
    all[pe] = (struct pe){.self = pe, .random = pe};
    CHECK_EQUAL(0, pthread_create(&threads[pe], NULL, play, &all[pe]));
  }
  uint64_t sum = 0, changed = 0;
  for (uint32_t pe = 0; pe < pes; pe++) {
    CHECK_EQUAL(0, pthread_join(threads[pe], NULL));
    sum += taken[pe];
  }
  for (uint32_t number = 0; number < LOCKS; number++) {
    changed += pairs[number].first;
    for (uint32_t pe = 0; pe < pes; pe++) { CHECK_EQUAL(0, adr_load_relaxed_u64(&words[pe][number])); }
  }
  CHECK_EQUAL(sum, changed);
  CHECK(sum > 0);
  for (uint32_t at = 0; at < ADR_LOCK_TABLE_WORDS; at++) {
    CHECK_EQUAL(0, adr_lock_table_owner(adr_load_relaxed_u64(&table[at])));
  }
  printf("ok %u PEs, %llu times under a lock\n", pes, (unsigned long long)sum);
  return 0;
}
