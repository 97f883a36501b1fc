/* Windows of C ranks: accesses, epochs, what is refused, and what a rank leaves that dies under a lock. */
#include <sched.h>
#include <stdbool.h>

#include "ranks.h"

enum { CELLS = 8, ADDS = 2000, CHANGES = 300, PAIRS = 3000 };

static adr_window *window;

static int size(void) { return adr_job_size(job); }

static int self(void) { return adr_job_rank(job); }

static void make(int64_t bytes, int64_t unit) {
  const int status = adr_window_allocate(adr_job_world(job), bytes, unit, &window);
  if (status < 0) { fprintf(stderr, "%s\n", adr_job_error(job)); }
  CHECK_EQUAL(0, status);
}

static void put_in_fences(void) {
  make(8 * CELLS, 8);
  const int next = (self() + 1) % size(), before = (self() + size() - 1) % size();
  for (int64_t round = 1; round <= 50; round++) {
    const int64_t word = round * 100 + self();
    int64_t got;
    CHECK_EQUAL(0, adr_window_fence(window));
    CHECK_EQUAL(0, adr_window_put(window, &word, 8, next, 3));
    CHECK_EQUAL(0, adr_window_fence(window));
    CHECK_EQUAL(round * 100 + before, ((int64_t *)adr_window_memory(window, self()))[3]);
    CHECK_EQUAL(0, adr_window_get(window, &got, 8, before, 3));
    CHECK_EQUAL(round * 100 + (before + size() - 1) % size(), got);
  }
  CHECK_EQUAL(0, adr_window_free(window));
}

static void what_is_put_is_there_behind_the_fence(void) {
  run_ranks(1, put_in_fences);
  run_ranks(4, put_in_fences);
}

static void add_to_one_word(void) {
  make(self() == 0 ? 16 : 0, 8);
  CHECK(self() == 0 || adr_window_memory(window, self()) == NULL);
  CHECK_EQUAL(16, adr_window_bytes(window, 0));
  const int64_t one = 1;
  int64_t last = -1, got;
  CHECK_EQUAL(0, adr_window_lock_all(window));
  for (int add = 0; add < ADDS; add++) {
    CHECK_EQUAL(0, adr_window_fetch_and_op(window, &one, &got, ADR_INT64, ADR_SUM, 0, 0));
    CHECK(got > last && got < (int64_t)ADDS * size());
    last = got;
    int64_t expected = got, desired;
    do { /* adds one more by compare and swap */
      got = expected;
      CHECK_EQUAL(0, adr_window_fetch_and_op(window, NULL, &got, ADR_INT64, ADR_NO_OP, 0, 1));
      desired = got + 1;
      CHECK_EQUAL(0, adr_window_compare_and_swap(window, &got, &desired, &expected, ADR_INT64, 0, 1));
    } while (expected != got);
  }
  CHECK_EQUAL(0, adr_window_flush(window, 0));
  CHECK_EQUAL(0, adr_window_unlock_all(window));
  CHECK_EQUAL(0, adr_window_fence(window));
  int64_t sums[2];
  CHECK_EQUAL(0, adr_window_get(window, sums, 16, 0, 0));
  CHECK_EQUAL((int64_t)ADDS * size(), sums[0]);
  CHECK_EQUAL((int64_t)ADDS * size(), sums[1]);
  CHECK_EQUAL(0, adr_window_free(window));
}

static void all_ranks_change_one_word_at_once(void) { run_ranks(4, add_to_one_word); }

/* Changes by get and put, which the lock alone makes one step; others look meanwhile in all ways. */
static void change_under_lock(void) {
  make(32, 1);
  int64_t words[2];
  for (int change = 0; change < CHANGES; change++) {
    const int target = change % 2 % size();
    CHECK_EQUAL(0, adr_window_lock(window, target, ADR_LOCK_EXCLUSIVE));
    CHECK_EQUAL(0, adr_window_get(window, words, 16, target, 8));
    CHECK_EQUAL(words[0], words[1]);
    words[0]++;
    CHECK_EQUAL(0, adr_window_put(window, &words[0], 8, target, 8));
    CHECK_EQUAL(0, adr_window_put(window, &words[0], 8, target, 16));
    CHECK_EQUAL(0, adr_window_unlock(window, target));
    CHECK_EQUAL(0, change % 3 == 0 ? adr_window_lock_all(window) : adr_window_lock(window, target, ADR_LOCK_SHARED));
    CHECK_EQUAL(0, adr_window_get(window, words, 16, target, 8));
    CHECK_EQUAL(words[0], words[1]);
    CHECK_EQUAL(0, change % 3 == 0 ? adr_window_unlock_all(window) : adr_window_unlock(window, target));
  }
  CHECK_EQUAL(0, adr_window_fence(window));
  int64_t sum = 0;
  for (int target = 0; target < 2 && target < size(); target++) {
    CHECK_EQUAL(0, adr_window_get(window, words, 8, target, 8));
    sum += words[0];
  }
  CHECK_EQUAL((int64_t)CHANGES * size(), sum);
  CHECK_EQUAL(0, adr_window_free(window));
}

static void an_exclusive_lock_is_alone(void) {
  run_ranks(1, change_under_lock);
  run_ranks(3, change_under_lock);
}

/* Rank 0 has the lock of its memory when rank 1 comes to lock_all, and writes once that one is there. */
static void settle_behind_an_owner(void) {
  make(16, 8);
  const int64_t one = 1;
  int64_t got;
  if (self() == 0) { CHECK_EQUAL(0, adr_window_lock(window, 0, ADR_LOCK_EXCLUSIVE)); }
  CHECK_EQUAL(0, adr_barrier(job));
  volatile int64_t *is_there = adr_window_memory(window, 1);
  if (self() == 0) {
    while (is_there[0] == 0) {}
    for (int yields = 0; yields < 1000; yields++) { sched_yield(); }
    CHECK_EQUAL(0, adr_window_put(window, &one, 8, 0, 1));
    CHECK_EQUAL(0, adr_window_unlock(window, 0));
  } else {
    CHECK_EQUAL(0, adr_window_lock_all(window));
    CHECK_EQUAL(0, adr_window_put(window, &one, 8, 1, 0));
    CHECK_EQUAL(0, adr_window_get(window, &got, 8, 0, 1));
    CHECK_EQUAL(1, got);
    CHECK_EQUAL(0, adr_window_unlock_all(window));
  }
  CHECK_EQUAL(0, adr_window_free(window));
}

static void the_first_access_in_lock_all_waits_for_an_owner(void) { run_ranks(2, settle_behind_an_owner); }

/* Even ranks open their memory to the odd one behind them alone, and rank 0 in each third round to all. */
static void post_and_start(void) {
  make(8 * MAX_TEST_RANKS, 8);
  for (int64_t round = 1; round <= 60; round++) {
    const bool to_all = round % 3 == 0;
    int group[MAX_TEST_RANKS], count = 0;
    if (self() % 2 == 0 && !(to_all && self() > 0)) {
      for (int rank = 1; rank < size(); rank++) {
        if (to_all || rank == self() + 1) { group[count++] = rank; }
      }
      CHECK_EQUAL(0, adr_window_post(window, group, count));
      if (round % 2 == 0) {
        CHECK_EQUAL(0, adr_window_wait(window));
      } else {
        int done;
        while ((done = adr_window_test(window)) == 0) {}
        CHECK_EQUAL(1, done);
      }
      const int64_t *words = adr_window_memory(window, self());
      for (int each = 0; each < count; each++) { CHECK_EQUAL(round, words[group[each]]); }
    } else if (to_all || self() % 2 == 1) {
      const int target = to_all ? 0 : self() - 1;
      CHECK_EQUAL(0, adr_window_start(window, &target, 1));
      CHECK_EQUAL(0, adr_window_put(window, &round, 8, target, self()));
      CHECK_EQUAL(0, adr_window_complete(window));
    }
  }
  CHECK_EQUAL(0, adr_window_free(window));
}

static void groups_that_are_subsets_post_and_start(void) { run_ranks(4, post_and_start); }

static void accumulate_pairs(void) {
  make(256, 1);
  CHECK_EQUAL(0, adr_window_lock_all(window));
  const double number[2] = {1, -1};
  for (int round = 0; round < PAIRS; round++) {
    const struct adr_double_int pair = {.value = -1 - round * size() - self(), .index = self()};
    CHECK_EQUAL(0, adr_window_accumulate(window, &pair, 1, ADR_DOUBLE_INT, ADR_MINLOC, 0, 0));
    CHECK_EQUAL(0, adr_window_accumulate(window, number, 1, ADR_DOUBLE_COMPLEX, ADR_SUM, 0, 128));
    const float one = 1;
    CHECK_EQUAL(0, adr_window_accumulate(window, &one, 1, ADR_FLOAT, ADR_SUM, 0, 64));
  }
  CHECK_EQUAL(0, adr_window_unlock_all(window));
  CHECK_EQUAL(0, adr_window_fence(window));
  struct adr_double_int least;
  double sum[2];
  float floats;
  CHECK_EQUAL(0, adr_window_get(window, &least, sizeof least, 0, 0));
  CHECK(least.value == -PAIRS * size() && least.index == size() - 1);
  CHECK_EQUAL(0, adr_window_get(window, sum, sizeof sum, 0, 128));
  CHECK(sum[0] == PAIRS * size() && sum[1] == -PAIRS * size());
  CHECK_EQUAL(0, adr_window_get(window, &floats, sizeof floats, 0, 64));
  CHECK(floats == (float)(PAIRS * size()));
  CHECK_EQUAL(0, adr_window_free(window));
}

static void pairs_are_accumulated_as_one(void) { run_ranks(3, accumulate_pairs); }

#define CHECK_REFUSED(call, words) \
  do { \
    CHECK_EQUAL(-EINVAL, call); \
    check_says(adr_job_error(job), words); \
    check_says(adr_job_error(job), "window "); \
  } while (0)

static void ask_for_the_impossible(void) {
  int64_t word = 7;
  CHECK_EQUAL(-EINVAL, adr_window_allocate(adr_job_world(job), -1, 8, &window));
  CHECK_EQUAL(-EINVAL, adr_window_allocate(adr_job_world(job), 8, 0, &window));
  CHECK(window == NULL);
  check_says(adr_job_error(job), "a window of 8 bytes in units of 0");
  make(64, 8);
  CHECK_REFUSED(adr_window_put(window, &word, 8, 1, 0), "put at rank 1 outside of an epoch");
  CHECK_REFUSED(adr_window_unlock(window, 1), "an unlock of rank 1, which this rank has not locked");
  CHECK_REFUSED(adr_window_unlock_all(window), "an unlock of all");
  CHECK_REFUSED(adr_window_complete(window), "a complete without a start");
  CHECK_REFUSED(adr_window_wait(window), "a wait without a post");
  CHECK_REFUSED(adr_window_test(window), "a test without a post");
  CHECK_REFUSED(adr_window_flush(window, 1), "a flush of rank 1 without a lock");
  CHECK_REFUSED(adr_window_lock(window, 2, ADR_LOCK_SHARED), "lock names rank 2; allowed are 0 to 1");
  CHECK_REFUSED(adr_window_lock(window, 1, 5), "a lock of kind 5 of rank 1");
  CHECK_EQUAL(0, adr_window_lock(window, 1, ADR_LOCK_SHARED));
  CHECK_REFUSED(adr_window_lock(window, 1, ADR_LOCK_SHARED), "has locked already");
  CHECK_REFUSED(adr_window_lock_all(window), "a lock of all while this rank has a lock");
  CHECK_REFUSED(adr_window_fence(window), "a fence while this rank has a lock");
  CHECK_REFUSED(adr_window_free(window), "it is freed while this rank has a lock");
  CHECK_REFUSED(adr_window_put(window, &word, 8, 0, 0), "put at rank 0 outside of an epoch");
  CHECK_REFUSED(adr_window_put(window, &word, 8, 1, 8), "8 bytes at displacement 8 of rank 1");
  CHECK_REFUSED(adr_window_put(window, &word, 8, 1, -1), "at displacement -1 of rank 1");
  CHECK_REFUSED(adr_window_put(window, &word, 8, 1, INT64_MAX / 4), "its memory has 64 bytes");
  CHECK_REFUSED(adr_window_get(window, &word, -8, 1, 0), "get of -8 bytes");
  CHECK_REFUSED(adr_window_get(window, &word, 8, -1, 0), "get names rank -1");
  CHECK_REFUSED(adr_window_accumulate(window, &word, INT64_MAX / 2, ADR_INT64, ADR_SUM, 1, 0),
                "elements at displacement 0 of rank 1");
  CHECK_REFUSED(adr_window_accumulate(window, &word, 1, ADR_DOUBLE, ADR_BAND, 1, 0), "has no meaning");
  CHECK_REFUSED(adr_window_compare_and_swap(window, &word, &word, &word, ADR_LONG_INT, 1, 0), "of kind 17");
  CHECK_EQUAL(0, adr_window_unlock(window, 1));
  const int twice[] = {1, 1};
  CHECK_REFUSED(adr_window_post(window, twice, 2), "post names rank 1 twice");
  CHECK_REFUSED(adr_window_start(window, twice, 3), "start with a group of 3 ranks");
  CHECK_EQUAL(0, *(int64_t *)adr_window_memory(window, 1));
  CHECK_EQUAL(0, adr_window_free(window));
  make(64, 1);
  CHECK_EQUAL(0, adr_window_fence(window));
  CHECK_REFUSED(adr_window_accumulate(window, &word, 1, ADR_INT64, ADR_SUM, 1, 4), "no multiple of the 8 bytes");
  CHECK_REFUSED(adr_window_compare_and_swap(window, &word, &word, &word, ADR_INT32, 1, 2), "displacement 2 of rank 1");
  CHECK_EQUAL(0, adr_window_free(window));
}

static void what_cannot_be_is_refused(void) { run_ranks(2, ask_for_the_impossible); }

static void make_without_room(void) {
  CHECK(adr_window_allocate(adr_job_world(job), self() == 1 ? INT64_C(1) << 50 : 64, 8, &window) < 0);
  CHECK(window == NULL);
  check_says(adr_job_error(job), "no rank has made any");
  if (self() != 1) { check_says(adr_job_error(job), "rank 1 has no room in shared memory"); }
  make(64, 8);
  CHECK_EQUAL(0, adr_window_free(window));
}

static void where_one_has_no_room_all_are_told(void) { run_ranks(3, make_without_room); }

enum { HOLDER = 1, KINDS = 3 };

static int holder_kind;

/* Rank 1 dies under a lock of rank 0; the others lock it in turn until they have it, and count what they are told. */
static void go_on_without_holder(void) {
  make(64, 8);
  int64_t word = 1, told = 0;
  if (self() == HOLDER) {
    CHECK_EQUAL(0, holder_kind == KINDS - 1 ? adr_window_lock_all(window) : adr_window_lock(window, 0, holder_kind));
    CHECK_EQUAL(0, adr_window_put(window, &word, 8, 0, 0));
    CHECK_EQUAL(0, adr_window_fence(window) == -EINVAL ? 0 : 1);
    raise(SIGKILL);
  }
  while (*(volatile int64_t *)adr_window_memory(window, 0) == 0) {}
  for (int lock = 0; lock < 20; lock++) {
    int status;
    while ((status = adr_window_lock(window, 0, ADR_LOCK_EXCLUSIVE)) == ADR_ERROR_RANK_FAILED) {
      CHECK_EQUAL(HOLDER, adr_job_failed_rank(job));
      check_says(adr_job_error(job), "rank 1");
      told++;
    }
    CHECK_EQUAL(0, status);
    CHECK_EQUAL(0, adr_window_accumulate(window, &word, 1, ADR_INT64, ADR_SUM, 0, 1));
    CHECK_EQUAL(0, adr_window_accumulate(window, &told, 1, ADR_INT64, ADR_SUM, 0, 2));
    told = 0;
    CHECK_EQUAL(0, adr_window_unlock(window, 0));
  }
  volatile int64_t *words = adr_window_memory(window, 0);
  while (words[1] < 20 * (size() - 1)) {}
  CHECK_EQUAL(1, words[2]);
  CHECK_EQUAL(0, adr_window_lock_all(window));
  CHECK_EQUAL(0, adr_window_put(window, &word, 8, HOLDER, 5)); /* memory of the dead one stays */
  CHECK_EQUAL(0, adr_window_unlock_all(window));
  CHECK_EQUAL(0, adr_window_free(window)); /* it waits for nobody */
}

static void the_next_goes_on_where_a_holder_dies(void) {
  for (holder_kind = 0; holder_kind < KINDS; holder_kind++) {
    pid_t pids[3];
    for (int rank = 0; rank < 3; rank++) { pids[rank] = start_rank(rank, 3, go_on_without_holder); }
    for (int rank = 0; rank < 3; rank++) { CHECK_EQUAL(rank == HOLDER ? 128 + SIGKILL : 0, end_of(pids[rank])); }
  }
}

/* Rank 1 dies before it posts, and before it completes. */
static void go_on_without_partner(void) {
  make(64, 8);
  const int partner = 1;
  if (self() == 1) { raise(SIGKILL); }
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_window_start(window, &partner, 1));
  check_says(adr_job_error(job), "a start in a window");
  CHECK_EQUAL(0, adr_window_post(window, &partner, 1));
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_window_wait(window));
  CHECK_EQUAL(0, adr_window_post(window, &partner, 1));
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_window_test(window));
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_window_fence(window));
  CHECK_EQUAL(0, adr_window_free(window));
}

static void nobody_waits_for_a_dead_partner(void) {
  pid_t pids[2];
  for (int rank = 0; rank < 2; rank++) { pids[rank] = start_rank(rank, 2, go_on_without_partner); }
  CHECK_EQUAL(0, end_of(pids[0]));
  CHECK_EQUAL(128 + SIGKILL, end_of(pids[1]));
}

int main(void) {
  ranks_begin();
  RUN(what_is_put_is_there_behind_the_fence);
  RUN(all_ranks_change_one_word_at_once);
  RUN(an_exclusive_lock_is_alone);
  RUN(the_first_access_in_lock_all_waits_for_an_owner);
  RUN(groups_that_are_subsets_post_and_start);
  RUN(pairs_are_accumulated_as_one);
  RUN(what_cannot_be_is_refused);
  RUN(where_one_has_no_room_all_are_told);
  RUN(the_next_goes_on_where_a_holder_dies);
  RUN(nobody_waits_for_a_dead_partner);
  ranks_end();
  return 0;
}
