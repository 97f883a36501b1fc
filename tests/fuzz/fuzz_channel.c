/* A rank's channel while the others write whatever they like: receive and free queues, cells, fastboxes, doorbells, the
 * barrier, and what is done about ranks that are gone. The first byte tells whether there are fastboxes; each step is a
 * call, one of a peer that behaves, or a word spoiled. */
#include <string.h>

#include "adrastea/channel.h"
#include "fuzz_beside.h"

enum { SELF = 0, PEER = 1, HELD = 4, SPINS = 3, LONGEST = 1200, BATCH = 16 };

struct state {
  struct fuzz_job *job;
  adr_channel *self;
  adr_channel *peer;
  adr_inbound held[HELD];
};

/* A number that a function of the channel may return: nothing of what is inside. */
static int64_t known(int64_t status) {
  static const int64_t refusals[] = {-3, -11, -16, -22, -42, -71, -90};
  for (size_t i = 0; status < 0 && i < sizeof refusals / sizeof refusals[0]; i++) {
    if (status == refusals[i]) { return status; }
  }
  fuzz_require(status >= 0, "a status that the call does not have");
  return status;
}

static void require_inside(const struct state *state, int64_t offset, int64_t length) {
  uint64_t all = state->job->segment.shape.segment_bytes;
  fuzz_require(offset > 0 && length >= 0 && (uint64_t)offset <= all && (uint64_t)length <= all - (uint64_t)offset,
               "a piece that does not lie in the segment");
}

/* All that is at hand, as its receiver would read it. */
static bool poll(struct state *state, adr_channel *channel, int32_t first, adr_inbound *inbound) {
  int64_t status = known(adr_channel_poll(channel, first, inbound));
  if (status == ADR_POLL_WANTED) {
    fuzz_require(inbound->source >= 0 && inbound->source < FUZZ_RANKS, "a wish of nobody");
    known(adr_channel_open_box(channel, (int32_t)inbound->source));
  }
  if (status != ADR_POLL_PIECE) { return false; }
  require_inside(state, inbound->payload, inbound->length);
  fuzz_require(inbound->source >= 0 && inbound->source < FUZZ_RANKS && inbound->total_length >= inbound->length
                   && inbound->kind >= ADR_PIECE_FIRST && inbound->kind <= ADR_PIECE_ABORT,
               "a piece that cannot be");
  return true;
}

static void receive(struct state *state, adr_channel *channel, struct fuzz_input *in) {
  adr_inbound inbound = {0};
  int32_t source = (int32_t)fuzz_below(in, FUZZ_RANKS + 2) - 1;
  int64_t capacity = fuzz_u16(in) % LONGEST;
  int64_t mask = (fuzz_u8(in) & 1) != 0 ? -1 : 0;
  int64_t got =
      known(adr_channel_receive(channel, 1, mask, source, fuzz_buffer((size_t)capacity), 0, capacity, SPINS, &inbound));
  fuzz_require(got <= capacity, "more than fits");
  fuzz_require(got < 0 || (inbound.source >= 0 && inbound.source < FUZZ_RANKS), "a message of nobody");
  (void)state;
}

static void send(adr_channel *channel, struct fuzz_input *in) {
  int32_t to = (int32_t)fuzz_below(in, FUZZ_RANKS + 1);
  int32_t kind = 1 + (int32_t)fuzz_below(in, 3);
  int64_t length = fuzz_u16(in) % LONGEST;
  int64_t total = length + fuzz_below(in, 2) * 100;
  known(adr_channel_try_send(channel, to, kind, 1, total, fuzz_buffer((size_t)length), 0, length));
}

static void claim(struct state *state, struct fuzz_input *in) {
  int64_t length = fuzz_below(in, 2) != 0 ? fuzz_u8(in) : fuzz_u16(in) % LONGEST;
  int64_t at =
      known(adr_channel_claim(state->self, (int32_t)fuzz_below(in, FUZZ_RANKS), ADR_PIECE_FIRST, 1, length, length));
  if (at >= 0) {
    require_inside(state, at, length);
    memset(state->job->segment.base + at, 0x5a, (size_t)length);
  }
}

static void take(struct state *state, adr_channel *channel, struct fuzz_input *in) {
  adr_inbound inbound;
  if (poll(state, channel, (int32_t)fuzz_below(in, FUZZ_RANKS + 1) - 1, &inbound)) {
    known(adr_channel_take(channel, fuzz_buffer((size_t)inbound.length), 0, inbound.length));
  }
}

/* Finds many, of which each must lie in the segment, and ends with as many as the input says. */
static void poll_batch(struct state *state, struct fuzz_input *in) {
  adr_inbound found[BATCH];
  int32_t count =
      (int32_t)known(adr_channel_poll_batch(state->self, (int32_t)fuzz_below(in, FUZZ_RANKS + 1) - 1, found, BATCH));
  if (count == 0) { known(adr_channel_open_box(state->self, (int32_t)found[0].source)); }
  for (int32_t i = 0; i < count; i++) { require_inside(state, found[i].payload, found[i].length); }
  if (count > 0) {
    known(adr_channel_release_batch(state->self, (int32_t)fuzz_below(in, (uint32_t)count + 2),
                                    (int32_t)fuzz_below(in, 2)));
  }
}

static void hold(struct state *state, struct fuzz_input *in) {
  adr_inbound inbound;
  if (poll(state, state->self, -1, &inbound) && known(adr_channel_retain(state->self)) == 0) {
    state->held[fuzz_below(in, HELD)] = inbound;
  }
}

static void give(struct state *state, struct fuzz_input *in) {
  const adr_inbound *held = &state->held[fuzz_below(in, HELD)];
  known(adr_channel_release_retained(state->self, (int32_t)held->source, held->place + (int64_t)fuzz_below(in, 2) * 8));
}

/* About boxes, bursts and the barrier: what has a rank for its only argument, or none. */
static void call(struct state *state, struct fuzz_input *in) {
  adr_channel *self = state->self;
  int32_t rank = (int32_t)fuzz_below(in, FUZZ_RANKS + 1);
  switch (fuzz_below(in, 12)) {
  case 0:
    known(adr_channel_commit(self, rank));
    break;
  case 1:
    known(adr_channel_abort(self, rank));
    break;
  case 2:
    known(adr_channel_begin_burst(self, rank));
    break;
  case 3:
    known(adr_channel_end_burst(self, rank));
    break;
  case 4:
    known(adr_channel_open_box(self, rank));
    break;
  case 5:
    known(adr_channel_refuse_box(self, rank));
    break;
  case 6:
    known(adr_channel_reclaim(self));
    break;
  case 7:
    known(adr_channel_barrier_arrive(self));
    break;
  case 8:
    known(adr_channel_barrier_wait(self, SPINS));
    break;
  case 9:
    adr_channel_announce_sleep(self);
    break;
  case 10:
    known(adr_channel_end_sleep(self));
    break;
  default:
    known(adr_channel_wake(self, rank));
    break;
  }
}

static void step(struct state *state, struct fuzz_input *in) {
  adr_inbound inbound;
  switch (fuzz_below(in, 16)) {
  case 0:
    poll(state, state->self, -1, &inbound);
    break;
  case 1:
    take(state, state->self, in);
    break;
  case 2:
    known(adr_channel_release(state->self));
    break;
  case 3:
    hold(state, in);
    break;
  case 4:
    give(state, in);
    break;
  case 5:
    receive(state, state->self, in);
    break;
  case 6:
    send(state->self, in);
    break;
  case 7:
    claim(state, in);
    break;
  case 8:
    call(state, in);
    break;
  case 9:
    send(state->peer, in);
    break;
  case 10:
    take(state, state->peer, in);
    break;
  case 11:
    known(adr_channel_reclaim(state->self));
    break;
  case 12:
    poll_batch(state, in);
    break;
  default:
    fuzz_spoil(state->job, in);
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz_input in = {bytes, size};
  int boxes = (int)fuzz_below(&in, 2);
  struct state state = {.job = fuzz_job(boxes)};
  state.self = adr_channel_open(state.job->segment.base, SELF);
  state.peer = adr_channel_open(state.job->segment.base, PEER);
  bool both = state.self != NULL && state.peer != NULL;
  fuzz_require(both || fuzz_beside_is_on(), "no channel"); /* else its header may be spoiled by now */
  for (int32_t source = 0; both && boxes && source < FUZZ_RANKS; source++) {
    adr_channel_open_box(state.self, source);
    adr_channel_open_box(state.peer, source);
  }
  for (int steps = 0; both && in.left > 0 && steps < FUZZ_STEPS; steps++) { step(&state, &in); }
  adr_channel_close(state.self);
  adr_channel_close(state.peer);
  return 0;
}
