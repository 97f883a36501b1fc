/* window_stress MEMBERS ROUNDS: threads are the members of a window, and take in turn at random the exclusive lock of a
 * target, a share of it, all with a settle, and stripes; some give up in between. Under the exclusive lock and under a
 * stripe a member changes two plain words, which are equal whenever a lock is there; under a share it reads them. Then
 * each member posts to the next one, puts a plain word there, and completes. The accesses are plain, so that a
 * sanitizer sees a lock that does not order them. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "check.h"
#include "window/adr_window_lock.h"
#include "window/adr_window_stripes.h"
#include "window/adr_window_sync.h"

enum { MAX_MEMBERS = 16, TARGETS = 2, STRIPES = 3 };

struct pair {
  _Alignas(128) uint64_t first, second;
};

static void *blocks[MAX_MEMBERS];
static uint32_t members, rounds;
static struct pair targets[TARGETS], stripes[STRIPES], put[MAX_MEMBERS];
static uint64_t written[MAX_MEMBERS], striped[MAX_MEMBERS];

struct member {
  uint32_t self;
  uint64_t random;
  uint8_t attempts[MAX_MEMBERS + 1];
  struct adr_window_lock lock;
};

static bool nobody_is_dead(void *caller, uint32_t member) {
  CHECK(caller == NULL && member < members);
  return false;
}

static uint32_t draw(struct member *me, uint32_t below) {
  me->random = me->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(me->random >> 33) % below;
}

static void wake_all(struct member *me) {
  while (adr_window_lock_next_waiter(&me->lock, nobody_is_dead, NULL) != ADR_WINDOW_NOBODY) {}
}

enum { EXCLUSIVE, SHARED, ALL, SETTLE };

static enum adr_window_look look(struct member *me, int kind, uint32_t target) {
  switch (kind) {
  case EXCLUSIVE:
    return adr_window_lock_try_exclusive(&me->lock, target, draw(me, 2) == 0, nobody_is_dead, NULL);
  case SHARED:
    return adr_window_lock_try_shared(&me->lock, target, nobody_is_dead, NULL);
  case ALL:
    return adr_window_lock_try_all(&me->lock, nobody_is_dead, NULL);
  default:
    return adr_window_lock_settle(&me->lock, target, nobody_is_dead, NULL);
  }
}

/* Returns whether it has the lock; else it has given up. */
static bool acquire(struct member *me, int kind, uint32_t target) {
  for (;;) {
    const enum adr_window_look found = look(me, kind, target);
    wake_all(me);
    if (found == ADR_WINDOW_ACQUIRED) { return true; }
    CHECK_EQUAL(ADR_WINDOW_AWAITS, found);
    if (draw(me, 8) == 0) { break; }
    sched_yield();
  }
  if (kind == ALL) {
    adr_window_lock_withdraw_all(&me->lock);
  } else {
    adr_window_lock_withdraw(&me->lock, target);
  }
  wake_all(me);
  return false;
}

static void change(struct pair *pair) {
  pair->first++;
  CHECK_EQUAL(pair->first, pair->second + 1);
  pair->second++;
}

static void check(const struct pair *pair) { CHECK_EQUAL(pair->first, pair->second); }

static void visit_all(struct member *me) {
  if (!acquire(me, ALL, 0)) { return; }
  for (uint32_t target = 0; target < TARGETS; target++) {
    if (acquire(me, SETTLE, target)) { check(&targets[target]); }
  }
  adr_window_lock_release_all(&me->lock);
}

static void visit(struct member *me) {
  const uint32_t target = draw(me, TARGETS);
  switch (draw(me, 3)) {
  case 0:
    if (!acquire(me, EXCLUSIVE, target)) { break; }
    change(&targets[target]);
    written[me->self]++;
    adr_window_lock_release_exclusive(&me->lock, target);
    break;
  case 1:
    if (!acquire(me, SHARED, target)) { break; }
    check(&targets[target]);
    adr_window_lock_release_shared(&me->lock, target);
    break;
  default:
    visit_all(me);
  }
  wake_all(me);
}

static void visit_stripe(struct member *me) {
  struct adr_window_stripes own = {.blocks = blocks, .members = members, .self = me->self};
  const uint32_t stripe = draw(me, STRIPES);
  while (adr_window_stripes_try_acquire(&own, 0, stripe, nobody_is_dead, NULL) != ADR_WINDOW_ACQUIRED) {
    sched_yield();
  }
  change(&stripes[stripe]);
  striped[me->self]++;
  adr_window_stripes_release(&own, 0, stripe);
}

/* The member before this one puts into its memory, and this one into that of the next. */
static void hand_on(struct member *me, uint64_t round) {
  const struct adr_window_sync sync = {.blocks = blocks, .members = members, .self = me->self};
  const uint32_t next = (me->self + 1) % members, before = (me->self + members - 1) % members;
  put[me->self].second = round;
  adr_window_sync_post(&sync, before);
  while (!adr_window_sync_has_posted(&sync, next, round)) { sched_yield(); }
  CHECK_EQUAL(round, put[next].second);
  put[next].first = round;
  adr_window_sync_complete(&sync, next);
  while (!adr_window_sync_has_completed(&sync, before, round)) { sched_yield(); }
  CHECK_EQUAL(round, put[me->self].first);
}

static void *play(void *argument) {
  struct member *me = argument;
  me->lock = adr_window_lock_of(blocks, me->attempts, members, me->self);
  for (uint32_t round = 1; round <= rounds; round++) {
    visit(me);
    visit_stripe(me);
    if (round % 16 == 0) { hand_on(me, round / 16); }
  }
  for (uint32_t member = 0; member <= members; member++) { CHECK_EQUAL(0, me->attempts[member]); }
  return NULL;
}

/* No owner and no bit is left. */
static void check_clean(void) {
  for (uint32_t member = 0; member < members; member++) {
    for (uint64_t at = 0; at < adr_window_block_posts(members, 0); at += 8) {
      const uint64_t word = adr_load_relaxed_u64(adr_window_block_word(blocks[member], at));
      CHECK_EQUAL(0, at == 0 ? adr_window_block_owner(word) : word);
    }
  }
}

static uint64_t sum(const uint64_t *counts) {
  uint64_t all = 0;
  for (uint32_t member = 0; member < members; member++) { all += counts[member]; }
  return all;
}

int main(int argc, char **argv) {
  static struct member all[MAX_MEMBERS];
  pthread_t threads[MAX_MEMBERS];
  CHECK_EQUAL(3, argc);
  members = (uint32_t)atoi(argv[1]);
  rounds = (uint32_t)atoi(argv[2]);
  CHECK(members > 0 && members <= MAX_MEMBERS);
  for (uint32_t member = 0; member < members; member++) {
    const uint64_t bytes = adr_window_block_bytes(members);
    CHECK_EQUAL(0, posix_memalign(&blocks[member], ADR_WINDOW_ALIGNMENT, bytes));
    for (uint64_t at = 0; at < bytes; at++) { ((uint8_t *)blocks[member])[at] = 0; }
    all[member] = (struct member){.self = member, .random = member};
  }
  for (uint32_t member = 0; member < members; member++) {
    CHECK_EQUAL(0, pthread_create(&threads[member], NULL, play, &all[member]));
  }
  for (uint32_t member = 0; member < members; member++) { CHECK_EQUAL(0, pthread_join(threads[member], NULL)); }
  uint64_t changed = 0;
  for (uint32_t target = 0; target < TARGETS; target++) { changed += targets[target].first; }
  CHECK_EQUAL(sum(written), changed);
  changed = 0;
  for (uint32_t stripe = 0; stripe < STRIPES; stripe++) { changed += stripes[stripe].first; }
  CHECK_EQUAL(sum(striped), changed);
  CHECK_EQUAL((uint64_t)members * rounds, changed);
  check_clean();
  printf("ok %u members, %llu epochs alone\n", members, (unsigned long long)sum(written));
  for (uint32_t member = 0; member < members; member++) { free(blocks[member]); }
  return 0;
}
