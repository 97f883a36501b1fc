/* One PE dies while it takes, gives up or clears locks of OpenSHMEM, at every stop point of native/lock, each time that
 * it gets there, with the locks' homes at each PE in turn. The others go on: of a PE that died with a lock exactly one
 * is told, of one that only waited nobody, and in the end all words of the living are zeros. */
#include <stdint.h>

#include "base/adr_stop.h"
#include "lock/adr_mcs_lock.h"
#include "lone_victim.h"

enum { FIRST, SECOND, HOLDER, GONE, VICTIM, PES, WORDS = 128, FEW = 8 };
/* What happens to a lock; each scene has one of its own. */
enum scene { ALONE, TESTED, HANDED_ON, DEAD_HOLDER, DEAD_QUEUE, DEAD_WAITER, LAST, MIDDLE, LATE, DEAD_NEXT, SCENES };

static struct shared {
  adr_atomic_u64 words[PES][WORDS];
  adr_atomic_u64 table[ADR_LOCK_TABLE_WORDS];
  struct adr_mcs_lock locks[PES];
} * shared;
static uint32_t shift;   /* of the homes */
static bool looks_first; /* the survivors begin with a test */
static bool victim_is_dead;
static uint32_t told;

static bool dead(void *caller, uint32_t pe) {
  CHECK(caller == NULL && pe < PES);
  return pe == GONE || (pe == VICTIM && victim_is_dead);
}

/* The offset of a scene's lock, whose home is the PE that the scene and the shift tell. */
static uint64_t offset_of(enum scene scene) {
  uint32_t found = 0;
  for (uint64_t offset = 0; offset < sizeof shared->words[0]; offset += sizeof shared->words[0][0]) {
    if (adr_lock_word_home(offset, PES) == ((uint32_t)scene + shift) % PES && found++ == (uint32_t)scene / PES) {
      return offset;
    }
  }
  CHECK(!"a lock for each scene");
  return 0;
}

static adr_atomic_u64 *word_of(enum scene scene, uint32_t pe) {
  return &shared->words[pe][offset_of(scene) / sizeof shared->words[0][0]];
}

static uint64_t word_at(enum scene scene, uint32_t pe) { return adr_load_acquire_u64(word_of(scene, pe)); }

static enum adr_lock_look set(uint32_t pe, enum scene scene) {
  return adr_mcs_lock_set(&shared->locks[pe], offset_of(scene), dead, NULL);
}

static enum adr_lock_look test(uint32_t pe, enum scene scene) {
  return adr_mcs_lock_test(&shared->locks[pe], offset_of(scene), dead, NULL);
}

static enum adr_lock_look withdraw(uint32_t pe, enum scene scene) {
  const enum adr_lock_look found = adr_mcs_lock_withdraw(&shared->locks[pe], offset_of(scene), dead, NULL);
  adr_mcs_lock_next_waiter(&shared->locks[pe]);
  return found;
}

static void clear(uint32_t pe, enum scene scene) {
  enum adr_lock_look found = ADR_LOCK_AWAITS;
  for (int looks = 0; found != ADR_LOCK_RELEASED; looks++) {
    CHECK(looks < FEW);
    found = adr_mcs_lock_clear(&shared->locks[pe], offset_of(scene), dead, NULL);
    adr_mcs_lock_next_waiter(&shared->locks[pe]);
    CHECK(found == ADR_LOCK_RELEASED || found == ADR_LOCK_AWAITS);
  }
}

/* Another PE does something in the victim's process, which does not die meanwhile. */
#define BY_OTHERS(call) \
  do { \
    const bool was_victim = is_victim; \
    is_victim = false; \
    call; \
    is_victim = was_victim; \
  } while (0)

/* Looks until the lock is there: few looks are enough, since nobody that lives is in the way. */
static void acquire(uint32_t pe, enum scene scene) {
  for (int looks = 0;; looks++) {
    CHECK(looks < FEW);
    const enum adr_lock_look found = set(pe, scene);
    if (found == ADR_LOCK_REPAIRED && shared->locks[pe].other == VICTIM) { told++; }
    if (found == ADR_LOCK_REPAIRED || found == ADR_LOCK_ACQUIRED) { break; }
    CHECK_EQUAL(ADR_LOCK_AWAITS, found);
  }
  CHECK(adr_mcs_lock_holds(&shared->locks[pe], offset_of(scene)));
}

static void play_alone(void) {
  CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(VICTIM, ALONE));
  clear(VICTIM, ALONE);
  CHECK_EQUAL(ADR_LOCK_ACQUIRED, test(VICTIM, TESTED));
  clear(VICTIM, TESTED);
}

static void play_handed_on(void) {
  BY_OTHERS(CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(HOLDER, HANDED_ON)));
  CHECK_EQUAL(ADR_LOCK_AWAITS, set(VICTIM, HANDED_ON));
  BY_OTHERS(CHECK_EQUAL(ADR_LOCK_AWAITS, set(FIRST, HANDED_ON)));
  BY_OTHERS(clear(HOLDER, HANDED_ON));
  CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(VICTIM, HANDED_ON));
  clear(VICTIM, HANDED_ON);
}

static void play_behind_dead(void) {
  CHECK_EQUAL(ADR_LOCK_AWAITS, set(VICTIM, DEAD_HOLDER));
  CHECK_EQUAL(ADR_LOCK_REPAIRED, set(VICTIM, DEAD_HOLDER));
  clear(VICTIM, DEAD_HOLDER);
  CHECK_EQUAL(ADR_LOCK_REPAIRED, test(VICTIM, DEAD_QUEUE));
  clear(VICTIM, DEAD_QUEUE);
  CHECK_EQUAL(ADR_LOCK_AWAITS, set(VICTIM, DEAD_WAITER));
  CHECK_EQUAL(ADR_LOCK_AWAITS, set(VICTIM, DEAD_WAITER));
  BY_OTHERS(clear(HOLDER, DEAD_WAITER));
  CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(VICTIM, DEAD_WAITER));
  clear(VICTIM, DEAD_WAITER);
}

static void play_giving_up(void) {
  BY_OTHERS(CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(HOLDER, LAST)));
  CHECK_EQUAL(ADR_LOCK_AWAITS, set(VICTIM, LAST));
  CHECK_EQUAL(ADR_LOCK_RELEASED, withdraw(VICTIM, LAST));
  BY_OTHERS(CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(HOLDER, MIDDLE)));
  CHECK_EQUAL(ADR_LOCK_AWAITS, set(VICTIM, MIDDLE));
  BY_OTHERS(CHECK_EQUAL(ADR_LOCK_AWAITS, set(FIRST, MIDDLE)));
  CHECK_EQUAL(ADR_LOCK_RELEASED, withdraw(VICTIM, MIDDLE));
  BY_OTHERS(CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(HOLDER, LATE)));
  CHECK_EQUAL(ADR_LOCK_AWAITS, set(VICTIM, LATE));
  BY_OTHERS(clear(HOLDER, LATE));
  CHECK_EQUAL(ADR_LOCK_RELEASED, withdraw(VICTIM, LATE)); /* it has the lock already */
}

/* The one behind the victim dies before it has linked itself. */
static void die_next(void) {
  const uint32_t home = adr_lock_word_home(offset_of(DEAD_NEXT), PES);
  uint64_t word = adr_lock_word_last(word_at(DEAD_NEXT, GONE));
  adr_store_release_u64(word_of(DEAD_NEXT, GONE), adr_lock_word_standing(word, ADR_LOCK_ENTERS, VICTIM + 1));
  word = word_at(DEAD_NEXT, home);
  CHECK_EQUAL(VICTIM + 1, adr_lock_word_last(word));
  adr_store_release_u64(word_of(DEAD_NEXT, home), adr_lock_word_with_last(word, GONE + 1));
}

static void play_before_dead(void) {
  CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(VICTIM, DEAD_NEXT));
  die_next();
  clear(VICTIM, DEAD_NEXT);
}

/* All that a PE does to locks. */
static void script(void) {
  play_alone();
  play_handed_on();
  play_behind_dead();
  play_giving_up();
  play_before_dead();
  for (enum scene scene = 0; scene < SCENES; scene++) { CHECK_EQUAL(0, word_at(scene, VICTIM) & ~UINT64_C(0xffff)); }
}

/* Whether the victim is in a lock's queue, and has the lock. */
static bool has(enum scene scene) {
  uint32_t name = adr_lock_word_last(word_at(scene, adr_lock_word_home(offset_of(scene), PES)));
  for (int steps = 0; name != 0; steps++) {
    CHECK(steps < PES && name <= PES);
    const uint64_t word = word_at(scene, name - 1);
    if (name == VICTIM + 1 && adr_lock_word_signal(word) == ADR_LOCK_HOLDS) { return true; }
    if (adr_lock_word_signal(word) == ADR_LOCK_HOLDS || adr_lock_word_signal(word) == ADR_LOCK_GRANTED) { break; }
    name = adr_lock_word_previous(word);
  }
  return false;
}

/* The living end with what they have begun. */
static void end_others(enum scene scene) {
  const uint32_t others[] = {HOLDER, FIRST};
  for (int i = 0; i < 2; i++) {
    if (adr_lock_word_signal(word_at(scene, others[i])) == ADR_LOCK_FREE) { continue; }
    if (!adr_mcs_lock_holds(&shared->locks[others[i]], offset_of(scene))) { acquire(others[i], scene); }
    clear(others[i], scene);
  }
}

static void go_on(uint32_t pe, enum scene scene) {
  if (looks_first) {
    enum adr_lock_look found = ADR_LOCK_AWAITS;
    for (int looks = 0; found == ADR_LOCK_AWAITS; looks++) {
      CHECK(looks < FEW);
      found = test(pe, scene);
    }
    CHECK(found == ADR_LOCK_REPAIRED || found == ADR_LOCK_ACQUIRED);
    if (found == ADR_LOCK_REPAIRED && shared->locks[pe].other == VICTIM) { told++; }
  } else {
    acquire(pe, scene);
  }
  clear(pe, scene);
}

static void check_clean(enum scene scene) {
  for (uint32_t pe = 0; pe < PES; pe++) {
    if (!dead(NULL, pe)) { CHECK_EQUAL(0, word_at(scene, pe)); }
    CHECK_EQUAL(0, adr_lock_word_last(word_at(scene, pe)));
  }
  const uint32_t owner = adr_lock_table_owner(*adr_lock_table_word(shared->table, offset_of(scene)));
  CHECK(owner == 0 || owner == VICTIM + 1); /* one that died with it is taken over from when the word is wanted */
}

/* What one that is dead, and the holder, did before. */
static void begin(void) {
  memset(shared, 0, sizeof *shared);
  for (uint32_t pe = 0; pe < PES; pe++) {
    shared->locks[pe] = adr_mcs_lock_of(shared->words, sizeof shared->words[0], shared->table, PES, pe);
  }
  victim_is_dead = false;
  told = 0;
  CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(GONE, DEAD_HOLDER));
  CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(GONE, DEAD_QUEUE));
  CHECK_EQUAL(ADR_LOCK_ACQUIRED, set(HOLDER, DEAD_WAITER));
  CHECK_EQUAL(ADR_LOCK_AWAITS, set(GONE, DEAD_WAITER));
}

static bool run_kind(int point, uint32_t visit) {
  begin();
  const bool died = victim_dies(script, point, visit);
  victim_is_dead = true;
  uint32_t had = 0;
  for (enum scene scene = 0; scene < SCENES; scene++) { had += has(scene); }
  for (enum scene scene = 0; scene < SCENES; scene++) {
    end_others(scene);
    go_on(FIRST, scene);
    go_on(SECOND, scene);
    check_clean(scene);
  }
  CHECK_EQUAL(had, told);
  return died;
}

static bool run_case(int point, uint32_t visit) {
  looks_first = true;
  const bool died = run_kind(point, visit);
  looks_first = false;
  CHECK_EQUAL(died, run_kind(point, visit));
  return died;
}

int main(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  for (shift = 0; shift < PES; shift++) { run_cases(run_case, ADR_STOP_LOCKS, ADR_STOP_COUNT); }
  printf("ok locks_survive_wherever_a_pe_dies: %d points\n", ADR_STOP_COUNT - ADR_STOP_LOCKS);
  return 0;
}
