/* A C rank's calls for messages (adrastea/job.h), the ones that never wait, while the others write whatever they like.
 * The first byte tells whether there are fastboxes; each step is a call, one of a peer that behaves or does not, or a
 * word spoiled. What a rank is shown must be such as a sender that behaves could have sent: in the segment, its pieces
 * one after the other, none beyond the message's end. */
#include <stdlib.h>
#include <string.h>

#include "fuzz_beside.h"
#include "job/adr_job_decline.h"
#include "job/adr_job_liveness.h"

enum { SELF = 0, PEER = 1, SLOTS = 4, LONGEST = 1200, TEXT = 100, CORRUPT = -71, BUSY = -16, INVALID = -22 };

/* How far a source's message has come, as its receiver was shown. */
struct progress {
  int64_t match;
  int64_t total;
  int64_t next;
};

struct rank {
  struct fuzz_job *segment;
  struct adr_job job;
  struct progress from[FUZZ_RANKS];
  adr_message shown;
  bool at_hand;
  adr_outgoing slots[SLOTS];
  bool busy[SLOTS]; /* on its way */
};

static void open_boxes(struct rank *me) {
  for (int32_t source = 0; source < FUZZ_RANKS; source++) { adr_channel_open_box(me->job.channel, source); }
}

/* Makes a rank as joining leaves it. Its watch over the others knows no processes, and no clock has it look: what
 * happens depends on the input alone. */
static struct rank *join(struct fuzz_job *segment, uint32_t rank, int boxes) {
  struct rank *me = calloc(1, sizeof *me);
  fuzz_require(me != NULL, "no memory");
  me->segment = segment;
  me->job = (struct adr_job){
      .rank = rank, .size = FUZZ_RANKS, .segment = segment->segment, .failed_rank = -1, .pace = adr_pace_from(0)};
  me->job.pace.next = INT64_MAX;
  me->job.ranks = (struct adr_rank_watch){segment->segment.base, segment->segment.fd, 0};
  me->job.channel = adr_channel_open(segment->segment.base, (int32_t)rank);
  me->job.in = calloc(FUZZ_RANKS, sizeof *me->job.in);
  me->job.out = calloc(FUZZ_RANKS, sizeof *me->job.out);
  me->job.acknowledged = calloc(FUZZ_RANKS, sizeof *me->job.acknowledged);
  fuzz_require(me->job.channel != NULL || fuzz_beside_is_on(),
               "no channel"); /* else its header may be spoiled by now */
  fuzz_require(me->job.in != NULL && me->job.out != NULL && me->job.acknowledged != NULL, "no memory");
  fuzz_require(adr_control_open(&me->job.control, FUZZ_RANKS) == 0 && adr_job_decline_open(&me->job.control) == 0,
               "no memory for control messages");
  if (boxes && me->job.channel != NULL) { open_boxes(me); }
  return me;
}

static void leave(struct rank *me) {
  adr_channel_close(me->job.channel);
  free(me->job.in);
  free(me->job.out);
  free(me->job.acknowledged);
  adr_control_close(&me->job.control);
  free(me);
}

/* One of the statuses that the call may return. */
static int known(int status, const int *allowed, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (status == allowed[i]) { return status; }
  }
  fuzz_require(0, "a status that the call does not have");
  return status;
}
#define KNOWN(status, ...) known(status, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static void check_place(const struct rank *me, const adr_message *piece) {
  const uint8_t *base = me->segment->segment.base, *payload = piece->payload;
  uint64_t all = me->segment->segment.shape.segment_bytes;
  fuzz_require(payload >= base && (uint64_t)piece->length <= all
                   && (uint64_t)(payload - base) <= all - (uint64_t)piece->length,
               "a piece that does not lie in the segment");
}

static void check_piece(const struct rank *me, const adr_message *piece) {
  fuzz_require(piece->source >= 0 && piece->source < FUZZ_RANKS, "a piece of nobody");
  const struct progress *before = &me->from[piece->source];
  bool first = piece->kind == ADR_PIECE_FIRST;
  fuzz_require(first || piece->kind == ADR_PIECE_NEXT || piece->kind == ADR_PIECE_ABORT, "a piece of no kind");
  fuzz_require(first ? piece->offset == 0 && before->next == before->total
                     : piece->offset == before->next && piece->total_length == before->total
                           && piece->match == before->match,
               "a piece out of turn");
  fuzz_require(piece->offset <= piece->total_length && piece->length <= piece->total_length - piece->offset,
               "a piece beyond the end of its message");
  check_place(me, piece);
}

/* A piece stays until it is released. */
static void poll(struct rank *me) {
  adr_message piece;
  int status = KNOWN(adr_poll(&me->job, &piece), 0, 1, CORRUPT);
  if (status != 1) { return; }
  check_piece(me, &piece);
  fuzz_require(!me->at_hand || (piece.source == me->shown.source && piece.payload == me->shown.payload),
               "another piece at hand");
  me->shown = piece;
  me->at_hand = true;
}

static void release(struct rank *me) {
  int status = KNOWN(adr_release(&me->job), 0, INVALID, CORRUPT);
  fuzz_require(me->at_hand == (status != INVALID), "a release of nothing");
  if (!me->at_hand) { return; }
  const adr_message *piece = &me->shown;
  bool over = piece->kind == ADR_PIECE_ABORT;
  me->from[piece->source] =
      over ? (struct progress){0} : (struct progress){piece->match, piece->total_length, piece->offset + piece->length};
  me->at_hand = false;
}

/* All that there is to receive; a piece of a rank that is broken may stay in the way. */
static void receive(struct rank *me) {
  for (int pieces = 0; pieces < FUZZ_CELLS; pieces++) {
    poll(me);
    if (!me->at_hand) { return; }
    release(me);
  }
}

/* Goes on with a message, or begins one; the destination, or the match, may be none. */
static void send(struct rank *me, struct fuzz_input *in) {
  uint32_t slot = fuzz_below(in, SLOTS);
  adr_outgoing *message = &me->slots[slot];
  if (!me->busy[slot]) {
    int32_t destination = (int32_t)fuzz_below(in, FUZZ_RANKS + 1);
    uint64_t bytes = fuzz_below(in, 2) == 0 ? fuzz_u8(in) : fuzz_u16(in) % LONGEST;
    int64_t match = (int64_t)fuzz_u8(in) << 24;
    *message = (adr_outgoing){.destination = destination, .match = match, .buffer = fuzz_buffer(bytes), .bytes = bytes};
  }
  int status = KNOWN(adr_try_send(&me->job, message), 1, 0, BUSY, INVALID, ADR_ERROR_RANK_FAILED, CORRUPT);
  fuzz_require(message->sent <= message->bytes && (status != 1 || message->sent == message->bytes),
               "not as much as was said");
  me->busy[slot] = status == 0 && message->begun;
}

static void cancel(struct rank *me, struct fuzz_input *in) {
  uint32_t slot = fuzz_below(in, SLOTS);
  int status = KNOWN(adr_cancel_send(&me->job, &me->slots[slot]), 0, INVALID);
  fuzz_require(me->busy[slot] == (status == 0), "a message on its way, or not");
  me->busy[slot] = false;
}

static void outstanding(const struct rank *me) {
  char text[TEXT];
  int count = 0;
  for (uint32_t slot = 0; slot < SLOTS; slot++) { count += me->busy[slot]; }
  fuzz_require(adr_job_outstanding(&me->job, text, sizeof text) == count && strlen(text) < sizeof text,
               "other messages on their way");
}

/* A peer that sends pieces in no order, as its channel lets it. */
static void send_out_of_turn(const struct rank *me, struct fuzz_input *in) {
  int32_t kind = 1 + (int32_t)fuzz_below(in, 3);
  int64_t length = fuzz_u8(in);
  int64_t total = length + fuzz_u8(in);
  adr_channel_try_send(me->job.channel, SELF, kind, 1, total, fuzz_buffer((size_t)length), 0, length);
}

/* What a wait does about every 100 ms. Whoever is looked at counts as gone then. */
static void check(struct rank *me, struct fuzz_input *in) {
  int32_t expected = (int32_t)fuzz_below(in, FUZZ_RANKS + 1) - 1;
  if (fuzz_below(in, 8) != 0) { return; }
  int gone = adr_job_missing(&me->job, expected);
  int status = KNOWN(adr_job_check(&me->job), 0, 1, CORRUPT);
  if (status == 0 && gone != ADR_NOBODY) { status = adr_job_gone_from(&me->job, expected, gone, "a wait"); }
  if (expected != ADR_ANY || status != ADR_ERROR_RANK_FAILED) { return; }
  fuzz_require(adr_job_acknowledge_failed_ranks(&me->job, NULL, 0) < FUZZ_RANKS,
               "more have failed than there are others");
}

static void step(struct rank *self, struct rank *peer, struct fuzz_input *in) {
  switch (fuzz_below(in, 16)) {
  case 0:
    poll(self);
    break;
  case 1:
    release(self);
    break;
  case 2:
  case 3:
    receive(self);
    break;
  case 4:
  case 5:
    send(self, in);
    break;
  case 6:
    cancel(self, in);
    break;
  case 7:
    outstanding(self);
    break;
  case 8:
    check(self, in);
    break;
  case 9:
  case 10:
    send(peer, in);
    break;
  case 11:
    receive(peer);
    break;
  case 12:
    send_out_of_turn(peer, in);
    break;
  default:
    fuzz_spoil(self->segment, in);
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz_input in = {bytes, size};
  int boxes = (int)fuzz_below(&in, 2);
  struct fuzz_job *segment = fuzz_job(boxes);
  struct rank *self = join(segment, SELF, boxes), *peer = join(segment, PEER, boxes);
  bool both = self->job.channel != NULL && peer->job.channel != NULL;
  for (int steps = 0; both && in.left > 0 && steps < FUZZ_STEPS; steps++) { step(self, peer, &in); }
  leave(self);
  leave(peer);
  return 0;
}
