/* Tells whom this rank waits for once it has waited for long: on standard error, once in each wait, and in the rank
 * table until the wait is over, where a launcher finds out whether ranks wait for each other. Twin of
 * io.adrastea.engine.HangReport. */
#include <inttypes.h>
#include <stdio.h>

#include "job/adr_job_state.h"

enum { WORDS = 96 };

static struct adr_rank_entry *own_entry(struct adr_job *job) {
  return adr_rank_table_entry(job->segment.base, job->rank);
}

/* As io.adrastea.ranktable.Waiting says it. */
static void say(char words[WORDS], uint32_t call, int32_t peer, int32_t tag) {
  char rank[24], tagged[24];
  if (peer < 0) {
    snprintf(rank, sizeof rank, "any rank");
  } else {
    snprintf(rank, sizeof rank, "rank %" PRId32, peer);
  }
  if (tag < 0) {
    snprintf(tagged, sizeof tagged, "any tag");
  } else {
    snprintf(tagged, sizeof tagged, "tag %" PRId32, tag);
  }
  switch (call) {
  case ADR_RANK_IN_RECEIVE:
    snprintf(words, WORDS, "in a receive from %s with %s", rank, tagged);
    break;
  case ADR_RANK_IN_SEND:
    snprintf(words, WORDS, "in a send to %s with %s", rank, tagged);
    break;
  default:
    snprintf(words, WORDS, "at the barrier, for all other ranks");
    break;
  }
}

void adr_job_tell_of_wait(struct adr_job *job, uint32_t call, int32_t peer, int32_t tag) {
  if (job->hang_nanos == 0 || !adr_waiter_has_lasted(&job->waiter, job->hang_nanos) || !adr_waiter_tell(&job->waiter)) {
    return;
  }
  char words[WORDS];
  say(words, call, peer, tag);
  int32_t ender = call == ADR_RANK_IN_RECEIVE
                      ? ADR_ANY
                      : peer; /* a piece of any rank ends it, not only one of the rank that is expected */
  adr_rank_table_set_waiting(own_entry(job), adr_rank_waiting(call, ender, tag));
  fprintf(stderr, "adrastea: rank %" PRIu32 " has been waiting for %" PRId64 " s %s (ADRASTEA_HANG_REPORT)\n",
          job->rank, job->hang_nanos / INT64_C(1000000000), words);
}

void adr_job_end_wait(struct adr_job *job) {
  adr_job_stir(job);
  if (job->waiter.told) {
    job->waiter.told = false;
    adr_rank_table_set_waiting(own_entry(job), 0);
  }
}
