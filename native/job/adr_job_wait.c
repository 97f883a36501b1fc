/* Waiting: how a rank sleeps in its waits, how it tells whom it waits for once it has waited for long, and the barrier.
 * Twin of io.adrastea.wait.Waits and io.adrastea.engine.BarrierWait. A long wait is told of on standard error, once,
 * and in the rank table until it is over, where a launcher finds out whether ranks wait for each other. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "job/adr_job_state.h"

static void wake(struct adr_job *job) {
  job->waiter.dozing = false;
  adr_channel_end_sleep(job->channel);
}

/* What was waited for is there: this rank does not sleep. */
static void stir(struct adr_job *job) {
  if (job->waiter.dozing) { wake(job); }
}

void adr_job_begin_wait(struct adr_job *job, int32_t other) {
  stir(job);
  adr_waiter_reset(&job->waiter, other);
}

/* Begins a wait for all other ranks. */
static void begin_wait_for_all(struct adr_job *job) {
  stir(job);
  adr_waiter_reset_for_all(&job->waiter);
}

static void nap(int64_t nanos) {
  struct timespec most = {.tv_nsec = nanos};
  nanosleep(&most, NULL);
}

static void sleep_now(struct adr_job *job) {
  struct adr_waiter *waiter = &job->waiter;
  bool woken = waiter->word >= 0 && job->all_wake;
  int64_t nanos =
      woken ? ADR_SLEEP_MOST_NANOS : adr_waiter_nap(waiter, ADR_SLEEP_LEAST_NAP_NANOS, ADR_SLEEP_MOST_NAP_NANOS);
  if (waiter->word >= 0) {
    adr_channel_sleep(job->segment.base, (int32_t)job->rank, waiter->word, adr_waiter_within_limit(waiter, nanos));
  } else {
    nap(adr_waiter_within_limit(waiter, nanos));
  }
  waiter->slept = true;
  wake(job);
}

static void idle(struct adr_job *job) {
  struct adr_waiter *waiter = &job->waiter;
  adr_waiter_idle(waiter);
  if (adr_waiter_is_time_to_check_cpu(waiter)
      && adr_channel_avoid_shared_cpu(job->segment.base, (int32_t)job->rank, waiter->other) != 0) {
    adr_waiter_cpu_checked(waiter);
  }
}

bool adr_job_rest(struct adr_job *job) {
  struct adr_waiter *waiter = &job->waiter;
  if (waiter->dozing) {
    sleep_now(job);
  } else if (adr_waiter_is_drowsy(waiter)) {
    adr_waiter_doze(waiter, adr_channel_announce_sleep(job->channel));
  } else {
    idle(job);
  }
  return adr_waiter_is_time_to_check(waiter);
}

bool adr_job_go_on(struct adr_job *job) {
  stir(job);
  adr_waiter_found(&job->waiter);
  return adr_waiter_is_time_to_check(&job->waiter);
}

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
  stir(job);
  if (job->waiter.told) {
    job->waiter.told = false;
    adr_rank_table_set_waiting(own_entry(job), 0);
  }
}

/* Waits; the signal is checked once more after a rank was found gone: it may have passed the barrier before it left.
 */
static int wait_for_all(struct adr_job *job) {
  int status;
  int looks = job->waiter.oversubscribed ? 1 : ADR_WAITER_POLLS_PER_STEP;
  while ((status = adr_channel_barrier_wait(job->channel, looks)) == -EAGAIN) {
    status = adr_job_progress(job); /* room goes back to those who still have something to send */
    if (status < 0) { return status; }
    if (!adr_job_rest(job)) { continue; }
    adr_job_tell_of_wait(job, ADR_RANK_IN_BARRIER, ADR_ANY, 0);
    int gone = adr_job_check_all(job, "a barrier");
    if (gone < 0) {
      status = adr_channel_barrier_wait(job->channel, 1);
      return status == -EAGAIN ? gone : status < 0 ? adr_job_broken(job, status) : 0;
    }
  }
  return status < 0 ? adr_job_broken(job, status) : 0;
}

int adr_barrier(adr_job *job) {
  int status = adr_job_pace_at_work(job);
  if (status < 0) { return status; }
  status = adr_channel_barrier_arrive(job->channel);
  if (status < 0) { return adr_job_broken(job, status); }
  begin_wait_for_all(job);
  status = wait_for_all(job);
  adr_job_end_wait(job);
  return status;
}
