/* barrier_rounds processes|threads RANKS ROUNDS: in each round every rank writes its place of a shared array, comes to
 * the barrier and reads the places of all. There are two arrays, used in turn: a rank writes one again only after the
 * barrier that follows the others' reading. The accesses are plain, so that a sanitizer sees a barrier that does not
 * order them. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "barrier/adr_barrier.h"
#include "check.h"

enum { MAX_RANKS = 16, SPINS = 50 };

struct shared {
  _Alignas(4096) struct adr_segment_header header;
  struct {
    uint64_t values[MAX_RANKS];
  } array[2];
};

struct rank {
  struct shared *shared;
  uint32_t rank, ranks, rounds;
};

static uint64_t value_of(uint32_t rank, uint32_t round) { return ((uint64_t)round << 8) + rank; }

static void pass(struct adr_barrier_place *place) {
  int status;
  CHECK(adr_barrier_arrive(place) >= 0);
  while ((status = adr_barrier_wait(place, SPINS)) == ADR_AGAIN) { sched_yield(); }
  CHECK_EQUAL(0, status);
}

static void *play(void *argument) {
  const struct rank *me = argument;
  struct adr_barrier_place place;
  adr_barrier_open(&place, &me->shared->header, me->ranks);
  for (uint32_t round = 1; round <= me->rounds; round++) {
    uint64_t *values = me->shared->array[round % 2].values;
    values[me->rank] = value_of(me->rank, round);
    pass(&place);
    for (uint32_t rank = 0; rank < me->ranks; rank++) { CHECK_EQUAL(value_of(rank, round), values[rank]); }
  }
  return NULL;
}

static void run_processes(struct rank *all, uint32_t ranks) {
  pid_t children[MAX_RANKS];
  for (uint32_t rank = 0; rank < ranks; rank++) {
    if ((children[rank] = fork()) == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      play(&all[rank]);
      _exit(0);
    }
    CHECK(children[rank] > 0);
  }
  for (uint32_t i = 0; i < ranks; i++) { /* the first that fails ends the program, and with it the others */
    int status;
    CHECK(wait(&status) > 0);
    CHECK_EQUAL(0, status);
  }
}

static void run_threads(struct rank *all, uint32_t ranks) {
  pthread_t threads[MAX_RANKS];
  for (uint32_t rank = 0; rank < ranks; rank++) {
    CHECK_EQUAL(0, pthread_create(&threads[rank], NULL, play, &all[rank]));
  }
  for (uint32_t rank = 0; rank < ranks; rank++) { CHECK_EQUAL(0, pthread_join(threads[rank], NULL)); }
}

int main(int count, char **words) {
  CHECK_EQUAL(4, count);
  uint32_t ranks = (uint32_t)atoi(words[2]), rounds = (uint32_t)atoi(words[3]);
  struct rank all[MAX_RANKS];
  CHECK(ranks > 0 && ranks <= MAX_RANKS);
  struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  shared->header.rank_count = ranks;
  for (uint32_t rank = 0; rank < ranks; rank++) { all[rank] = (struct rank){shared, rank, ranks, rounds}; }
  if (strcmp(words[1], "threads") == 0) {
    run_threads(all, ranks);
  } else {
    CHECK_EQUAL(0, strcmp(words[1], "processes"));
    run_processes(all, ranks);
  }
  const struct adr_barrier *barrier = &shared->header.barrier;
  CHECK_EQUAL(0, adr_load_relaxed_u32(&barrier->counter));
  CHECK_EQUAL(rounds % 2, adr_load_relaxed_u32(&barrier->signal));
  return 0;
}
