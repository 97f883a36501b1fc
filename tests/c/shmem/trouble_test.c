/* A PE that is killed in a collective ends the job, with a line of each other PE that says which one it was; and what
 * cannot be a collective is refused by name. */
#include <pthread.h>

#include "areas.h"

enum { KILLED = 1, PES = 3 };

static long *words; /* for active sets */
static char *aside; /* in private memory */
static int *to, *from;
static shmem_team_t team;

static void call_barrier_all(void) { shmem_barrier_all(); }
static void call_sync_all(void) { shmem_sync_all(); }
static void call_team_sync(void) { shmem_team_sync(SHMEM_TEAM_SHARED); }
static void call_broadcast(void) { shmem_int_broadcast(SHMEM_TEAM_WORLD, to, from, 1000, KILLED); }
static void call_collect(void) { shmem_int_collect(SHMEM_TEAM_WORLD, to, from, 10); }
static void call_fcollect(void) { shmem_int_fcollect(SHMEM_TEAM_WORLD, to, from, 10); }
static void call_alltoall(void) { shmem_int_alltoall(SHMEM_TEAM_WORLD, to, from, 10); }
static void call_alltoalls(void) { shmem_int_alltoalls(SHMEM_TEAM_WORLD, to, from, 1, 1, 10); }
static void call_reduce(void) { shmem_int_sum_reduce(SHMEM_TEAM_WORLD, to, from, 10); }
static void call_inscan(void) { shmem_int_sum_inscan(SHMEM_TEAM_WORLD, to, from, 10); }
static void call_split(void) { shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, PES, NULL, 0, &team); }
static void call_barrier(void) { shmem_barrier(0, 0, PES, words); }
static void call_set_of_killed(void) { shmem_int_sum_to_all(to, from, 1, KILLED, 0, 2, to, words); }

static const struct {
  const char *name; /* of the routine */
  void (*call)(void);
} calls[] = {
    {"shmem_barrier_all", call_barrier_all},      {"shmem_sync_all", call_sync_all},
    {"shmem_team_sync", call_team_sync},          {"shmem_int_broadcast", call_broadcast},
    {"shmem_int_collect", call_collect},          {"shmem_int_fcollect", call_fcollect},
    {"shmem_int_alltoall", call_alltoall},        {"shmem_int_alltoalls", call_alltoalls},
    {"shmem_int_sum_reduce", call_reduce},        {"shmem_int_sum_inscan", call_inscan},
    {"shmem_team_split_strided", call_split},     {"shmem_barrier", call_barrier},
    {"shmem_int_sum_to_all", call_set_of_killed},
};

static unsigned which;
static bool beforehand; /* the collective has been called before, when all lived */

static void prepare(void) {
  to = (int *)(void *)to_area;
  from = (int *)(void *)from_area;
  aside = malloc(64);
  CHECK(aside != NULL);
  words = shmem_malloc(SHMEM_SYNC_SIZE * sizeof *words);
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) { words[i] = SHMEM_SYNC_VALUE; }
  shmem_barrier_all();
}

static void call_until_it_dies(void) {
  int provided;
  shmem_init_thread(pe_level, &provided);
  take_areas();
  prepare();
  if (calls[which].call == call_set_of_killed && me < KILLED) { exit(0); } /* is not in the set */
  if (beforehand) { calls[which].call(); }
  if (me == KILLED) {
    usleep(20000); /* the others are in it, as a rule */
    raise(SIGKILL);
  }
  calls[which].call();
  shmem_barrier_all(); /* a broadcast may have ended */
}

static int check_said(const char *words_of_it) {
  if (strstr(pes_said, words_of_it) != NULL) { return 0; }
  fprintf(stderr, "'%s' is not said: %s\n", words_of_it, pes_said);
  return 1;
}

static int a_pe_that_is_killed_in_a_collective_ends_the_job(void) {
  int failed = 0;
  for (which = 0; which < sizeof calls / sizeof *calls; which++) {
    if (calls[which].call == call_set_of_killed) { continue; } /* PE 0 ends in order, and is not waited for */
    for (int before = 0; before < 2; before++) {
      const int statuses[] = {1, -SIGKILL, 1};
      beforehand = before == 1;
      failed += pes_run_each(PES, statuses, call_until_it_dies);
      failed += check_said("rank 1 (process");
      if (calls[which].call != call_broadcast) { failed += check_said(calls[which].name); }
      if (failed > 0) { fprintf(stderr, "in %s\n", calls[which].name); }
    }
  }
  return failed;
}

/* Each thread is in another collective, or in none. */
static void *sync_shared(void *subject) {
  shmem_team_sync(SHMEM_TEAM_SHARED);
  return subject;
}

static void die_among_threads(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  take_areas();
  prepare();
  if (me == KILLED) {
    usleep(20000);
    raise(SIGKILL);
  }
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, sync_shared, NULL) == 0);
  shmem_barrier_all();
  pthread_join(thread, NULL);
}

static int a_pe_that_is_killed_ends_all_threads(void) {
  int failed = 0;
  for (int round = 0; round < 20; round++) {
    const int statuses[] = {1, -SIGKILL, 1};
    failed += pes_run_each(PES, statuses, die_among_threads);
    failed += check_said("rank 1 (process");
  }
  return failed;
}

/* What is refused: by a line with routine and PE. */

static void call_with_nothing_symmetric(void) { shmem_broadcastmem(SHMEM_TEAM_WORLD, aside, from_area, 4, 0); }
static void call_beyond(void) { shmem_fcollectmem(SHMEM_TEAM_WORLD, to_area, from_area, SIZE_MAX / 2); }
static void call_of_no_team(void) { shmem_team_sync(SHMEM_TEAM_INVALID); }
static void call_of_a_wrong_team(void) { shmem_team_sync((shmem_team_t)(void *)aside); }
static void call_from_no_root(void) { shmem_broadcastmem(SHMEM_TEAM_WORLD, to_area, from_area, 4, 2); }
static void call_with_no_stride(void) { shmem_alltoallsmem(SHMEM_TEAM_WORLD, to_area, from_area, 0, 1, 1); }
static void call_of_too_large_a_set(void) { shmem_barrier(0, 1, 2, words); }
static void call_of_an_empty_set(void) { shmem_barrier(0, 0, 0, words); }
static void call_of_a_set_of_others(void) { shmem_barrier(1 - me, 0, 1, words); }
static void call_without_sync(void) { shmem_barrier(0, 0, 2, (long *)(void *)aside); }
static void call_of_fewer_than_none(void) { shmem_int_sum_to_all(to, from, -1, 0, 0, 2, to, words); }
static void destroy_the_world(void) { shmem_team_destroy(SHMEM_TEAM_WORLD); }
static void sync_a_destroyed_team(void) {
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
  shmem_team_destroy(team);
  shmem_team_sync(team);
}

static const struct {
  const char *said;
  void (*call)(void);
} refused[] = {
    {"shmem_broadcastmem: address", call_with_nothing_symmetric},
    {"is not symmetric", call_with_nothing_symmetric},
    {"shmem_fcollectmem: ", call_beyond},
    {"shmem_team_sync: the team is SHMEM_TEAM_INVALID", call_of_no_team},
    {"shmem_team_sync: there is no team 0x", call_of_a_wrong_team},
    {"shmem_broadcastmem: there is no root PE 2; allowed are 0 to 1", call_from_no_root},
    {"shmem_alltoallsmem: strides of 0 and 1 elements", call_with_no_stride},
    {"shmem_barrier: an active set of 2 PEs from PE 0 on with a stride of 2^1", call_of_too_large_a_set},
    {"shmem_barrier: an active set of 0 PEs", call_of_an_empty_set},
    {"shmem_barrier: this PE is not in the active set of 1 PEs", call_of_a_set_of_others},
    {"shmem_barrier: address", call_without_sync},
    {"shmem_int_sum_to_all: -1 elements", call_of_fewer_than_none},
    {"shmem_team_destroy: SHMEM_TEAM_WORLD is not to be destroyed", destroy_the_world},
    {"shmem_team_sync: there is no team 0x", sync_a_destroyed_team},
};

static void be_refused(void) {
  prepare();
  refused[which].call();
}

static int what_cannot_be_is_refused_by_name(void) {
  int failed = 0;
  pe_body = be_refused;
  for (which = 0; which < sizeof refused / sizeof *refused; which++) {
    failed += pes_run(2, 1, run_pe);
    failed += check_said(refused[which].said);
  }
  return failed;
}

int main(void) {
  int wrong = 0;
  pes_begin();
  RUN(what_cannot_be_is_refused_by_name);
  RUN(a_pe_that_is_killed_in_a_collective_ends_the_job);
  RUN(a_pe_that_is_killed_ends_all_threads);
  return pes_end(wrong);
}
