/* What a job consists of, private to its rank. */
#ifndef ADR_JOB_STATE_H
#define ADR_JOB_STATE_H

#include "adrastea/job.h"
#include "job/adr_launcher_watch.h"
#include "segment/adr_process.h"
#include "segment/adr_segment.h"
#include "shared/adr_shared.h"
#include "wait/adr_waiter.h"

/* The message under way from one source. */
struct adr_job_inflow {
  int64_t match;
  uint64_t total_length;
  uint64_t received; /* bytes; equal to the total when no message is under way */
};

/* The message under way to one destination. */
struct adr_job_outflow {
  const adr_outgoing *message; /* NULL: none */
  bool abort_due; /* the last one was given up, which its receiver is still to be told */
};

struct adr_job {
  adr_channel *channel;
  uint32_t rank;
  uint32_t size;
  bool at_hand; /* the channel's piece at hand is described by `inbound` ... */
  bool shown;   /* ... and the caller has seen it */
  adr_inbound inbound;
  struct adr_waiter waiter;
  struct adr_job_inflow *in;
  struct adr_job_outflow *out;
  uint32_t aborts_due; /* of all destinations */
  struct adr_segment segment;
  struct adr_shared *shared;
  struct adr_process launcher; /* pid 0: none */
  struct adr_launcher_watch *watch; /* NULL: not asked for */
  uint64_t id;
  uint64_t pid_namespace;
  int failed_rank;
  adr_error error;
};

/* Takes care of what is not the caller's: boxes that others want, rooms to be given back, receivers to be told of messages
 * given up. Returns 1: a piece is at hand; 0: none; or -EPROTO. */
int adr_job_progress(struct adr_job *job);

/* Whether what waits for `expected` can still be: 0, ADR_ERROR_RANK_FAILED or ADR_ERROR_LAUNCHER. Asked about every 100 ms of
 * a wait. `what` says in words what waits. */
int adr_job_check(struct adr_job *job, int expected, const char *what);

/* The same where every rank is needed. */
int adr_job_check_all(struct adr_job *job, const char *what);

/* Tells the receivers of messages given up so, as far as there is room. */
void adr_job_flush_aborts(struct adr_job *job);

/* Notes an error that the channel returned. */
int adr_job_broken(struct adr_job *job, int status);

#endif
