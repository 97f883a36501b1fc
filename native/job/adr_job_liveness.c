#include "job/adr_job_liveness.h"

#include <errno.h>
#include <inttypes.h>

#include "bootstrap/adr_job_error.h"
#include "ranktable/adr_rank_table.h"

static bool is_present(struct adr_job *job, uint32_t rank) {
  return rank == job->rank || adr_rank_table_is_present(&job->ranks, rank);
}

static uint32_t state_of(struct adr_job *job, uint32_t rank) {
  return adr_rank_table_state(adr_rank_table_entry(job->segment.base, rank));
}

/* Whether a message of this rank was taken in part, and the program not told that no more of it comes. */
static bool breaks_off(const struct adr_job *job, uint32_t rank) {
  const struct adr_job_inflow *in = &job->in[rank];
  return in->received < in->total_length && !in->cut_short;
}

/* Whether a wildcard goes on without this rank, which is gone. */
static bool is_done_without(struct adr_job *job, uint32_t rank) {
  return state_of(job, rank) != ADR_RANK_FAILED || (job->acknowledged[rank] && !breaks_off(job, rank));
}

/* For a wildcard: a rank that failed might have been the one; ranks that left, or whose failure the program has
 * acknowledged, matter only when all others are gone: while this one waits, it sends itself nothing, since a job is one
 * thread's. A rank that left is named rather than one of whose failure the program knows. */
static int missing_of_any(struct adr_job *job) {
  int left = ADR_NOBODY;  /* in order */
  int known = ADR_NOBODY; /* to have failed */
  bool any_present = job->size == 1;
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (rank == job->rank) { continue; }
    if (is_present(job, rank)) {
      any_present = true;
    } else if (!is_done_without(job, rank)) {
      return (int)rank;
    } else if (state_of(job, rank) != ADR_RANK_FAILED) {
      left = (int)rank;
    } else {
      known = (int)rank;
    }
  }
  if (any_present) { return ADR_NOBODY; }
  return left == ADR_NOBODY ? known : left;
}

int adr_job_missing(struct adr_job *job, int peer) {
  if (peer == ADR_ANY) { return missing_of_any(job); }
  return is_present(job, (uint32_t)peer) ? ADR_NOBODY : peer;
}

int adr_job_missing_of_all(struct adr_job *job) {
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (!is_present(job, rank)) { return (int)rank; }
  }
  return ADR_NOBODY;
}

/* What to do, for what waits for `peer`: a rank, or any. */
static const char *advice(struct adr_job *job, int peer, int gone) {
  if (peer == ADR_ANY && gone != ADR_NOBODY) {
    if (is_done_without(job, (uint32_t)gone)) { return "no other rank is there any more"; }
    if (!job->acknowledged[gone]) {
      return "calls that do not need it go on, such waits after adr_job_acknowledge_failed_ranks";
    }
  }
  return "calls that do not need it go on";
}

int adr_job_gone_from(struct adr_job *job, int peer, int rank, const char *what) {
  const struct adr_rank_entry *entry = adr_rank_table_entry(job->segment.base, (uint32_t)rank);
  char reason[ADR_RANK_REASON_BYTES];
  adr_rank_table_reason(entry, reason);
  job->failed_rank = rank;
  return adr_fail(&job->error, ADR_ERROR_RANK_FAILED, "rank %d (process %" PRIu32 ") %s%s%s; %s cannot complete; %s",
                  rank, adr_rank_table_pid(entry),
                  state_of(job, (uint32_t)rank) == ADR_RANK_LEFT ? "has left the job" : "has failed",
                  reason[0] == 0 ? "" : ": ", reason, what, advice(job, peer, rank));
}

int adr_job_gone(struct adr_job *job, int rank, const char *what) { return adr_job_gone_from(job, rank, rank, what); }

/* Anybody's death may have broken the queue in which the one waited for has put its message: a rank that is dead is
 * marked so, whichever rank waits for it. Some in turn; in a large job all ranks together check everybody. */
static void check_others(struct adr_job *job) {
  for (uint32_t checks = 0; checks < ADR_LIVENESS_OTHERS && checks < job->size; checks++) {
    is_present(job, job->next_check);
    job->next_check = job->next_check + 1 == job->size ? 0 : job->next_check + 1;
  }
}

int adr_job_check(struct adr_job *job) {
  adr_movement_tell(&job->movement, adr_rank_table_entry(job->segment.base, job->rank));
  check_others(job);
  int status = adr_channel_reclaim(job->channel);
  return status == -EAGAIN ? 1 : status < 0 ? adr_fail_broken(&job->error, status) : 0;
}

int adr_job_check_launcher(struct adr_job *job, const char *what) {
  if (job->launcher.pid == 0 || adr_process_is_alive(job->launcher)) { return 0; }
  return adr_fail(&job->error, ADR_ERROR_LAUNCHER, "the launcher, process %" PRIu32 ", is gone; %s will not complete",
                  job->launcher.pid, what);
}

int adr_job_check_in_passing(struct adr_job *job, struct adr_stride *stride) {
  if (!adr_pace_is_time(&job->pace, stride, adr_clock_now())) { return 0; }
  int status = adr_job_check(job);
  return status < 0 ? status : 0;
}

static bool has_failed(struct adr_job *job, uint32_t rank) {
  return !is_present(job, rank) && state_of(job, rank) == ADR_RANK_FAILED;
}

static bool has_left(struct adr_job *job, uint32_t rank) {
  return !is_present(job, rank) && state_of(job, rank) == ADR_RANK_LEFT;
}

static int list(struct adr_job *job, bool (*is_listed)(struct adr_job *, uint32_t), int32_t *ranks, int most) {
  int count = 0;
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (!is_listed(job, rank)) { continue; }
    if (count < most) { ranks[count] = (int32_t)rank; }
    count++;
  }
  return count;
}

int adr_job_failed_ranks(adr_job *job, int32_t *ranks, int most) { return list(job, has_failed, ranks, most); }

int adr_job_left_ranks(adr_job *job, int32_t *ranks, int most) { return list(job, has_left, ranks, most); }

int adr_job_has_left(adr_job *job, int rank) {
  return (uint32_t)rank < job->size && has_left(job, (uint32_t)rank) ? 1 : 0;
}

static bool has_acknowledged(struct adr_job *job, uint32_t rank) { return job->acknowledged[rank]; }

int adr_job_acknowledge_failed_ranks(adr_job *job, int32_t *ranks, int most) {
  for (uint32_t rank = 0; rank < job->size; rank++) { job->acknowledged[rank] |= has_failed(job, rank); }
  return list(job, has_acknowledged, ranks, most);
}
