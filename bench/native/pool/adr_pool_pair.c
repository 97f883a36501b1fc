#include "pool/adr_pool_pair.h"

#include <stdlib.h>
#include <string.h>

/* One direction. The bytes of the buffer follow. */
struct buffer {
  _Alignas(ADR_BLOCK) adr_atomic_u64 total_in;  /* writer: the sender */
  _Alignas(ADR_BLOCK) adr_atomic_u64 total_out; /* writer: the receiver */
  _Alignas(ADR_BLOCK) uint8_t bytes[];
};

struct pair_state {
  uint64_t mask;
  struct buffer *buffer[2]; /* buffer[s]: of what side s sends */
  uint64_t in;              /* of the one we write */
  uint64_t out;             /* of the one we read */
  uint64_t known_out;       /* of the one we write, as we saw it last */
};

/* A message is its length and the payload, in whole lines. */
static inline uint64_t room_for(uint64_t bytes) { return adr_align_up(sizeof(uint64_t) + bytes, ADR_LINE); }

static inline uint64_t before_end(const struct pair_state *state, uint64_t position, uint64_t bytes) {
  uint64_t left = state->mask + 1 - (position & state->mask);
  return bytes < left ? bytes : left;
}

static void put(const struct pair_state *state, struct buffer *to, uint64_t position, const uint8_t *from,
                uint64_t bytes) {
  uint64_t first = before_end(state, position, bytes);
  memcpy(to->bytes + (position & state->mask), from, first);
  memcpy(to->bytes, from + first, bytes - first);
}

static void get(const struct pair_state *state, const struct buffer *from, uint64_t position, uint8_t *to,
                uint64_t bytes) {
  uint64_t first = before_end(state, position, bytes);
  memcpy(to, from->bytes + (position & state->mask), first);
  memcpy(to + first, from->bytes, bytes - first);
}

/* SYNC pair-out: acquire, pairs with the receiver's release; our stores come after its reads. */
static void await_room(struct pair_state *state, const struct floor_pair *pair, const struct buffer *to,
                       uint64_t room) {
  uint32_t waited = 0;
  while (ADR_UNLIKELY(state->in + room - state->known_out > state->mask + 1)) {
    state->known_out = adr_load_acquire_u64(&to->total_out);
    pool_pause(pair, &waited);
  }
}

static void send(void *ours, const struct floor_pair *pair, uint8_t *message, uint64_t bytes) {
  struct pair_state *state = ours;
  struct buffer *to = state->buffer[pair->side];
  await_room(state, pair, to, room_for(bytes));
  memcpy(to->bytes + (state->in & state->mask), &bytes, sizeof bytes); /* at the start of a line: not cut by the end */
  put(state, to, state->in + sizeof bytes, message, bytes);
  state->in += room_for(bytes);
  adr_store_release_u64(&to->total_in, state->in); /* SYNC pair-in: orders length and payload */
}

static void receive(void *ours, const struct floor_pair *pair, uint8_t *message, uint64_t bytes) {
  struct pair_state *state = ours;
  struct buffer *from = state->buffer[1 - pair->side];
  uint64_t length;
  uint32_t waited = 0;
  /* SYNC pair-in: acquire, pairs with the sender's release. */
  while (adr_load_acquire_u64(&from->total_in) == state->out) { pool_pause(pair, &waited); }
  memcpy(&length, from->bytes + (state->out & state->mask), sizeof length);
  if (ADR_UNLIKELY(length != bytes)) { pool_fail("another message", (int64_t)length); }
  get(state, from, state->out + sizeof length, message, bytes);
  state->out += room_for(bytes);
  adr_store_release_u64(&from->total_out, state->out); /* SYNC pair-out: our reads come first */
}

struct pool_way pool_pair_way(const char *name, uint64_t buffer_bytes) {
  struct pair_state *state = calloc(1, sizeof *state);
  if (state == NULL) { pool_fail("no memory", sizeof *state); }
  state->mask = buffer_bytes - 1;
  for (int side = 0; side < 2; side++) { state->buffer[side] = pool_share(sizeof(struct buffer) + buffer_bytes); }
  uint64_t most = buffer_bytes - ADR_LINE;
  return (struct pool_way){name, state, most < POOL_MAX_BYTES ? most : POOL_MAX_BYTES, send, receive};
}
