/* One member of a window dies while it takes, gives up or releases locks, stripes and counts, at every stop point of
 * native/window, each time that it gets there. The others go on: of a member that died as holder exactly one is told,
 * of one that only waited nobody, and in the end no owner and no bit is left. */
#include <stdint.h>

#include "base/adr_stop.h"
#include "lone_victim.h"
#include "window/adr_window_lock.h"
#include "window/adr_window_stripes.h"
#include "window/adr_window_sync.h"

enum { FIRST, SECOND, HOLDER, GONE, VICTIM, MEMBERS, FEW = 4, BLOCK_BYTES = 4096 };
enum { EXCLUSIVE, SHARED, ALL, KINDS };

struct member {
  uint8_t attempts[MEMBERS + 1];
  struct adr_window_lock lock;
};

/* Shared by the processes: what the victim does in the holder's name, without dying there, the holder knows. */
static struct shared {
  _Alignas(4096) uint8_t blocks[MEMBERS][BLOCK_BYTES];
  struct member members[MEMBERS];
} * shared;
static void *blocks[MEMBERS];
static bool victim_is_dead;

static bool dead(void *caller, uint32_t member) {
  CHECK(caller == NULL && member < MEMBERS);
  return member == GONE || (member == VICTIM && victim_is_dead);
}

static struct adr_window_lock *lock_of(uint32_t member) { return &shared->members[member].lock; }

static void wake(uint32_t member) {
  while (adr_window_lock_next_waiter(lock_of(member), dead, NULL) != ADR_WINDOW_NOBODY) {}
}

static enum adr_window_look exclusive(uint32_t member, uint32_t target, bool holds_back) {
  const enum adr_window_look found = adr_window_lock_try_exclusive(lock_of(member), target, holds_back, dead, NULL);
  wake(member);
  return found;
}

static enum adr_window_look share(uint32_t member, uint32_t target) {
  const enum adr_window_look found = adr_window_lock_try_shared(lock_of(member), target, dead, NULL);
  wake(member);
  return found;
}

static enum adr_window_look all(uint32_t member) {
  const enum adr_window_look found = adr_window_lock_try_all(lock_of(member), dead, NULL);
  wake(member);
  return found;
}

static enum adr_window_look settle(uint32_t member, uint32_t target) {
  const enum adr_window_look found = adr_window_lock_settle(lock_of(member), target, dead, NULL);
  wake(member);
  return found;
}

/* The holder does something in the victim's process, which does not die meanwhile. */
#define BY_HOLDER(call) \
  do { \
    const bool was_victim = is_victim; \
    is_victim = false; \
    call; \
    wake(HOLDER); \
    is_victim = was_victim; \
  } while (0)

static void wait_for_sharer(void) {
  BY_HOLDER(CHECK_EQUAL(ADR_WINDOW_ACQUIRED, share(HOLDER, 0)));
  CHECK_EQUAL(ADR_WINDOW_AWAITS, exclusive(VICTIM, 0, true));
  CHECK_EQUAL(ADR_WINDOW_AWAITS, exclusive(VICTIM, 0, false));
  adr_window_lock_withdraw(lock_of(VICTIM), 0);
  CHECK_EQUAL(ADR_WINDOW_AWAITS, exclusive(VICTIM, 0, true));
  BY_HOLDER(adr_window_lock_release_shared(lock_of(HOLDER), 0));
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, exclusive(VICTIM, 0, true));
  adr_window_lock_release_exclusive(lock_of(VICTIM), 0);
}

static void wait_for_owner(void) {
  BY_HOLDER(CHECK_EQUAL(ADR_WINDOW_ACQUIRED, exclusive(HOLDER, 0, true)));
  CHECK_EQUAL(ADR_WINDOW_AWAITS, exclusive(VICTIM, 0, true));
  adr_window_lock_withdraw(lock_of(VICTIM), 0);
  CHECK_EQUAL(ADR_WINDOW_AWAITS, share(VICTIM, 0));
  adr_window_lock_withdraw(lock_of(VICTIM), 0);
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, all(VICTIM));
  CHECK_EQUAL(ADR_WINDOW_AWAITS, settle(VICTIM, 0));
  BY_HOLDER(adr_window_lock_release_exclusive(lock_of(HOLDER), 0));
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, settle(VICTIM, 0));
  adr_window_lock_release_all(lock_of(VICTIM));
}

static void wait_for_all(void) {
  BY_HOLDER(CHECK_EQUAL(ADR_WINDOW_ACQUIRED, all(HOLDER)));
  CHECK_EQUAL(ADR_WINDOW_AWAITS, exclusive(VICTIM, 1, true));
  BY_HOLDER(adr_window_lock_release_all(lock_of(HOLDER)));
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, exclusive(VICTIM, 1, true));
  adr_window_lock_release_exclusive(lock_of(VICTIM), 1);
}

static uint64_t word_at(uint32_t member, uint64_t at) {
  return adr_load_acquire_u64(adr_window_block_word(blocks[member], at));
}

/* Whether a member has no word and no bit anywhere. */
static bool has_nothing(uint32_t member) {
  const uint64_t whole = adr_window_block_whole(MEMBERS), bit = UINT64_C(1) << member;
  uint64_t bits = word_at(0, adr_window_block_wanted(MEMBERS, 0));
  bits |= word_at(0, whole + adr_window_block_holders(0)) | word_at(0, whole + adr_window_block_waiters(0));
  bool has = false;
  for (uint32_t target = 0; target < MEMBERS; target++) {
    has |= adr_window_block_owner(word_at(target, 0)) == member + 1;
    bits |= word_at(target, adr_window_block_holders(0)) | word_at(target, adr_window_block_waiters(0));
  }
  return !has && (bits & bit) == 0;
}

/* All that a member does in a window. */
static void script(void) {
  struct adr_window_stripes stripes = {.blocks = blocks, .members = MEMBERS, .self = VICTIM};
  const struct adr_window_sync sync = {.blocks = blocks, .members = MEMBERS, .self = VICTIM};
  CHECK_EQUAL(ADR_WINDOW_REPAIRED, exclusive(VICTIM, 0, true)); /* two are left by one that died before */
  CHECK_EQUAL(ADR_WINDOW_REPAIRED, share(VICTIM, 1));
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, exclusive(VICTIM, 0, true));
  adr_window_lock_release_exclusive(lock_of(VICTIM), 0);
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, share(VICTIM, 1));
  adr_window_lock_release_shared(lock_of(VICTIM), 1);
  wait_for_sharer();
  wait_for_owner();
  wait_for_all();
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, adr_window_stripes_try_acquire(&stripes, FIRST, 3, dead, NULL));
  adr_window_stripes_release(&stripes, FIRST, 3);
  adr_window_sync_post(&sync, FIRST);
  adr_window_sync_complete(&sync, FIRST);
  CHECK(has_nothing(VICTIM));
}

/* Whether the victim has the word of a target, or its bit is in a set that counts. */
static bool was_holder(void) {
  const uint64_t victim = UINT64_C(1) << VICTIM;
  bool was = (word_at(0, adr_window_block_whole(MEMBERS) + adr_window_block_holders(0)) & victim) != 0;
  for (uint32_t target = 0; target < MEMBERS; target++) {
    was |= adr_window_block_owner(word_at(target, 0)) == VICTIM + 1;
    was |= (word_at(target, adr_window_block_holders(0)) & victim) != 0;
  }
  return was;
}

static uint32_t told;

/* Counts a look that told of the victim; looks for other reasons are none. */
static bool has(uint32_t member, enum adr_window_look found) {
  CHECK(found == ADR_WINDOW_ACQUIRED || found == ADR_WINDOW_REPAIRED);
  if (found == ADR_WINDOW_REPAIRED && lock_of(member)->other == VICTIM) { told++; }
  return found == ADR_WINDOW_ACQUIRED;
}

/* Takes and releases a lock of every target: few looks are enough, since nobody that lives is in the way. */
static void go_on(uint32_t member, int kind) {
  int looks = 0;
  if (kind == ALL) {
    CHECK_EQUAL(ADR_WINDOW_ACQUIRED, all(member));
    for (uint32_t target = 0; target < MEMBERS; target++) {
      while (!has(member, settle(member, target))) { CHECK(++looks < FEW); }
    }
    adr_window_lock_release_all(lock_of(member));
    wake(member);
    return;
  }
  for (uint32_t target = 0; target < MEMBERS; target++) {
    while (!has(member, kind == EXCLUSIVE ? exclusive(member, target, true) : share(member, target))) {
      CHECK(++looks < FEW);
    }
    if (kind == EXCLUSIVE) {
      adr_window_lock_release_exclusive(lock_of(member), target);
    } else {
      adr_window_lock_release_shared(lock_of(member), target);
    }
    wake(member);
  }
}

static void check_stripes(void) {
  struct adr_window_stripes stripes = {.blocks = blocks, .members = MEMBERS, .self = FIRST};
  const bool held = adr_window_block_owner(word_at(FIRST, adr_window_block_stripe(MEMBERS, 3))) != 0;
  enum adr_window_look found = adr_window_stripes_try_acquire(&stripes, FIRST, 3, dead, NULL);
  CHECK_EQUAL(held ? ADR_WINDOW_REPAIRED : ADR_WINDOW_ACQUIRED, found);
  if (held) { found = adr_window_stripes_try_acquire(&stripes, FIRST, 3, dead, NULL); }
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, found);
  adr_window_stripes_release(&stripes, FIRST, 3);
}

static void check_clean(void) {
  for (uint32_t member = 0; member < MEMBERS; member++) {
    for (uint64_t at = 0; at < adr_window_block_posts(MEMBERS, 0); at += 8) {
      CHECK_EQUAL(0, at == 0 ? adr_window_block_owner(word_at(member, at)) : word_at(member, at));
    }
  }
}

/* The holder, which lives, ends with what it has. */
static void release_holder(void) {
  const uint64_t holder = UINT64_C(1) << HOLDER;
  if (adr_window_block_owner(word_at(0, 0)) == HOLDER + 1) { adr_window_lock_release_exclusive(lock_of(HOLDER), 0); }
  if ((word_at(0, adr_window_block_holders(0)) & holder) != 0) { adr_window_lock_release_shared(lock_of(HOLDER), 0); }
  if ((word_at(0, adr_window_block_whole(MEMBERS) + adr_window_block_holders(0)) & holder) != 0) {
    adr_window_lock_release_all(lock_of(HOLDER));
  }
  wake(HOLDER);
}

static void begin(void) {
  memset(shared, 0, sizeof *shared);
  for (uint32_t member = 0; member < MEMBERS; member++) {
    blocks[member] = shared->blocks[member];
    struct member *each = &shared->members[member];
    each->lock = adr_window_lock_of(blocks, each->attempts, MEMBERS, member);
  }
  victim_is_dead = false;
  told = 0;
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, exclusive(GONE, 1, true));
  CHECK_EQUAL(ADR_WINDOW_ACQUIRED, share(GONE, 0));
}

static bool run_kind(int kind, int point, uint32_t visit) {
  begin();
  const bool died = victim_dies(script, point, visit);
  victim_is_dead = true;
  release_holder();
  const bool was = was_holder();
  go_on(FIRST, kind);
  go_on(SECOND, EXCLUSIVE);
  CHECK_EQUAL(was, told);
  check_stripes();
  go_on(SECOND, ALL);
  release_holder(); /* wakes, so that bits of dead waiters go */
  go_on(FIRST, EXCLUSIVE);
  check_clean();
  return died;
}

static bool run_case(int point, uint32_t visit) {
  bool died = false;
  for (int kind = EXCLUSIVE; kind < KINDS; kind++) { died = run_kind(kind, point, visit); }
  return died;
}

int main(void) {
  CHECK(adr_window_block_bytes(MEMBERS) <= BLOCK_BYTES);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  run_cases(run_case, ADR_STOP_WINDOWS, ADR_STOP_LOCKS);
  printf("ok windows_survive_wherever_a_member_dies: %d points\n", ADR_STOP_LOCKS - ADR_STOP_WINDOWS);
  return 0;
}
