/* Several threads of a rank take turns at its job, and wait at once. */
#include <pthread.h>

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
  RUN(collectives_of_several_communicators_run_at_once);
  RUN(a_rank_that_dies_ends_the_waits_of_all_threads);
  ranks_end();
  return 0;
}
