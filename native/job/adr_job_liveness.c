/* Whether those that a wait depends on are still there. Twin of io.adrastea.engine.failure.Liveness. */
#include <errno.h>
#include <inttypes.h>

#include "job/adr_job_state.h"
#include "ranktable/adr_rank_table.h"

enum { NONE = -1 };

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
 * thread's. */
static int missing_of_any(struct adr_job *job) {
  int gone = NONE;
  bool any_present = job->size == 1;
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (rank == job->rank) { continue; }
    if (is_present(job, rank)) {
      any_present = true;
    } else if (!is_done_without(job, rank)) {
      return (int)rank;
    } else {
      gone = (int)rank;
    }
  }
  return any_present ? NONE : gone;
}

/* The rank whose absence keeps something with this peer from ever completing; NONE: there is none. */
static int missing(struct adr_job *job, int peer) {
  if (peer == ADR_ANY) { return missing_of_any(job); }
  return is_present(job, (uint32_t)peer) ? NONE : peer;
}

static int missing_of_all(struct adr_job *job) {
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (!is_present(job, rank)) { return (int)rank; }
  }
  return NONE;
}

/* What to do, for what waits for `peer`: a rank, or any. */
static const char *advice(struct adr_job *job, int peer, int gone) {
  if (peer == ADR_ANY && gone != NONE) {
    if (is_done_without(job, (uint32_t)gone)) { return "no other rank is there any more"; }
    if (!job->acknowledged[gone]) {
      return "calls that do not need it go on, such waits after adr_job_acknowledge_failed_ranks";
    }
  }
  return "calls that do not need it go on";
}

static int gone_from(struct adr_job *job, int rank, const char *what, const char *rest) {
  const struct adr_rank_entry *entry = adr_rank_table_entry(job->segment.base, (uint32_t)rank);
  char reason[ADR_RANK_REASON_BYTES];
  adr_rank_table_reason(entry, reason);
  job->failed_rank = rank;
  return adr_fail(&job->error, ADR_ERROR_RANK_FAILED, "rank %d (process %" PRIu32 ") %s%s%s; %s cannot complete; %s",
                  rank, adr_rank_table_pid(entry),
                  state_of(job, (uint32_t)rank) == ADR_RANK_LEFT ? "has left the job" : "has failed",
                  reason[0] == 0 ? "" : ": ", reason, what, rest);
}

int adr_job_gone(struct adr_job *job, int rank, const char *what) {
  return gone_from(job, rank, what, advice(job, rank, rank));
}

/* Anybody's death may have broken the queue in which the one waited for has put its message: who is dead is marked so,
 * whoever waits for it. Some in turn; in a large job all ranks together check everybody. */
static void check_others(struct adr_job *job) {
  for (uint32_t checks = 0; checks < ADR_LIVENESS_OTHERS && checks < job->size; checks++) {
    is_present(job, job->next_check);
    job->next_check = job->next_check + 1 == job->size ? 0 : job->next_check + 1;
  }
}

/* Checks who is gone, and sees to what they left: queues, cells and fastboxes; and the next poll is of all fastboxes.
 * Returns 0; 1: a link of the queue is missing, behind which there may be messages; or an error. */
static int check_and_reclaim(struct adr_job *job) {
  check_others(job);
  int status = adr_channel_reclaim(job->channel);
  return status == -EAGAIN ? 1 : status < 0 ? adr_job_broken(job, status) : 0;
}

int adr_job_check_in_passing(struct adr_job *job, struct adr_stride *stride) {
  if (!adr_pace_is_time(&job->pace, stride, adr_waiter_now())) { return 0; }
  int status = check_and_reclaim(job);
  return status < 0 ? status : 0;
}

static int check(struct adr_job *job, int peer, int gone, const char *what) {
  int status = check_and_reclaim(job);
  if (status < 0) { return status; }
  bool all_is_in = status == 0; /* else the last message of who is gone may still come */
  if (gone != NONE && all_is_in) { return gone_from(job, gone, what, advice(job, peer, gone)); }
  if (job->launcher.pid != 0 && !adr_process_is_alive(job->launcher)) {
    return adr_fail(&job->error, ADR_ERROR_LAUNCHER, "the launcher, process %" PRIu32 ", is gone; %s will not complete",
                    job->launcher.pid, what);
  }
  return 0;
}

int adr_job_check(struct adr_job *job, int expected, const char *what) {
  return check(job, expected, missing(job, expected), what);
}

int adr_job_check_all(struct adr_job *job, const char *what) {
  int gone = missing_of_all(job);
  return check(job, gone, gone, what);
}

static bool has_failed(struct adr_job *job, uint32_t rank) {
  return !is_present(job, rank) && state_of(job, rank) == ADR_RANK_FAILED;
}

int adr_job_failed_ranks(adr_job *job, int32_t *ranks, int most) {
  int count = 0;
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (!has_failed(job, rank)) { continue; }
    if (count < most) { ranks[count] = (int32_t)rank; }
    count++;
  }
  return count;
}

int adr_job_acknowledge_failed_ranks(adr_job *job, int32_t *ranks, int most) {
  for (uint32_t rank = 0; rank < job->size; rank++) { job->acknowledged[rank] |= has_failed(job, rank); }
  int count = 0;
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (!job->acknowledged[rank]) { continue; }
    if (count < most) { ranks[count] = (int32_t)rank; }
    count++;
  }
  return count;
}
