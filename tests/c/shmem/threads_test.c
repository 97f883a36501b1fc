/* SHMEM_THREAD_MULTIPLE: threads of each PE put, get and compute atomically beside collectives of other threads, each
 * on a team of its own, and wait at once. */
#include <pthread.h>

#include "areas.h"

enum { ROUNDS = 150, WORDS = 64, THREADS = 4 };

static shmem_team_t teams[2];
static int64_t *sums[2], *given[2]; /* symmetric, of each team */
static int64_t *cells, *counter, *turns;

/* Reductions and barriers of one team; the second has SHMEM_TEAM_SHARED. */
static void *run_collectives(void *subject) {
  const intptr_t which = (intptr_t)subject;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < WORDS; i++) { given[which][i] = (me + 1) * (round + i + which); }
    CHECK(shmem_int64_sum_reduce(teams[which], sums[which], given[which], WORDS) == 0);
    for (int i = 0; i < WORDS; i++) { CHECK(sums[which][i] == pes * (pes + 1) / 2 * (round + i + which)); }
    CHECK(shmem_team_sync(teams[which]) == 0);
  }
  return NULL;
}

/* Puts of elements of this PE alone, and atomics of all. */
static void *access_memory(void *subject) {
  (void)subject;
  for (int round = 0; round < ROUNDS * 10; round++) {
    const int pe = round % pes;
    shmem_int64_p(cells + me, round, pe);
    shmem_quiet();
    CHECK(shmem_int64_g(cells + me, pe) == round);
    shmem_int64_atomic_add(counter, 1, pe);
  }
  return NULL;
}

/* A token goes round. */
static void *pass_on(void *subject) {
  (void)subject;
  for (int64_t round = 1; round <= ROUNDS; round++) {
    if (me == 0) { shmem_int64_atomic_set(turns, round, 1 % pes); }
    shmem_int64_wait_until(turns, SHMEM_CMP_GE, round);
    if (me != 0) { shmem_int64_atomic_set(turns, round, (me + 1) % pes); }
  }
  return NULL;
}

static void run_threads(void) {
  void *(*const bodies[])(void *) = {run_collectives, run_collectives, access_memory, pass_on};
  pthread_t threads[THREADS];
  teams[0] = SHMEM_TEAM_WORLD;
  teams[1] = SHMEM_TEAM_SHARED;
  for (int i = 0; i < 2; i++) {
    sums[i] = shmem_malloc(WORDS * sizeof(int64_t));
    given[i] = shmem_malloc(WORDS * sizeof(int64_t));
  }
  cells = shmem_calloc((size_t)pes, sizeof(int64_t));
  counter = shmem_calloc(1, sizeof(int64_t));
  turns = shmem_calloc(1, sizeof(int64_t));
  for (int i = 0; i < THREADS; i++) { CHECK(pthread_create(&threads[i], NULL, bodies[i], (void *)(intptr_t)i) == 0); }
  for (int i = 0; i < THREADS; i++) { CHECK(pthread_join(threads[i], NULL) == 0); }
  shmem_barrier_all();
  CHECK(*counter == ROUNDS * 10 / pes * pes);
}

static int threads_access_memory_beside_collectives_of_two_teams(void) {
  pe_level = SHMEM_THREAD_MULTIPLE;
  return run_pes(2, run_threads) + run_pes(3, run_threads);
}

int main(void) {
  int wrong = 0;
  pes_begin();
  RUN(threads_access_memory_beside_collectives_of_two_teams);
  return pes_end(wrong);
}
