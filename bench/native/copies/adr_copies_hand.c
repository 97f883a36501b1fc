#include "copies/adr_copies_hand.h"

#include <string.h>

#include "copies/adr_copies_set.h"
#include "copy/adr_copy_routines.h"

static void take_all(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t total = order->batches * order->exchanges;
  for (uint64_t i = 1; i <= total; i++) {
    floor_await(pair, &pair->shared->line[0].word, i, order->pauses);
    memcpy(pair->mine, pair->shared->buffer[0], order->bytes);
    __asm__ __volatile__("" ::"r"(pair->mine) : "memory"); /* the copy is used */
    adr_store_release_u64(&pair->shared->line[1].word, i); /* SYNC floor-word: our reads come first */
  }
}

/* `source`, of `length` bytes, as often as the message is long. */
static void put_all(struct floor_pair *pair, const struct floor_order *order, const uint8_t *source, uint64_t length) {
  const struct adr_copy_routine *routine = adr_copy_routine_at(order->routine);
  for (uint64_t at = 0, bytes; at < order->bytes; at += bytes) {
    bytes = order->bytes - at < length ? order->bytes - at : length;
    routine->run(pair->shared->buffer[0] + at, source, (int64_t)bytes);
  }
}

static void show(struct floor_pair *pair, const struct floor_order *order, uint64_t number) {
  adr_store_release_u64(&pair->shared->line[0].word, number); /* SYNC floor-word */
  floor_await(pair, &pair->shared->line[1].word, number, order->pauses);
}

static uint64_t hand_once(struct floor_pair *pair, const struct floor_order *order, uint64_t number) {
  uint64_t start = floor_now();
  put_all(pair, order, pair->mine, order->bytes);
  show(pair, order, number);
  return floor_now() - start;
}

/* The working set is in the cache before, so that what is missing afterwards is the message's doing. It is shown
 * after the walk: waiting for the other side may give the CPU, and the cache, to others. */
static uint64_t walk(struct floor_pair *pair, const struct floor_order *order, uint64_t number, const uint8_t *source,
                     uint64_t length) {
  bool sends = order->routine != COPIES_NO_ROUTINE;
  copies_set_walk();
  copies_set_walk();
  if (sends) { put_all(pair, order, source, length); }
  uint64_t start = floor_now();
  copies_set_walk();
  uint64_t elapsed = floor_now() - start;
  if (sends) { show(pair, order, number); }
  return elapsed;
}

static uint64_t walk_once(struct floor_pair *pair, const struct floor_order *order, uint64_t number) {
  return walk(pair, order, number, copies_set(), copies_set_bytes());
}

static uint64_t apart_once(struct floor_pair *pair, const struct floor_order *order, uint64_t number) {
  return walk(pair, order, number, pair->mine, order->bytes);
}

typedef uint64_t timed(struct floor_pair *pair, const struct floor_order *order, uint64_t number);

static void run(struct floor_pair *pair, const struct floor_order *order, timed *once) {
  uint64_t number = 0;
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t elapsed = 0;
    for (uint64_t i = 0; i < order->exchanges; i++) { elapsed += once(pair, order, ++number); }
    floor_note(pair, batch, elapsed, order->exchanges);
  }
}

static void prepare(struct floor_pair *pair, const struct floor_order *order) {
  adr_store_relaxed_u64(&pair->shared->line[pair->side].word, 0);
  memset(pair->mine, 1, order->bytes); /* no page faults while time runs */
  floor_pair_meet(pair);
}

static void play(struct floor_pair *pair, const struct floor_order *order, timed *once) {
  prepare(pair, order);
  if (pair->side == 0) {
    run(pair, order, once);
  } else if (order->routine != COPIES_NO_ROUTINE) {
    take_all(pair, order);
  }
}

void copies_hand_run(struct floor_pair *pair, const struct floor_order *order) { play(pair, order, hand_once); }

void copies_walk_run(struct floor_pair *pair, const struct floor_order *order) { play(pair, order, walk_once); }

void copies_apart_run(struct floor_pair *pair, const struct floor_order *order) { play(pair, order, apart_once); }
