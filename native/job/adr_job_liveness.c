/* Whether those that a wait depends on are still there. Twin of io.adrastea.engine.Liveness. */
#include <inttypes.h>

#include "job/adr_job_error.h"
#include "job/adr_job_state.h"
#include "ranktable/adr_rank_table.h"

enum { NONE = -1 };

static bool is_present(struct adr_job *job, uint32_t rank) {
  return adr_rank_table_is_present(job->segment.base, rank, job->pid_namespace);
}

static uint32_t state_of(struct adr_job *job, uint32_t rank) {
  return adr_rank_table_state(adr_rank_table_entry(job->segment.base, rank));
}

/* For a wildcard: a rank that failed might have been the one; ranks that left matter only when all others have. */
static int missing_of_any(struct adr_job *job) {
  int gone = NONE;
  bool any_present = job->size == 1;
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (rank == job->rank) { continue; }
    if (is_present(job, rank)) {
      any_present = true;
    } else if (state_of(job, rank) == ADR_RANK_FAILED) {
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

static int failure(struct adr_job *job, int rank, const char *what) {
  const struct adr_rank_entry *entry = adr_rank_table_entry(job->segment.base, (uint32_t)rank);
  job->failed_rank = rank;
  return adr_fail(&job->error, ADR_ERROR_RANK_FAILED, "rank %d (process %" PRIu32 ") %s; %s cannot complete", rank,
                  adr_rank_table_pid(entry), state_of(job, (uint32_t)rank) == ADR_RANK_LEFT ? "has left the job" : "has failed", what);
}

static int check(struct adr_job *job, int gone, const char *what) {
  adr_channel_reclaim(job->channel); /* fastboxes of those who left; and the next look is at all of them */
  if (gone != NONE) { return failure(job, gone, what); }
  if (job->launcher.pid != 0 && !adr_process_is_alive(job->launcher)) {
    return adr_fail(&job->error, ADR_ERROR_LAUNCHER, "the launcher, process %" PRIu32 ", is gone; %s will not complete",
                    job->launcher.pid, what);
  }
  return 0;
}

int adr_job_check(struct adr_job *job, int expected, const char *what) { return check(job, missing(job, expected), what); }

int adr_job_check_all(struct adr_job *job, const char *what) { return check(job, missing_of_all(job), what); }
