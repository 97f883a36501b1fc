#include "job/adr_job_progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "job/adr_job_decline.h"
#include "bootstrap/adr_job_error.h"
#include "job/adr_job_liveness.h"
#include "ranktable/adr_rank_table.h"

int adr_job_push_abort(struct adr_job *job, uint32_t destination) {
  int32_t status = adr_channel_try_send(job->channel, (int32_t)destination, ADR_PIECE_ABORT, 0, 0, "", 0, 0);
  if (status < 0 && status != -ESRCH) { return status == -EAGAIN ? 0 : adr_fail_broken(&job->error, status); }
  job->out[destination].abort_due = false;
  job->aborts_due--;
  return 1;
}

static void flush_aborts(struct adr_job *job) {
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (job->out[rank].abort_due) { adr_job_push_abort(job, rank); }
  }
}

void adr_job_flush(struct adr_job *job) {
  flush_aborts(job);
  adr_control_flush(&job->control, job->channel);
}

/* Rank `source` wants a fastbox to this one: it gets it, or learns that there is no room for it. */
static int serve_box(struct adr_job *job, int64_t source) {
  int status = adr_segment_reserve_box(&job->segment, job->rank, (uint32_t)source);
  return status < 0 ? adr_channel_refuse_box(job->channel, (int32_t)source)
                    : adr_channel_open_box(job->channel, (int32_t)source);
}

/* Whether the piece at hand belongs to no communicator, or is offered by rendezvous: not the program's. */
static bool is_between_ranks(const adr_inbound *piece) {
  return piece->kind == ADR_PIECE_FIRST && ((uint64_t)piece->match & ADR_MATCH_TRANSFER) != 0;
}

/* Takes in what ranks tell each other: 1; 0: there is no room for an answer now, it stays; or an error. */
static int take_in(struct adr_job *job) {
  const adr_inbound *piece = &job->inbound;
  if (!adr_control_has_room(&job->control)) { return 0; }
  if (piece->length != piece->total_length) {
    return adr_fail(&job->error, ADR_CORRUPT, "rank %" PRId64 " sent a control message of %" PRId64 " bytes",
                    piece->source, piece->total_length);
  }
  const void *payload = job->segment.base + piece->payload;
  uint32_t source = (uint32_t)piece->source;
  int status = adr_control_is(piece->match)
                   ? adr_control_hand(&job->control, job, source, piece->match, payload, (uint64_t)piece->length)
                   : adr_job_decline(job, source, payload, (uint64_t)piece->length);
  if (status == 0) { status = adr_channel_release(job->channel); }
  if (status == ADR_CORRUPT) {
    return adr_fail(&job->error, status,
                    "rank %" PRIu32 " sent a malformed control message; it is broken or of another "
                    "version",
                    source);
  }
  return status < 0 ? adr_fail_broken(&job->error, status) : 1;
}

/* 1: a piece of the program is at hand; 0: there is none; or an error. */
static int poll_one(struct adr_job *job) {
  int status;
  while ((status = adr_channel_poll(job->channel, -1, &job->inbound)) == ADR_POLL_WANTED) {
    status = serve_box(job, job->inbound.source);
    if (status < 0) { break; }
  }
  if (status == -EAGAIN) { return 0; }
  return status < 0 ? adr_fail_broken(&job->error, status) : 1;
}

int adr_job_progress(struct adr_job *job) {
  int status = poll_one(job);
  while (status == 1 && ADR_UNLIKELY(is_between_ranks(&job->inbound))) {
    status = take_in(job);
    if (status == 1) { status = poll_one(job); }
  }
  job->at_hand = status == 1;
  if (ADR_UNLIKELY(job->aborts_due != 0)) { flush_aborts(job); }
  if (ADR_UNLIKELY(!adr_control_is_idle(&job->control)) && status >= 0) {
    int flushed = adr_control_flush(&job->control, job->channel);
    if (flushed < 0) { return adr_fail_broken(&job->error, flushed); }
  }
  return status;
}

/* Waits */

static int step(void *owner) { return adr_job_progress(owner); }

static int check(void *owner) { return adr_job_check(owner); }

static int over(void *owner, const char *what) { return adr_job_check_launcher(owner, what); }

enum { WORDS = 96 };

/* Says what a rank waits for in the words of io.adrastea.ranktable.Waiting. */
static void say(char words[WORDS], struct adr_waiting waiting) {
  char rank[24], tagged[24];
  if (waiting.peer < 0) {
    snprintf(rank, sizeof rank, "any rank");
  } else {
    snprintf(rank, sizeof rank, "rank %" PRId32, waiting.peer);
  }
  if (waiting.tag < 0) {
    snprintf(tagged, sizeof tagged, "any tag");
  } else {
    snprintf(tagged, sizeof tagged, "tag %" PRId32, waiting.tag);
  }
  switch (waiting.call) {
  case ADR_RANK_IN_RECEIVE:
    snprintf(words, WORDS, "in a receive from %s with %s", rank, tagged);
    break;
  case ADR_RANK_IN_SEND:
    snprintf(words, WORDS, "in a send to %s with %s", rank, tagged);
    break;
  case ADR_RANK_IN_MEMORY:
    snprintf(words, WORDS, "for what %s writes to shared memory", rank);
    break;
  case ADR_RANK_IN_COLLECTIVE:
    snprintf(words, WORDS, "in a collective, for %s", rank);
    break;
  case ADR_RANK_IN_WINDOW:
    snprintf(words, WORDS, "in an epoch of a window, for %s", rank);
    break;
  default:
    snprintf(words, WORDS, "at the barrier, for all other ranks");
    break;
  }
}

static struct adr_rank_entry *own_entry(struct adr_job *job) {
  return adr_rank_table_entry(job->segment.base, job->rank);
}

/* Tells of the wait in the rank table until it is over or something moves: there a launcher finds out whether ranks
 * wait for each other. */
static void tell(void *owner, struct adr_waiting waiting, bool anew) {
  struct adr_job *job = owner;
  int32_t ender = waiting.call == ADR_RANK_IN_RECEIVE
                      ? ADR_ANY
                      : waiting.peer; /* a piece of any rank ends it, not only one of the rank that is expected */
  adr_movement_tell_wait(&job->movement, own_entry(job), adr_rank_waiting(waiting.call, ender, waiting.tag), anew);
}

/* Prints the wait to standard error. */
static void print(void *owner, struct adr_waiting waiting) {
  struct adr_job *job = owner;
  char words[WORDS];
  say(words, waiting);
  fprintf(stderr, "adrastea: rank %" PRIu32 " has been waiting for %" PRId64 " s %s (ADRASTEA_HANG_REPORT)\n",
          job->rank, job->wait.hang_nanos / INT64_C(1000000000), words);
}

static void forget(void *owner) { adr_rank_table_tell(own_entry(owner), 0); }

static int64_t announce_sleep(void *owner) { return adr_channel_announce_sleep(((struct adr_job *)owner)->channel); }

static void sleep_on(void *owner, int64_t word, int64_t nanos) {
  struct adr_job *job = owner;
  adr_channel_sleep(job->segment.base, (int32_t)job->rank, word, nanos);
}

static void end_sleep(void *owner) { adr_channel_end_sleep(((struct adr_job *)owner)->channel); }

static void give_way(void *owner, int64_t now) {
  struct adr_job *job = owner;
  adr_channel_give_way(job->segment.base, (int32_t)job->rank, now);
}

static void works_until(void *owner, int64_t time) {
  struct adr_job *job = owner;
  adr_channel_works_until(job->segment.base, (int32_t)job->rank, time);
}

static int was_given_way(void *owner, int64_t since) {
  struct adr_job *job = owner;
  return adr_channel_was_given_way(job->segment.base, (int32_t)job->rank, (int32_t)job->size, since);
}

static int avoid_shared_cpu(void *owner, int32_t other) {
  struct adr_job *job = owner;
  return adr_channel_avoid_shared_cpu(job->segment.base, (int32_t)job->rank, other);
}

const struct adr_upkeep adr_job_upkeep = {
    .step = step,
    .check = check,
    .over = over,
    .tell = tell,
    .log = print,
    .forget = forget,
    .announce_sleep = announce_sleep,
    .sleep = sleep_on,
    .end_sleep = end_sleep,
    .give_way = give_way,
    .works_until = works_until,
    .was_given_way = was_given_way,
    .avoid_shared_cpu = avoid_shared_cpu,
};
