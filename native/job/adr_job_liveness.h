/* Whether those that a wait depends on are still there. Twin of io.adrastea.engine.failure.Liveness. */
#pragma once

#include "base/adr_base.h"
#include "job/adr_job_state.h"

#define ADR_LIVENESS_OTHERS 64u /* ranks checked beside those that are waited for */

/* The rank whose absence keeps something with `peer`, a rank or ADR_ANY, from ever completing; ADR_NOBODY: there is
 * none. */
int adr_job_missing(struct adr_job *job, int peer);

/* Returns the rank whose absence keeps what takes all ranks from ever completing, or ADR_NOBODY. */
int adr_job_missing_of_all(struct adr_job *job);

/* ADR_ERROR_RANK_FAILED: `what`, which depends on `rank`, cannot be, since that rank is gone. */
int adr_job_gone(struct adr_job *job, int rank, const char *what);

/* Returns ADR_ERROR_RANK_FAILED as adr_job_gone does: `what` waits for `peer`, a rank or ADR_ANY. */
int adr_job_gone_from(struct adr_job *job, int peer, int rank, const char *what);

/* Tells others what moves here, checks which ranks are gone, and sees to what they left: queues, cells and fastboxes;
 * and the next poll is of all fastboxes. Returns 0; 1: a link of the queue is missing, behind which there may be
 * messages; or -EPROTO. */
int adr_job_check(struct adr_job *job);

/* ADR_ERROR_LAUNCHER: the launcher is gone, so `what` will not complete; or 0. */
int adr_job_check_launcher(struct adr_job *job, const char *what);

/* When it is time, checks which ranks are gone and reclaims, so that what they had comes back. Returns 0, or
 * -EPROTO. */
int adr_job_check_in_passing(struct adr_job *job, struct adr_stride *stride);

/* To be called when a program that asks again and again, instead of waiting, has found nothing; returns as
 * adr_job_check_in_passing. */
static inline int adr_job_pace(struct adr_job *job) {
  return adr_stride_ends(&job->pace.vain) ? adr_job_check_in_passing(job, &job->pace.vain) : 0;
}

/* To be called in each call of a program that is always at work and need not wait; returns as adr_job_check_in_passing.
 */
static inline int adr_job_pace_at_work(struct adr_job *job) {
  return ADR_UNLIKELY(adr_stride_ends(&job->pace.all)) ? adr_job_check_in_passing(job, &job->pace.all) : 0;
}
