/* Barriers, see adrastea/job.h and adrastea/comm.h: in the communicator's slot, or that of all ranks by the counter in
 * the segment's header, whose wait is the twin of io.adrastea.engine.BarrierWait. */
#include <errno.h>

#include "job/adr_comm_state.h"
#include "bootstrap/adr_job_error.h"
#include "job/adr_job_liveness.h"

static int is_met(void *subject, int32_t polls) {
  struct adr_job *job = subject;
  int status = adr_channel_barrier_wait(job->channel, polls);
  if (status == -EAGAIN) { return ADR_UNMET; }
  return status < 0 ? adr_fail_broken(&job->error, status) : ADR_MET;
}

static int missing(void *subject) { return adr_job_missing_of_all(subject); }

static int fail(void *subject, int gone) { return adr_job_gone(subject, gone, "a barrier"); }

static struct adr_waiting waiting(const void *subject) {
  (void)subject;
  return (struct adr_waiting){.call = ADR_RANK_IN_BARRIER, .peer = ADR_ANY, .tag = 0};
}

/* A rank that is gone may have passed the barrier before it left, so the signal is asked once more. What moves on
 * meanwhile is room for the ranks that still have something to send. */
static const struct adr_condition all_are_there = {
    .is_met = is_met, .missing = missing, .fail = fail, .waiting = waiting, .what = "a barrier"};

static int meet_by_counter(struct adr_job *job) {
  int status = adr_job_pace_at_work(job);
  if (status < 0) { return status; }
  status = adr_channel_barrier_arrive(job->channel);
  if (status < 0) { return adr_fail_broken(&job->error, status); }
  status = adr_wait_for_all(&job->wait, &all_are_there, job);
  return status < 0 ? status : 0;
}

int adr_comm_barrier(adr_comm *comm) {
  const int is_world = comm->link == NULL;
  if (is_world && (adr_load_once_u32(&comm->slot.memory->choices) & ADR_SLOT_COUNTER_BARRIER) != 0) {
    return meet_by_counter(comm->job);
  }
  return adr_comm_run(comm, (struct adr_comm_call){.kind = ADR_COLL_BARRIER});
}

int adr_barrier(adr_job *job) { return adr_comm_barrier(job->world); }
