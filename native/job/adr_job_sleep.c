/* How a rank sleeps in its waits. Twin of io.adrastea.engine.Sleep. */
#include "job/adr_job_state.h"

static void wake(struct adr_job *job) {
  job->waiter.dozing = false;
  adr_channel_end_sleep(job->channel);
}

void adr_job_stir(struct adr_job *job) {
  if (job->waiter.dozing) { wake(job); }
}

void adr_job_begin_wait(struct adr_job *job, int32_t other) {
  adr_job_stir(job);
  adr_waiter_reset(&job->waiter, other);
}

void adr_job_begin_wait_for_all(struct adr_job *job) {
  adr_job_stir(job);
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
  if (adr_waiter_is_time_to_part(waiter)
      && adr_channel_avoid_shared_cpu(job->segment.base, (int32_t)job->rank, waiter->other) != 0) {
    adr_waiter_parted(waiter);
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
  adr_job_stir(job);
  adr_waiter_found(&job->waiter);
  return adr_waiter_is_time_to_check(&job->waiter);
}
