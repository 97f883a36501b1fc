/* Receiving, and what happens by the way; see adrastea/job.h. */
#include <errno.h>
#include <inttypes.h>

#include "job/adr_job_error.h"
#include "job/adr_job_state.h"
#include "ranktable/adr_rank_table.h"

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
  return open && (uint64_t)piece->length <= in->total_length - in->received;
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
      .total_length = first ? (uint64_t)piece->total_length : in->total_length,
      .offset = first ? 0 : in->received,
      .length = (uint64_t)piece->length,
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
    *in = (struct adr_job_inflow){.match = piece->match, .total_length = (uint64_t)piece->total_length};
  } else if (piece->kind == ADR_PIECE_ABORT) {
    *in = (struct adr_job_inflow){0};
  }
  in->received += (uint64_t)piece->length;
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
