/* Sending, see adrastea/job.h. */
#include <errno.h>
#include <inttypes.h>

#include "job/adr_job_error.h"
#include "job/adr_job_state.h"

static int refuse(struct adr_job *job, const adr_outgoing *message) {
  if ((uint32_t)message->destination >= job->size) {
    return adr_fail(&job->error, -EINVAL, "destination %" PRId32 "; allowed are 0 to %" PRIu32, message->destination,
                    job->size - 1);
  }
  if ((message->match & INT64_C(0x80000000)) != 0) {
    return adr_fail(&job->error, -EINVAL,
                    "match %#" PRIx64 " has a negative tag; allowed are tags from 0 to 2147483647",
                    (uint64_t)message->match);
  }
  return adr_fail(&job->error, -EINVAL, "%" PRIu64 " bytes at %p; allowed are 0 to 2^63 - 1, and NULL only for 0",
                  message->bytes, message->buffer);
}

static bool is_allowed(const struct adr_job *job, const adr_outgoing *message) {
  return (uint32_t)message->destination < job->size && (message->match & INT64_C(0x80000000)) == 0
         && message->bytes <= INT64_MAX && message->sent <= message->bytes
         && (message->buffer != NULL || message->bytes == 0);
}

/* Sends pieces until all is sent (1), or there is no room (0). */
static int push(struct adr_job *job, adr_outgoing *message) {
  const void *buffer = message->buffer == NULL ? "" : message->buffer;
  while (!message->begun || message->sent < message->bytes) {
    int32_t kind = message->begun ? ADR_PIECE_NEXT : ADR_PIECE_FIRST;
    int32_t taken =
        adr_channel_try_send(job->channel, message->destination, kind, message->match, (int64_t)message->bytes, buffer,
                             (int64_t)message->sent, (int64_t)(message->bytes - message->sent));
    if (taken == -ESRCH) { return adr_job_gone(job, message->destination, "a send"); }
    if (taken < 0) { return taken == -EAGAIN ? 0 : adr_job_broken(job, taken); }
    message->begun = 1;
    message->sent += (uint64_t)taken;
  }
  return 1;
}

/* Tells the receiver, if there still is one, that no more of a message comes. 1: done; 0: no room. */
static int push_abort(struct adr_job *job, uint32_t destination) {
  int32_t status = adr_channel_try_send(job->channel, (int32_t)destination, ADR_PIECE_ABORT, 0, 0, "", 0, 0);
  if (status < 0 && status != -ESRCH) { return status == -EAGAIN ? 0 : adr_job_broken(job, status); }
  job->out[destination].abort_due = false;
  job->aborts_due--;
  return 1;
}

void adr_job_flush_aborts(struct adr_job *job) {
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (job->out[rank].abort_due) { push_abort(job, rank); }
  }
}

int adr_try_send(adr_job *job, adr_outgoing *message) {
  if (!is_allowed(job, message)) { return refuse(job, message); }
  int status = adr_job_pace_at_work(job);
  if (status < 0) { return status; }
  struct adr_job_outflow *out = &job->out[message->destination];
  if (out->message != NULL && out->message != message) {
    return adr_fail(&job->error, -EBUSY,
                    "another message of %" PRIu64 " bytes is on its way to rank %" PRId32
                    "; call adr_try_send with that one until it returns 1, or adr_cancel_send",
                    out->message->bytes, message->destination);
  }
  status = out->abort_due ? push_abort(job, (uint32_t)message->destination) : 1;
  if (status == 1) { status = push(job, message); }
  out->message = status == 0 && message->begun ? message : NULL;
  return status == 0 ? adr_job_pace(job) : status;
}

int adr_cancel_send(adr_job *job, adr_outgoing *message) {
  if (!is_allowed(job, message) || job->out[message->destination].message != message) {
    return adr_fail(&job->error, -EINVAL, "this message is not on its way: nothing of it has been sent, or all");
  }
  job->out[message->destination].message = NULL;
  job->out[message->destination].abort_due = true;
  job->aborts_due++;
  push_abort(job, (uint32_t)message->destination);
  return 0;
}

static int fail_to_itself(struct adr_job *job, const adr_outgoing *message) {
  return adr_fail(&job->error, -EDEADLK,
                  "rank %" PRIu32 " sends itself %" PRIu64 " bytes, for which there is no room while it waits; "
                  "receive first, or use adr_try_send",
                  job->rank, message->bytes);
}

/* Waits for room, piece by piece. */
static int send_rest(struct adr_job *job, adr_outgoing *message) {
  int status = 0;
  while (status == 0) {
    uint64_t before = message->sent;
    status = adr_job_progress(job);
    if (status >= 0) { status = adr_try_send(job, message); }
    if (status != 0) { break; }
    if ((uint32_t)message->destination == job->rank && message->sent == before) { return fail_to_itself(job, message); }
    bool check = message->sent != before ? adr_job_go_on(job) : adr_job_rest(job);
    if (!check) { continue; }
    adr_job_tell_of_wait(job, ADR_RANK_IN_SEND, message->destination, (int32_t)message->match);
    status = adr_job_check(job, message->destination, "a send");
  }
  return status < 0 ? status : 0;
}

int adr_send(adr_job *job, int destination, int64_t match, const void *buffer, uint64_t bytes) {
  adr_outgoing message = {.destination = destination, .match = match, .buffer = buffer, .bytes = bytes};
  int status = adr_try_send(job, &message);
  if (status != 0) { return status < 0 ? status : 0; }
  adr_job_begin_wait(job, (int32_t)destination);
  status = send_rest(job, &message);
  adr_job_end_wait(job);
  if (status < 0 && job->out[destination].message == &message) { adr_cancel_send(job, &message); }
  return status;
}
