/* A rank whose first thread has ended goes on in another one: the others reach its memory, and it reaches theirs. */
#include <pthread.h>
#include <sched.h>

#include "ranks.h"
#include "segment/adr_process.h"

enum { RANKS = 2, COUNT = 1 << 17 };

static int64_t given[COUNT];
static int64_t taken[RANKS * COUNT];

static int64_t value(int rank, int64_t i) { return (rank + 1) * INT64_C(1000003) + i; }

static void check_taken(int blocks, int64_t each) {
  for (int64_t i = 0; i < blocks * each; i++) { CHECK_EQUAL(value((int)(i / each), i % each), taken[i]); }
}

static void exchange(void) {
  adr_comm *world = adr_job_world(job);
  const int self = adr_job_rank(job);
  for (int64_t i = 0; i < COUNT; i++) { given[i] = value(self, i); }
  for (int root = 0; root < RANKS; root++) {
    CHECK_EQUAL(0, adr_comm_bcast(world, root == self ? given : taken, sizeof given, root));
    for (int64_t i = 0; i < COUNT && root != self; i++) { CHECK_EQUAL(value(root, i), taken[i]); }
    CHECK_EQUAL(0, adr_comm_gather(world, given, root == self ? taken : NULL, sizeof given, root));
    if (root == self) { check_taken(RANKS, COUNT); }
  }
  CHECK_EQUAL(0, adr_comm_allgather(world, given, taken, sizeof given));
  check_taken(RANKS, COUNT);
  CHECK_EQUAL(0, adr_comm_allreduce(world, given, taken, COUNT, ADR_INT64, ADR_SUM));
  for (int64_t i = 0; i < COUNT; i++) { CHECK_EQUAL(value(0, i) + value(1, i), taken[i]); }
}

static void *go_on_alone(void *none) {
  while (adr_process_has_main_thread()) { sched_yield(); }
  join_job();
  exchange();
  CHECK_EQUAL(0, adr_job_leave(job));
  exit(0);
  return none;
}

static void end_first_thread(void) {
  pthread_t thread;
  CHECK_EQUAL(0, pthread_create(&thread, NULL, go_on_alone, NULL));
  pthread_exit(NULL);
}

static void should_exchange_with_a_rank_whose_first_thread_has_ended(void) {
  for (int alone = 0; alone < RANKS; alone++) {
    pid_t pids[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      pids[rank] = rank == alone ? start_unjoined(rank, RANKS, end_first_thread) : start_rank(rank, RANKS, exchange);
    }
    for (int rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, end_of(pids[rank])); }
  }
}

int main(void) {
  ranks_begin();
  RUN(should_exchange_with_a_rank_whose_first_thread_has_ended);
  ranks_end();
  return 0;
}
