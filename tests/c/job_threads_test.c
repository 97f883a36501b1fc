/* Several threads of a rank take turns at its job, and wait at once. */
#include <pthread.h>
#include <sys/mman.h>

#include "base/adr_atomic.h"
#include "job/adr_comm_state.h"
#include "ranks.h"
#include "wait/adr_gate.h"

enum { SIZE = 3, THREADS = 3, ROUNDS = 60, LONG = 20000 };

static adr_comm *comms[THREADS];

/* Collectives of a communicator of its own, while other threads are in theirs. */
static void *run_collectives(void *subject) {
  const int thread = (int)(intptr_t)subject;
  adr_comm *comm = comms[thread];
  int64_t *given = malloc(LONG * sizeof *given), *got = malloc(LONG * sizeof *got);
  for (int round = 0; round < ROUNDS; round++) {
    const int64_t count = round % 20 == 0 ? LONG : 1;
    for (int64_t i = 0; i < count; i++) { given[i] = (adr_job_rank(job) + 1) * (thread + 1) * (round + i); }
    adr_job_enter(job);
    const int status = adr_comm_allreduce(comm, given, got, count, ADR_INT64, ADR_SUM);
    adr_job_exit(job);
    CHECK_EQUAL(0, status);
    for (int64_t i = 0; i < count; i++) { CHECK_EQUAL(SIZE * (SIZE + 1) / 2 * (thread + 1) * (round + i), got[i]); }
    adr_job_enter(job);
    CHECK_EQUAL(0, adr_comm_barrier(comm));
    adr_job_exit(job);
    if (round % 50 == thread) { usleep(20000); } /* so that others sleep */
  }
  free(given);
  free(got);
  return NULL;
}

static void run_threads(void *(*body)(void *), int count) {
  pthread_t threads[THREADS];
  for (int i = 0; i < count; i++) { CHECK_EQUAL(0, pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i)); }
  for (int i = 0; i < count; i++) { CHECK_EQUAL(0, pthread_join(threads[i], NULL)); }
}

static void run_rank(void) {
  for (int i = 0; i < THREADS; i++) { CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comms[i])); }
  adr_job_enter(job); /* does nothing yet */
  adr_job_exit(job);
  CHECK_EQUAL(0, adr_job_allow_threads(job));
  CHECK_EQUAL(0, adr_job_allow_threads(job));
  run_threads(run_collectives, THREADS);
  adr_job_enter(job);
  CHECK_EQUAL(0, adr_barrier(job));
  adr_job_exit(job);
}

static void collectives_of_several_communicators_run_at_once(void) { run_ranks(SIZE, run_rank); }

/* Rank 0 comes to the second communicator only when the other thread has come through the first: no thread's wait keeps
 * another one from its call. */
static void *come_late(void *subject) {
  const int thread = (int)(intptr_t)subject;
  adr_job_enter(job);
  if (thread == 1 && adr_job_rank(job) == 0) {
    adr_job_exit(job);
    usleep(100000);
    adr_job_enter(job);
  }
  CHECK_EQUAL(0, adr_comm_barrier(comms[thread]));
  adr_job_exit(job);
  return NULL;
}

static void run_late(void) {
  for (int i = 0; i < 2; i++) { CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comms[i])); }
  CHECK_EQUAL(0, adr_job_allow_threads(job));
  for (int round = 0; round < 3; round++) { run_threads(come_late, 2); }
}

static void a_wait_lets_other_threads_in(void) { run_ranks(2, run_late); }

/* Two threads of rank 0 wait: one for a message, for a short time, the other one at a barrier that rank 1 comes to only
 * when that time is over. The message is not sent before that, or after a time that is much longer. */
enum { SHORT_NANOS = 20000000, LATE_MICROS = 50000, LONGEST_LOOKS = 5000 };

static struct {
  adr_atomic_u32 is_over; /* the short wait */
  adr_atomic_u32 has_come;
} * told; /* to all processes */

static void *wait_in_both_ways(void *subject) {
  adr_message message;
  adr_job_enter(job);
  if (subject == NULL) {
    CHECK_EQUAL(0, adr_wait_within(job, ADR_ANY, SHORT_NANOS, &message));
    adr_store_release_u32(&told->is_over, 1);
  } else {
    CHECK_EQUAL(0, adr_comm_barrier(comms[0]));
    CHECK_EQUAL(1, adr_load_acquire_u32(&told->has_come));
  }
  adr_job_exit(job);
  return NULL;
}

static void run_with_a_limit(void) {
  adr_message message;
  CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comms[0]));
  if (adr_job_rank(job) == 0) {
    CHECK_EQUAL(0, adr_job_allow_threads(job));
    run_threads(wait_in_both_ways, 2);
    CHECK_EQUAL(1, adr_wait(job, 1, &message));
    CHECK_EQUAL(0, adr_release(job));
    return;
  }
  for (int look = 0; look < LONGEST_LOOKS && adr_load_acquire_u32(&told->is_over) == 0; look++) { usleep(1000); }
  usleep(LATE_MICROS);
  adr_store_release_u32(&told->has_come, 1);
  CHECK_EQUAL(0, adr_comm_barrier(comms[0]));
  CHECK_EQUAL(0, adr_send(job, 0, ADR_MATCH(0, 7), "late", 4));
}

static void a_limit_is_that_of_one_threads_wait(void) {
  void *shared = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  told = shared;
  run_ranks(2, run_with_a_limit);
}

/* A rank that dies ends the waits of all threads. */
static void *end_with_it(void *subject) {
  adr_job_enter(job);
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_comm_barrier(comms[(intptr_t)subject]));
  check_says(adr_job_error(job), "rank 1");
  adr_job_exit(job);
  return NULL;
}

static void run_until_it_dies(void) {
  for (int i = 0; i < 2; i++) { CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comms[i])); }
  CHECK_EQUAL(0, adr_barrier(job));
  CHECK_EQUAL(0, adr_job_allow_threads(job));
  if (adr_job_rank(job) == 1) {
    usleep(50000);
    raise(SIGKILL);
  }
  run_threads(end_with_it, 2);
}

static void a_rank_that_dies_ends_the_waits_of_all_threads(void) {
  pid_t pids[SIZE];
  for (int rank = 0; rank < SIZE; rank++) { pids[rank] = start_rank(rank, SIZE, run_until_it_dies); }
  for (int rank = 0; rank < SIZE; rank++) { CHECK_EQUAL(rank == 1 ? 128 + SIGKILL : 0, end_of(pids[rank])); }
}

/* In the order in which they come. */
static struct adr_gate gate;
static int came[THREADS], comers;

static void *come_in(void *subject) {
  adr_gate_enter(&gate);
  came[comers++] = (int)(intptr_t)subject;
  adr_gate_exit(&gate);
  return NULL;
}

static void threads_come_in_in_their_order(void) {
  pthread_t threads[THREADS];
  CHECK_EQUAL(0, adr_gate_open(&gate));
  adr_gate_enter(&gate);
  CHECK(!adr_gate_is_wanted(&gate));
  for (int i = 0; i < THREADS; i++) {
    CHECK_EQUAL(0, pthread_create(&threads[i], NULL, come_in, (void *)(intptr_t)i));
    for (uint64_t waiting = 0; waiting != (uint64_t)i + 1; usleep(100)) {
      pthread_mutex_lock(&gate.guard);
      waiting = gate.next - gate.now - 1;
      pthread_mutex_unlock(&gate.guard);
    }
    CHECK(adr_gate_is_wanted(&gate));
  }
  CHECK_EQUAL(0, comers);
  adr_gate_exit(&gate);
  for (int i = 0; i < THREADS; i++) { CHECK_EQUAL(0, pthread_join(threads[i], NULL)); }
  for (int i = 0; i < THREADS; i++) { CHECK_EQUAL(i, came[i]); }
  adr_gate_close(&gate);
}

int main(void) {
  ranks_begin();
  RUN(threads_come_in_in_their_order);
  RUN(a_wait_lets_other_threads_in);
  RUN(a_limit_is_that_of_one_threads_wait);
  RUN(collectives_of_several_communicators_run_at_once);
  RUN(a_rank_that_dies_ends_the_waits_of_all_threads);
  ranks_end();
  return 0;
}
