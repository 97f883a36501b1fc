/* What a job consists of, private to its rank. */
#pragma once

#include "adrastea/job.h"
#include "job/adr_launcher_watch.h"
#include "job/adr_pace.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_process.h"
#include "segment/adr_segment.h"
#include "shared/adr_shared.h"
#include "wait/adr_waiter.h"

#define ADR_SLEEP_MOST_NANOS INT64_C(50000000) /* the next check who is still there is not to be late */
#define ADR_SLEEP_LEAST_NAP_NANOS INT64_C(50000)
#define ADR_SLEEP_MOST_NAP_NANOS INT64_C(1000000)

#define ADR_LIVENESS_OTHERS 64u /* ranks checked beside those that are waited for */

/* The message under way from one source. */
struct adr_job_inflow {
  int64_t match;
  int64_t total_length;
  int64_t received; /* bytes; equal to the total when no message is under way */
  bool cut_short;   /* the program was told that its sender is gone */
};

/* The message under way to one destination. */
struct adr_job_outflow {
  const adr_outgoing *message; /* NULL: none */
  bool abort_due;              /* the last one was given up, which its receiver is still to be told */
};

struct adr_job {
  adr_channel *channel;
  uint32_t rank;
  uint32_t size;
  bool at_hand; /* the channel's piece at hand is described by `inbound` ... */
  bool shown;   /* ... and the caller has seen it */
  adr_inbound inbound;
  struct adr_waiter waiter;
  bool all_wake; /* every rank can wake others */
  struct adr_job_inflow *in;
  struct adr_job_outflow *out;
  uint32_t aborts_due; /* of all destinations */
  struct adr_segment segment;
  struct adr_shared *shared;
  struct adr_process launcher;      /* pid 0: none */
  struct adr_launcher_watch *watch; /* NULL: not asked for */
  uint64_t id;
  struct adr_rank_watch ranks; /* who of them is alive */
  uint32_t next_check;         /* rank that the next check of others begins with */
  struct adr_pace pace;        /* when they are to be checked in passing */
  int64_t hang_nanos;          /* after which a wait is told of; 0: none is */
  int failed_rank;
  bool *acknowledged; /* of each rank: it has failed, and a wait for anybody goes on without it */
  adr_error error;
};

/* Takes care of what is not the caller's: boxes that others want, rooms to be given back, receivers to be told of
 * messages given up. Returns 1: a piece is at hand; 0: none; or -EPROTO. */
int adr_job_progress(struct adr_job *job);

/* Begins a wait for one other rank, or ADR_ANY. */
void adr_job_begin_wait(struct adr_job *job, int32_t other);

/* A step of a wait that found something, though not what is waited for. Returns whether it is time to check that the
 * ranks waited for are still there. */
bool adr_job_go_on(struct adr_job *job);

/* A step of a wait that found nothing: spins, yields, or sleeps; returns as go_on. */
bool adr_job_rest(struct adr_job *job);

/* The end of a wait, whether what it was for is there or not. */
void adr_job_end_wait(struct adr_job *job);

/* To be called when it is time to check on a wait: tells of one that takes long, once. `call`: ADR_RANK_IN_...; `peer`
 * -1: any, or all; `tag` -1: any. */
void adr_job_tell_of_wait(struct adr_job *job, uint32_t call, int32_t peer, int32_t tag);

/* Whether what waits for `expected` can still be: 0, ADR_ERROR_RANK_FAILED or ADR_ERROR_LAUNCHER. Asked about every 100
 * ms of a wait. `what` says in words what waits. */
int adr_job_check(struct adr_job *job, int expected, const char *what);

/* When it is time, checks who is gone and reclaims, so that what they had comes back. Returns 0, or -EPROTO. */
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

/* As adr_job_check, where every rank is needed. */
int adr_job_check_all(struct adr_job *job, const char *what);

/* ADR_ERROR_RANK_FAILED: `what`, which depends on `rank`, cannot be, since that rank is gone. */
int adr_job_gone(struct adr_job *job, int rank, const char *what);

/* Tells the receivers of messages given up so, as far as there is room. */
void adr_job_flush_aborts(struct adr_job *job);

/* Fills `error` (may be NULL) and returns `code`. */
int adr_fail(adr_error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Notes an error that the channel returned. */
int adr_job_broken(struct adr_job *job, int status);
