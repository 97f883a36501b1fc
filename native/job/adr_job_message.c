/* Messages of a C program, see adrastea/job.h: sending and receiving. */
#include <errno.h>
#include <inttypes.h>

#include "bootstrap/adr_job_error.h"
#include "job/adr_job_liveness.h"
#include "job/adr_job_progress.h"

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
    if (taken < 0) { return taken == -EAGAIN ? 0 : adr_fail_broken(&job->error, taken); }
    message->begun = 1;
    message->sent += taken;
  }
  return 1;
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
  status = out->abort_due ? adr_job_push_abort(job, (uint32_t)message->destination) : 1;
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
  adr_job_push_abort(job, (uint32_t)message->destination);
  return 0;
}

static int fail_to_itself(struct adr_job *job, const adr_outgoing *message) {
  return adr_fail(&job->error, -EDEADLK,
                  "rank %" PRIu32 " sends itself %" PRId64 " bytes, for which there is no room while it waits; "
                  "receive first, or use adr_try_send",
                  job->rank, message->bytes);
}

/* Room for the rest of a message, piece by piece. */
struct rest {
  struct adr_job *job;
  adr_outgoing *message;
};

static int is_sent(void *subject, int32_t polls) {
  (void)polls;
  struct rest *rest = subject;
  adr_outgoing *message = rest->message;
  int64_t before = message->sent;
  int status = adr_job_progress(rest->job);
  if (status >= 0) { status = adr_try_send(rest->job, message); }
  if (status != 0) { return status < 0 ? status : ADR_MET; }
  if (message->sent != before) { return ADR_MOVED; }
  return (uint32_t)message->destination == rest->job->rank ? fail_to_itself(rest->job, message) : ADR_UNMET;
}

static int missing_of_send(void *subject) {
  struct rest *rest = subject;
  return adr_job_missing(rest->job, rest->message->destination);
}

static int fail_send(void *subject, int gone) { return adr_job_gone(((struct rest *)subject)->job, gone, "a send"); }

static int64_t moves_of_send(const void *subject) { return ((const struct rest *)subject)->message->sent; }

static struct adr_waiting waiting_to_send(const void *subject) {
  const adr_outgoing *message = ((const struct rest *)subject)->message;
  return (struct adr_waiting){ADR_RANK_IN_SEND, message->destination, (int32_t)message->match};
}

static const struct adr_condition all_is_sent = {.is_met = is_sent,
                                                 .missing = missing_of_send,
                                                 .fail = fail_send,
                                                 .moves = moves_of_send,
                                                 .waiting = waiting_to_send,
                                                 .what = "a send",
                                                 .moves_on = true};

int adr_send(adr_job *job, int destination, int64_t match, const void *buffer, int64_t bytes) {
  adr_outgoing message = {.destination = destination, .match = match, .buffer = buffer, .bytes = bytes};
  int status = adr_try_send(job, &message);
  if (status != 0) { return status < 0 ? status : 0; }
  status = adr_wait_for(&job->wait, (int32_t)destination, &all_is_sent, &(struct rest){job, &message});
  if (status < 0 && job->out[destination].message == &message) { adr_cancel_send(job, &message); }
  return status < 0 ? status : 0;
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
  if (status == 0) { status = adr_control_tell(&job->control, &job->error); }
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
  return status < 0 ? adr_fail_broken(&job->error, status) : 0;
}

/* The next piece, whose waiting ends with the end of `expected`. */
struct next {
  struct adr_job *job;
  int expected;
  adr_message *message;
};

static int is_there(void *subject, int32_t polls) {
  (void)polls;
  struct next *next = subject;
  return adr_poll(next->job, next->message);
}

static int missing_of_next(void *subject) {
  struct next *next = subject;
  return adr_job_missing(next->job, next->expected);
}

static int fail_next(void *subject, int gone) {
  struct next *next = subject;
  int status = adr_job_gone_from(next->job, next->expected, gone, "a wait");
  next->job->in[gone].cut_short = true; /* from now on the program knows, and was told what to do */
  return status;
}

static struct adr_waiting waiting_for_next(const void *subject) {
  return (struct adr_waiting){ADR_RANK_IN_RECEIVE, ((const struct next *)subject)->expected, -1};
}

static const struct adr_condition piece_is_there = {.is_met = is_there,
                                                    .missing = missing_of_next,
                                                    .fail = fail_next,
                                                    .waiting = waiting_for_next,
                                                    .what = "a wait",
                                                    .moves_on = true};

static int wait_for_piece(struct adr_job *job, int expected, adr_message *message) {
  return adr_wait_for(&job->wait, expected, &piece_is_there, &(struct next){job, expected, message});
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
  adr_waiter_limit(&job->wait.waiter, nanos);
  int status = wait_for_piece(job, expected, message);
  adr_waiter_limit_at(&job->wait.waiter, ADR_WAITER_NO_LIMIT);
  return status;
}

int adr_wait(adr_job *job, int expected, adr_message *message) {
  if (!is_rank_or_any(job, expected)) { return refuse_rank(job, expected); }
  return wait_for_piece(job, expected, message);
}
