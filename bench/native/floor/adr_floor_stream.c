#include "floor/adr_floor_stream.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { LINES = 1024, CREDIT = LINES / 4 };

struct slot {
  adr_atomic_u64 sequence;
  uint64_t match;
  uint8_t payload[FLOOR_STREAM_MAX_BYTES];
};
_Static_assert(sizeof(struct slot) == ADR_LINE, "a slot is a line");
_Static_assert(LINES *ADR_LINE <= FLOOR_RING_BYTES, "the ring has room");

static struct slot *slot_of(const struct floor_pair *pair, uint64_t number) {
  return (struct slot *)(void *)(pair->shared->ring[0] + number % LINES * ADR_LINE);
}

/* Side 1 tells in its line how many slots it has emptied, now and then. */
INLINE void put(struct floor_pair *pair, const struct floor_order *order, struct touch *touch, uint64_t number,
                uint64_t bytes) {
  struct slot *slot = slot_of(pair, number);
  uint8_t *message = pair->mine + number % TOUCH_BUFFERS * TOUCH_LINE;
  touch_write(touch, message, bytes);
  if (number >= LINES && number % CREDIT == 0) {
    floor_await(pair, &pair->shared->line[1].word, number - LINES + CREDIT, order->pauses);
  }
  slot->match = number;
  memcpy(slot->payload, message, bytes);
  adr_store_release_u64(&slot->sequence, number); /* SYNC floor-word: orders match and payload */
}

INLINE void get(struct floor_pair *pair, const struct floor_order *order, struct touch *touch, uint64_t number,
                uint64_t bytes) {
  uint8_t *message = pair->mine + number % TOUCH_BUFFERS * TOUCH_LINE;
  const struct slot *slot = slot_of(pair, number);
  floor_await(pair, &slot->sequence, number, order->pauses);
  if (ADR_UNLIKELY(slot->match != number)) { __builtin_trap(); }
  memcpy(message, slot->payload, bytes);
  if (number % CREDIT == 0) {
    adr_store_release_u64(&pair->shared->line[1].word, number); /* SYNC floor-word: our reads come first */
  }
  touch_read(touch, message, bytes);
}

/* A batch ends when side 1 has said that it took the last message. */
INLINE void send_all(struct floor_pair *pair, const struct floor_order *order, uint64_t bytes) {
  uint64_t number = 0;
  struct touch touch;
  touch_begin(&touch, bytes, order->touched != 0);
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t start = floor_now();
    for (uint64_t i = 0; i < order->exchanges; i++) { put(pair, order, &touch, ++number, bytes); }
    floor_await(pair, &pair->shared->line[1].word, number, order->pauses);
    floor_note(pair, batch, floor_now() - start, 1);
  }
}

INLINE void receive_all(struct floor_pair *pair, const struct floor_order *order, uint64_t bytes) {
  uint64_t number = 0;
  struct touch touch;
  touch_begin(&touch, bytes, order->touched != 0);
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    for (uint64_t i = 0; i < order->exchanges; i++) { get(pair, order, &touch, ++number, bytes); }
    adr_store_release_u64(&pair->shared->line[1].word, number); /* SYNC floor-word */
  }
  pair->touch = touch;
}

INLINE void play(struct floor_pair *pair, const struct floor_order *order, uint64_t bytes) {
  if (pair->side == 0) {
    send_all(pair, order, bytes);
  } else {
    receive_all(pair, order, bytes);
  }
}

void floor_stream_run(struct floor_pair *pair, const struct floor_order *order) {
  adr_store_relaxed_u64(&pair->shared->line[pair->side].word, 0);
  if (pair->side == 0) { memset(pair->shared->ring[0], 0, LINES * ADR_LINE); }
  memset(pair->mine, 1, TOUCH_BUFFERS * TOUCH_LINE); /* no page faults while time runs */
  floor_pair_meet(pair);
  if (order->bytes <= 8) { /* as a constant: then the copies are single moves */
    play(pair, order, 8);
  } else {
    play(pair, order, FLOOR_STREAM_MAX_BYTES);
  }
}
