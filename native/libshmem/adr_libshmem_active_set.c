/* Every 2^log-th PE of the world from a first one on; they are named anew at each call. */
#include "libshmem/adr_libshmem_active_set.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/adr_atomic.h"
#include "libshmem/adr_libshmem.h"

/* A long of `pSync` is the word that is told. */
_Static_assert(sizeof(long) == sizeof(uint64_t) && SHMEM_SYNC_VALUE == 0L, "what adr_comm_offer tells is never 0");

static uint64_t told(const void *word) {
  /* SYNC symmetric-word: acquire, pairs with the release in `tell`: the slot is there before its place is told. */
  return adr_load_acquire_u64((const adr_atomic_u64 *)word);
}

static int is_told(const void *words) { return told(words) != 0; }

static void say(const void *words, char *text, size_t size) {
  snprintf(text, size, "the lowest PE of an active set to tell of it in pSync, at address %p", words);
}

/* The others of a set learn where its slot is. They have nothing else in these words: each has been in no collective
 * with this `pSync` since it was set to SHMEM_SYNC_VALUE. */
static void tell(const char *routine, const struct adr_libshmem_team *set, const long *p_sync, uint64_t word) {
  for (int member = 1; member < set->pes; member++) {
    const int pe = adr_libshmem_team_world(set, member);
    adr_atomic_u64 *place = adr_libshmem_at(routine, p_sync, sizeof word, pe);
    /* SYNC symmetric-word: release, pairs with the acquire of the one that waits for it. */
    adr_store_release_u64(place, word);
    adr_libshmem_check(routine, adr_shmem_wake(adr_libshmem.shmem, pe));
  }
}

static uint64_t await_word(const char *routine, const long *p_sync) {
  adr_atomic_u64 *word = adr_libshmem_at(routine, p_sync, sizeof *p_sync, adr_libshmem.pe);
  if (!is_told(word)) { adr_libshmem_check(routine, adr_shmem_await(adr_libshmem.shmem, is_told, say, word)); }
  const uint64_t result = told(word);
  /* As it was. Relaxed: nobody stores here again before all have met in the new communicator. */
  adr_store_relaxed_u64(word, SHMEM_SYNC_VALUE);
  return result;
}

/* Its PEs make the set, and meet, so that `pSync` is as it was at all of them. */
static void make(const char *routine, struct adr_libshmem_team *set, const long *p_sync) {
  int *ranks = malloc((size_t)set->pes * sizeof *ranks);
  if (ranks == NULL) { adr_libshmem_fail(routine, "no memory for an active set of %d PEs", set->pes); }
  for (int member = 0; member < set->pes; member++) { ranks[member] = adr_libshmem_team_world(set, member); }
  adr_job *job = adr_libshmem.job;
  if (set->pe == 0) {
    uint64_t word;
    adr_libshmem_check(routine, adr_comm_offer(job, ranks, set->pes, &set->comm, &word));
    tell(routine, set, p_sync, word);
  } else {
    adr_libshmem_check(routine, adr_comm_accept(job, ranks, set->pes, await_word(routine, p_sync), &set->comm));
  }
  free(ranks);
  adr_libshmem_check(routine, adr_comm_barrier(set->comm));
}

static bool is_valid(int start, int log_stride, int pes) {
  return start >= 0 && log_stride >= 0 && log_stride < 31 && pes >= 1
         && start + (int64_t)(pes - 1) * (INT64_C(1) << log_stride) < adr_libshmem.pes;
}

static struct adr_libshmem_team *sets; /* inside the job */

struct adr_libshmem_team *adr_libshmem_set_enter(const char *routine, int start, int log_stride, int pes,
                                                 long *p_sync) {
  adr_libshmem_need(routine);
  if (!is_valid(start, log_stride, pes)) {
    adr_libshmem_fail(routine,
                      "an active set of %d PEs from PE %d on with a stride of 2^%d; the first is to be 0 or more, the "
                      "stride 2^0 or more, and all below %d",
                      pes, start, log_stride, adr_libshmem.pes);
  }
  const int stride = 1 << log_stride;
  const int from = adr_libshmem.pe - start;
  if (from < 0 || from % stride != 0 || from / stride >= pes) {
    adr_libshmem_fail(routine, "this PE is not in the active set of %d PEs from PE %d on with a stride of %d", pes,
                      start, stride);
  }
  adr_libshmem_at(routine, p_sync, sizeof *p_sync, adr_libshmem.pe); /* is symmetric, at each call */
  adr_libshmem_enter();
  struct adr_libshmem_team *set = sets;
  while (set != NULL && (set->start != start || set->stride != stride || set->pes != pes)) { set = set->next; }
  if (set == NULL) {
    set = malloc(sizeof *set);
    if (set == NULL) { adr_libshmem_fail(routine, "no memory for an active set of %d PEs", pes); }
    *set = (struct adr_libshmem_team){.start = start, .stride = stride, .pes = pes, .pe = from / stride};
    make(routine, set, p_sync);
    set->next = sets; /* when it is made: other threads may have made others meanwhile */
    sets = set;
  }
  set->routine = routine;
  return set;
}

void adr_libshmem_sets_end(void) {
  while (sets != NULL) {
    struct adr_libshmem_team *set = sets;
    sets = set->next;
    adr_comm_close(set->comm);
    free(set);
  }
}
