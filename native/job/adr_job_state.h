/* What a job consists of, private to its rank. */
#pragma once

#include "adrastea/job.h"
#include "contextid/adr_slot_pool.h"
#include "job/adr_job_control.h"
#include "bootstrap/adr_launcher_watch.h"
#include "job/adr_movement.h"
#include "job/adr_pace.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_process.h"
#include "segment/adr_segment.h"
#include "shared/adr_shared.h"
#include "wait/adr_gate.h"
#include "wait/adr_wait.h"

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
  struct adr_wait wait;
  struct adr_gate gate; /* of several threads, when `wait` has it */
  struct adr_control control;
  struct adr_job_inflow *in;
  struct adr_job_outflow *out;
  uint32_t aborts_due; /* of all destinations */
  struct adr_segment segment;
  struct adr_shared *shared;
  struct adr_comm *world; /* NULL: not joined yet */
  struct adr_comm *comms; /* the others */
  struct adr_slot_pool slots;
  struct adr_process launcher;      /* pid 0: none */
  struct adr_launcher_watch *watch; /* NULL: not asked for */
  uint64_t id;
  struct adr_rank_watch ranks; /* which of them are alive */
  uint32_t next_check;         /* rank that the next check of others begins with */
  struct adr_pace pace;        /* when they are to be checked in passing */
  struct adr_movement movement;
  int failed_rank;
  bool *acknowledged; /* of each rank: it has failed, and a wait for anybody goes on without it */
  adr_error error;
};
