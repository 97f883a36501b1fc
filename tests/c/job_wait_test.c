/* Waits for a plain word in shared memory that another rank writes: nothing is sent. */
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/adr_atomic.h"
#include "job/adr_comm_state.h"
#include "bootstrap/adr_job_error.h"
#include "job/adr_job_liveness.h"
#include "ranks.h"
#include "wait/adr_word_sleeper.h"

enum { OTHER = 1, ROUNDS = 50, MILLI = 1000000 };

static adr_atomic_u64 *word; /* shared by all */

/* The word shows a value, or more, that rank 1 writes. */
static int reaches(void *subject, int32_t polls) {
  const uint64_t *value = subject;
  while (polls-- > 0) {
    if (adr_load_acquire_u64(word) >= *value) { return ADR_MET; }
    adr_cpu_pause();
  }
  return ADR_UNMET;
}

static int missing(void *subject) {
  (void)subject;
  return adr_job_missing(job, OTHER);
}

static int fail_to_reach(void *subject, int gone) {
  (void)subject;
  return adr_job_gone(job, gone, "a wait for a word");
}

static struct adr_waiting waiting(const void *subject) {
  (void)subject;
  return (struct adr_waiting){ADR_RANK_IN_MEMORY, OTHER, -1};
}

static const struct adr_condition word_reaches = {
    .is_met = reaches, .missing = missing, .fail = fail_to_reach, .waiting = waiting, .what = "a wait for a word"};

static int await(uint64_t value) { return adr_wait_for(&job->wait, OTHER, &word_reaches, &value); }

static struct adr_rank_entry *entry_of(uint32_t rank) { return adr_rank_table_entry(job->segment.base, rank); }

/* How often rank 0 was woken from a sleep. */
static int wakes;
static struct adr_upkeep counting;

static void sleep_and_count(void *owner, int64_t sleep_word, int64_t nanos) {
  struct adr_job *self = owner;
  wakes += adr_channel_sleep(self->segment.base, (int32_t)self->rank, sleep_word, nanos) == 0;
}

static void write_and_wake(void) {
  if (adr_job_rank(job) == OTHER) {
    for (uint64_t value = 1; value <= ROUNDS; value++) {
      while (adr_load_relaxed_u64(word + 1) < value - 1 || adr_load_relaxed_u32(&entry_of(0)->doorbell_sleeping) == 0) {
        usleep(100);
      }
      adr_store_release_u64(word, value);
      CHECK_EQUAL(0, adr_channel_wake(job->channel, 0));
    }
    CHECK_EQUAL(0, adr_barrier(job));
  } else {
    counting = *job->wait.upkeep;
    counting.sleep = sleep_and_count;
    job->wait.upkeep = &counting;
    for (uint64_t value = 1; value <= ROUNDS; value++) {
      CHECK_EQUAL(ADR_MET, await(value));
      CHECK_EQUAL(0, adr_load_relaxed_u32(&entry_of(0)->doorbell_sleeping));
      adr_store_release_u64(word + 1, value);
    }
    CHECK(wakes > 0);
    CHECK_EQUAL(0, adr_barrier(job));
  }
}

static void a_sleeper_is_woken_by_who_writes_the_word(void) {
  adr_store_relaxed_u64(word, 0);
  adr_store_relaxed_u64(word + 1, 0);
  run_ranks(2, write_and_wake);
}

static void write_and_wake_word_sleepers(void) {
  struct adr_condition on_words = word_reaches;
  on_words.is_on_words = true;
  if (adr_job_rank(job) == OTHER) {
    for (uint64_t value = 1; value <= ROUNDS; value++) {
      while (adr_load_relaxed_u64(word + 1) < value - 1 || adr_load_relaxed_u32(&entry_of(0)->sleeps_on_words) == 0) {
        usleep(100);
      }
      adr_store_relaxed_u64(word, value); /* with any order */
      adr_word_sleeper_wake(entry_of(0));
    }
  } else {
    counting = *job->wait.upkeep;
    counting.sleep = sleep_and_count;
    job->wait.upkeep = &counting;
    for (uint64_t value = 1; value <= ROUNDS; value++) {
      CHECK_EQUAL(ADR_MET, adr_wait_for(&job->wait, OTHER, &on_words, &value));
      CHECK_EQUAL(0, adr_load_relaxed_u32(&entry_of(0)->sleeps_on_words));
      CHECK_EQUAL(0, adr_load_relaxed_u32(&entry_of(0)->doorbell_sleeping));
      adr_store_release_u64(word + 1, value);
    }
    CHECK(wakes > 0);
  }
  CHECK_EQUAL(0, adr_barrier(job));
}

static void a_sleeper_on_words_is_woken_by_the_rank_that_writes_one(void) {
  adr_store_relaxed_u64(word, 0);
  adr_store_relaxed_u64(word + 1, 0);
  run_ranks(2, write_and_wake_word_sleepers);
}

static void wait_for_what_is_no_word(void) {
  if (adr_job_rank(job) == OTHER) {
    while (adr_load_relaxed_u32(&entry_of(0)->doorbell_sleeping) == 0) { usleep(100); }
    CHECK(!adr_word_sleeper_sleeps(entry_of(0)));
    adr_store_release_u64(word, 1);
    CHECK_EQUAL(0, adr_channel_wake(job->channel, 0));
  } else {
    CHECK_EQUAL(ADR_MET, await(1));
  }
  CHECK_EQUAL(0, adr_barrier(job));
}

static void a_wait_that_is_not_on_words_does_not_say_so(void) {
  adr_store_relaxed_u64(word, 0);
  run_ranks(2, wait_for_what_is_no_word);
}

/* How a process ends that may make no system call but its exit, and wakes the owner of an entry. */
static int end_of_a_wake_without_the_system(struct adr_rank_entry *entry) {
  int status;
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    for (int i = 0; i < 1000; i++) { adr_word_sleeper_wake(entry); }
    syscall(SYS_exit, 0);
  }
  CHECK_EQUAL(child, waitpid(child, &status, 0));
  return status;
}

static void the_system_is_asked_only_for_a_rank_that_sleeps_on_words(void) {
  static struct adr_rank_entry entry;
  CHECK_EQUAL(0, end_of_a_wake_without_the_system(&entry));
  adr_store_relaxed_u32(&entry.doorbell_sleeping, 1); /* for messages */
  CHECK_EQUAL(0, end_of_a_wake_without_the_system(&entry));
  adr_word_sleeper_begin(&entry);
  const int status = end_of_a_wake_without_the_system(&entry);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL); /* it is */
  adr_word_sleeper_end(&entry);
  CHECK_EQUAL(0, end_of_a_wake_without_the_system(&entry));
}

static void wait_with_a_limit(void) {
  if (adr_job_rank(job) == 0) {
    adr_waiter_limit(&job->wait.waiter, MILLI);
    CHECK_EQUAL(ADR_UNMET, await(1));
    adr_waiter_limit_at(&job->wait.waiter, ADR_WAITER_NO_LIMIT);
  }
  CHECK_EQUAL(0, adr_barrier(job));
  if (adr_job_rank(job) == OTHER) {
    adr_store_release_u64(word, 1);
  } else {
    CHECK_EQUAL(ADR_MET, await(1));
  }
  CHECK_EQUAL(0, adr_barrier(job));
}

static void a_wait_ends_at_its_limit_and_the_next_finds_the_word(void) {
  adr_store_relaxed_u64(word, 0);
  run_ranks(2, wait_with_a_limit);
}

static void wait_for_who_dies(void) {
  if (adr_job_rank(job) == OTHER) {
    usleep(1000);
    _exit(3);
  }
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, await(1));
  CHECK_EQUAL(OTHER, adr_job_failed_rank(job));
  check_says(adr_job_error(job), "has failed; a wait for a word cannot complete");
  adr_store_relaxed_u64(word, 1); /* what a rank had written before it died is found */
  CHECK_EQUAL(ADR_MET, await(1));
}

static void a_wait_ends_with_the_rank_that_it_depends_on(void) {
  adr_store_relaxed_u64(word, 0);
  pid_t waits = start_rank(0, 2, wait_for_who_dies);
  pid_t dies = start_rank(OTHER, 2, wait_for_who_dies);
  CHECK_EQUAL(3, end_of(dies));
  CHECK_EQUAL(0, end_of(waits));
}

static void wait_for_long(void) {
  if (adr_job_rank(job) == OTHER) {
    uint64_t told;
    while ((told = adr_load_relaxed_u64(&entry_of(0)->waiting)) == 0) { usleep(1000); }
    CHECK_EQUAL(adr_rank_waiting_told(adr_rank_waiting(ADR_RANK_IN_MEMORY, OTHER, -1), 1), told);
    adr_store_release_u64(word, 1);
  } else {
    CHECK_EQUAL(ADR_MET, await(1));
    CHECK_EQUAL(0, adr_load_relaxed_u64(&entry_of(0)->waiting));
  }
  CHECK_EQUAL(0, adr_barrier(job));
}

static void a_long_wait_is_told_of_until_it_ends(void) {
  adr_store_relaxed_u64(word, 0);
  setenv("ADRASTEA_HANG_REPORT", "1", 1);
  run_ranks(2, wait_for_long);
  unsetenv("ADRASTEA_HANG_REPORT");
}

/* Rank 0 waits in this collective, of which rank 1 moves bytes before it takes part. */
enum { MOVES = 10, CHECK_MILLIS = 100, HANG_MILLIS = 300 };

static bool is_told_of_a_wait(uint32_t rank) {
  return adr_rank_table_told(entry_of(rank)) >> 56 == ADR_RANK_IN_COLLECTIVE;
}

static void move_and_stop(void) {
  int64_t value = 0;
  job->wait.hang_nanos = INT64_C(1000000) * HANG_MILLIS;
  if (adr_job_rank(job) == OTHER) {
    const uint32_t number = job->world->slot.memory->context_id >> 14;
    for (int i = 0; i < MOVES; i++) {
      adr_movement_collective(&job->movement, number);
      CHECK_EQUAL(0, adr_job_check(job));
      CHECK(!is_told_of_a_wait(0));
      usleep(1000 * CHECK_MILLIS);
    }
    while (!is_told_of_a_wait(0)) { usleep(1000); } /* nothing moves any more */
  }
  CHECK_EQUAL(0, adr_comm_bcast(adr_job_world(job), &value, sizeof value, OTHER));
  if (adr_job_rank(job) == 0) { CHECK(!is_told_of_a_wait(0)); }
}

static void a_collective_is_told_of_when_no_member_has_moved_for_long(void) { run_ranks(2, move_and_stop); }

enum { LONG = 8 << 20 };

static void copy_much(void) {
  static char data[LONG];
  CHECK_EQUAL(0, adr_comm_bcast(adr_job_world(job), data, sizeof data, OTHER));
  CHECK(job->world->moves > 0);
  CHECK(job->movement.moves != 0 || job->movement.count > 0);
  adr_movement_collective(&job->movement, job->world->slot.memory->context_id >> 14);
  CHECK_EQUAL(0, adr_job_check(job));
  CHECK_EQUAL(ADR_RANK_MOVES_COLLECTIVES, adr_rank_table_told(entry_of((uint32_t)adr_job_rank(job))) >> 56);
}

static void a_rank_tells_that_it_moves_bytes_of_a_collective(void) { run_ranks(2, copy_much); }

/* A step of this rank's own is as good. */
static int64_t steps;
static int64_t moves_each_time(const void *subject) {
  (void)subject;
  CHECK_EQUAL(0, adr_rank_table_told(entry_of(0)));
  if (++steps == MOVES) { adr_store_release_u64(word, 1); }
  return steps;
}

static void wait_while_something_moves(void) {
  if (adr_job_rank(job) == 0) {
    struct adr_condition moving = word_reaches;
    uint64_t value = 1;
    moving.moves = moves_each_time;
    job->wait.hang_nanos = INT64_C(1000000) * HANG_MILLIS;
    CHECK_EQUAL(ADR_MET, adr_wait_for(&job->wait, OTHER, &moving, &value));
    CHECK_EQUAL(MOVES, steps);
  }
  CHECK_EQUAL(0, adr_barrier(job));
}

static void a_wait_in_which_something_moves_is_not_told_of(void) {
  adr_store_relaxed_u64(word, 0);
  run_ranks(2, wait_while_something_moves);
}

int main(void) {
  word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(word != MAP_FAILED);
  ranks_begin();
  RUN(a_sleeper_is_woken_by_who_writes_the_word);
  RUN(a_sleeper_on_words_is_woken_by_the_rank_that_writes_one);
  RUN(a_wait_that_is_not_on_words_does_not_say_so);
  RUN(the_system_is_asked_only_for_a_rank_that_sleeps_on_words);
  RUN(a_wait_ends_at_its_limit_and_the_next_finds_the_word);
  RUN(a_wait_ends_with_the_rank_that_it_depends_on);
  RUN(a_long_wait_is_told_of_until_it_ends);
  RUN(a_wait_in_which_something_moves_is_not_told_of);
  RUN(a_collective_is_told_of_when_no_member_has_moved_for_long);
  RUN(a_rank_tells_that_it_moves_bytes_of_a_collective);
  ranks_end();
  return 0;
}
