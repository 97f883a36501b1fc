/* Messages of a C program, see adrastea/job.h: sending and receiving. */
#include <errno.h>
#include <inttypes.h>

#include "job/adr_job_state.h"
#include "ranktable/adr_rank_table.h"

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
  return adr_fail(&job->error, -EINVAL, "%" PRId64 " bytes at %p; allowed are 0 to 2^63 - 1, and NULL only for 0",
                  message->bytes, message->buffer);
}

static bool is_allowed(const struct adr_job *job, const adr_outgoing *message) {
  return (uint32_t)message->destination < job->size && (message->match & INT64_C(0x80000000)) == 0
         && message->bytes >= 0 && message->sent >= 0 && message->sent <= message->bytes
         && (message->buffer != NULL || message->bytes == 0);
}

/* Sends pieces until all is sent (1), or there is no room (0). */
static int push(struct adr_job *job, adr_outgoing *message) {
  const void *buffer = message->buffer == NULL ? "" : message->buffer;
  while (!message->begun || message->sent < message->bytes) {
    int32_t kind = message->begun ? ADR_PIECE_NEXT : ADR_PIECE_FIRST;
    int32_t taken = adr_channel_try_send(job->channel, message->destination, kind, message->match, message->bytes,
                                         buffer, message->sent, message->bytes - message->sent);
    if (taken == -ESRCH) { return adr_job_gone(job, message->destination, "a send"); }
    if (taken < 0) { return taken == -EAGAIN ? 0 : adr_job_broken(job, taken); }
    message->begun = 1;
    message->sent += taken;
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
                    "another message of %" PRId64 " bytes is on its way to rank %" PRId32
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
                  "rank %" PRIu32 " sends itself %" PRId64 " bytes, for which there is no room while it waits; "
                  "receive first, or use adr_try_send",
                  job->rank, message->bytes);
}

/* Waits for room, piece by piece. */
static int send_rest(struct adr_job *job, adr_outgoing *message) {
  int status = 0;
  while (status == 0) {
    int64_t before = message->sent;
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

int adr_send(adr_job *job, int destination, int64_t match, const void *buffer, int64_t bytes) {
  adr_outgoing message = {.destination = destination, .match = match, .buffer = buffer, .bytes = bytes};
  int status = adr_try_send(job, &message);
  if (status != 0) { return status < 0 ? status : 0; }
  adr_job_begin_wait(job, (int32_t)destination);
  status = send_rest(job, &message);
  adr_job_end_wait(job);
  if (status < 0 && job->out[destination].message == &message) { adr_cancel_send(job, &message); }
  return status;
}

/* Rank `source` wants a fastbox to this one: it gets it, or learns that there is no room for it. */
static int serve_box(struct adr_job *job, int64_t source) {
  int status = adr_segment_reserve_box(&job->segment, job->rank, (uint32_t)source);
  return status < 0 ? adr_channel_refuse_box(job->channel, (int32_t)source)
                    : adr_channel_open_box(job->channel, (int32_t)source);
}

int adr_job_progress(struct adr_job *job) {
  int status;
  while ((status = adr_channel_poll(job->channel, -1, &job->inbound)) == ADR_POLL_WANTED) {
    status = serve_box(job, job->inbound.source);
    if (status < 0) { return adr_job_broken(job, status); }
  }
  job->at_hand = status == ADR_POLL_PIECE;
  if (ADR_UNLIKELY(job->aborts_due != 0)) { adr_job_flush_aborts(job); }
  if (status < 0 && status != -EAGAIN) { return adr_job_broken(job, status); }
  return job->at_hand;
}

/* Whether a piece is what can come next from its source. */
static bool fits(const struct adr_job_inflow *in, const adr_inbound *piece) {
  bool open = in->received < in->total_length;
  if (piece->kind == ADR_PIECE_FIRST) { return !open; }
  return open && piece->length <= in->total_length - in->received;
}

static int show(struct adr_job *job, adr_message *message) {
  const adr_inbound *piece = &job->inbound;
  const struct adr_job_inflow *in = &job->in[piece->source];
  if (ADR_UNLIKELY(!fits(in, piece))) {
    return adr_fail(&job->error, ADR_CORRUPT,
                    "rank %" PRId64 " sent a piece of kind %" PRId64 " out of turn; it is broken or of "
                    "another version",
                    piece->source, piece->kind);
  }
  bool first = piece->kind == ADR_PIECE_FIRST;
  *message = (adr_message){
      .source = (int32_t)piece->source,
      .kind = (int32_t)piece->kind,
      .match = first ? piece->match : in->match,
      .total_length = first ? piece->total_length : in->total_length,
      .offset = first ? 0 : in->received,
      .length = piece->length,
      .payload = job->segment.base + piece->payload,
  };
  job->shown = true;
  return 1;
}

int adr_poll(adr_job *job, adr_message *message) {
  int status = adr_job_pace_at_work(job);
  if (status == 0) { status = adr_job_progress(job); }
  if (status == 0) { status = adr_job_pace(job); }
  return status == 1 ? show(job, message) : status;
}

/* Notes how far the message under way has come. */
static void advance(struct adr_job_inflow *in, const adr_inbound *piece) {
  if (piece->kind == ADR_PIECE_FIRST) {
    *in = (struct adr_job_inflow){.match = piece->match, .total_length = piece->total_length};
  } else if (piece->kind == ADR_PIECE_ABORT) {
    *in = (struct adr_job_inflow){0};
  }
  in->received += piece->length;
}

int adr_release(adr_job *job) {
  if (!job->at_hand || !job->shown) {
    return adr_fail(&job->error, -EINVAL,
                    "no piece to release: adr_poll or adr_wait finds one, and each is released once");
  }
  advance(&job->in[job->inbound.source], &job->inbound);
  job->at_hand = false;
  job->shown = false;
  int status = adr_channel_release(job->channel);
  return status < 0 ? adr_job_broken(job, status) : 0;
}

static int wait_for_piece(struct adr_job *job, int expected, adr_message *message) {
  int status;
  while ((status = adr_poll(job, message)) == 0) {
    if (!adr_job_rest(job)) { continue; }
    adr_job_tell_of_wait(job, ADR_RANK_IN_RECEIVE, expected, -1);
    int gone = adr_job_check(job, expected, "a wait");
    if (gone < 0) {
      status = adr_poll(job, message); /* what it sent before its end is there by now */
      if (status == 0 && gone == ADR_ERROR_RANK_FAILED) { job->in[job->failed_rank].cut_short = true; }
      return status != 0 ? status : gone;
    }
    if (adr_waiter_is_over_limit(&job->waiter)) { return adr_poll(job, message); }
  }
  return status;
}

static int refuse_rank(struct adr_job *job, int rank) {
  return adr_fail(&job->error, -EINVAL, "rank %d; allowed are 0 to %" PRIu32 ", and ADR_ANY (-1)", rank, job->size - 1);
}

static bool is_rank_or_any(const struct adr_job *job, int rank) {
  return rank == ADR_ANY || (uint32_t)rank < job->size;
}

int adr_wait_within(adr_job *job, int expected, int64_t nanos, adr_message *message) {
  if (!is_rank_or_any(job, expected)) { return refuse_rank(job, expected); }
  if (nanos < 0) {
    return adr_fail(&job->error, -EINVAL, "a time limit of %" PRId64 " nanoseconds; allowed are 0 and more", nanos);
  }
  adr_job_begin_wait(job, expected);
  adr_waiter_limit(&job->waiter, nanos);
  int status = wait_for_piece(job, expected, message);
  adr_waiter_limit_at(&job->waiter, ADR_WAITER_NO_LIMIT);
  adr_job_end_wait(job);
  return status;
}

int adr_wait(adr_job *job, int expected, adr_message *message) {
  if (!is_rank_or_any(job, expected)) { return refuse_rank(job, expected); }
  adr_job_begin_wait(job, expected);
  int status = wait_for_piece(job, expected, message);
  adr_job_end_wait(job);
  return status;
}
