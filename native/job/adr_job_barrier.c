/* The barrier, see adrastea/job.h and 000 Fig. 2. */
#include <errno.h>

#include "job/adr_job_state.h"

/* Waits; the signal is looked at once more after a rank was found gone: it may have passed the barrier before it left.
 */
static int wait_for_all(struct adr_job *job) {
  int status;
  int looks = job->waiter.crowded ? 1 : ADR_WAITER_LOOKS_PER_STEP;
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
  adr_job_begin_wait_for_all(job);
  status = wait_for_all(job);
  adr_job_end_wait(job);
  return status;
}
