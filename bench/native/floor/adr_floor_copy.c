#include "floor/adr_floor_copy.h"

#include <string.h>

void floor_write_fresh(uint8_t *buffer, uint64_t bytes, uint64_t number) {
  uint64_t at = 0;
  for (; at + sizeof number <= bytes; at += sizeof number) {
    uint64_t word = number ^ at;
    memcpy(buffer + at, &word, sizeof word);
  }
  memset(buffer + at, (int)number, bytes - at);
}

/* Where the buffer of a message lies among those that take turns. */
static uint64_t place(const struct floor_order *order, uint64_t number) {
  return order->buffers < 2 ? 0 : number % order->buffers * touch_stride(order->bytes);
}

static void write_one(struct floor_pair *pair, const struct floor_order *order, uint8_t *buffer, uint64_t number) {
  if (order->touched) {
    touch_write(&pair->touch, buffer, order->bytes);
  } else {
    floor_write_fresh(buffer, order->bytes, number);
  }
}

static void write_all(struct floor_pair *pair, const struct floor_order *order, uint32_t writer) {
  uint64_t total = order->batches * order->exchanges;
  for (uint64_t i = 1; i <= total; i++) {
    write_one(pair, order, pair->shared->buffer[writer] + place(order, i), i);
    adr_store_release_u64(&pair->shared->line[writer].word, i); /* SYNC floor-word */
    floor_await(pair, &pair->shared->line[1 - writer].word, i, order->pauses);
  }
}

static void copy_all(struct floor_pair *pair, const struct floor_order *order, uint32_t writer, floor_copy_once *copy) {
  uint64_t number = 0;
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t elapsed = 0;
    for (uint64_t i = 0; i < order->exchanges; i++) {
      floor_await(pair, &pair->shared->line[writer].word, ++number, order->pauses);
      elapsed += copy(pair, order, pair->shared->buffer[writer] + place(order, number));
      adr_store_release_u64(&pair->shared->line[1 - writer].word, number); /* SYNC floor-word: our reads come first */
    }
    floor_note(pair, batch, elapsed, order->exchanges);
  }
}

static void begin(struct floor_pair *pair, const struct floor_order *order) {
  adr_store_relaxed_u64(&pair->shared->line[pair->side].word, 0);
  memset(pair->mine, 1, place(order, (uint64_t)order->buffers - 1) + order->bytes); /* no page faults in the time */
  floor_pair_meet(pair);
}

void floor_copy_between(struct floor_pair *pair, const struct floor_order *order, uint32_t writer,
                        floor_copy_once *copy) {
  begin(pair, order);
  if ((uint32_t)pair->side == writer) {
    write_all(pair, order, writer);
  } else {
    copy_all(pair, order, writer, copy);
  }
}

static uint64_t copy_once(struct floor_pair *pair, const struct floor_order *order, const uint8_t *source) {
  uint8_t *to = pair->mine + (source - pair->shared->buffer[1 - pair->side]);
  uint64_t start = floor_now();
  memcpy(to, source, order->bytes);
  __asm__ __volatile__("" ::"r"(to) : "memory"); /* the copy is used */
  touch_read(&pair->touch, to, order->bytes);
  return floor_now() - start;
}

void floor_copy_run(struct floor_pair *pair, const struct floor_order *order) {
  floor_copy_between(pair, order, 0, copy_once);
}

/* Each step of an exchange has its number on both lines: written, copied. */
static void step(struct floor_pair *pair, const struct floor_order *order, uint64_t number) {
  adr_store_release_u64(&pair->shared->line[pair->side].word, number); /* SYNC floor-word */
  floor_await(pair, &pair->shared->line[1 - pair->side].word, number, order->pauses);
}

static uint64_t swap_once(struct floor_pair *pair, const struct floor_order *order, uint64_t number) {
  write_one(pair, order, pair->shared->buffer[pair->side] + place(order, number), number);
  step(pair, order, 2 * number - 1);
  uint64_t elapsed = copy_once(pair, order, pair->shared->buffer[1 - pair->side] + place(order, number));
  step(pair, order, 2 * number);
  return elapsed;
}

void floor_bicopy_run(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t number = 0;
  begin(pair, order);
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t elapsed = 0;
    for (uint64_t i = 0; i < order->exchanges; i++) { elapsed += swap_once(pair, order, ++number); }
    if (pair->side == 0) { floor_note(pair, batch, elapsed, order->exchanges); }
  }
}
