#include "copies/adr_copies_local.h"

#include <string.h>

#include "copy/adr_copy_routines.h"

void copies_read(const uint8_t *buffer, uint64_t bytes) {
  uint64_t sum = 0;
  for (uint64_t at = 0; at + sizeof sum <= bytes; at += ADR_LINE) {
    uint64_t word;
    memcpy(&word, buffer + at, sizeof word);
    sum += word;
  }
  __asm__ __volatile__("" ::"r"(sum)); /* it is used */
}

static uint64_t copy_once(struct floor_pair *pair, const struct floor_order *order) {
  const struct adr_copy_routine *routine = adr_copy_routine_at(order->routine);
  uint64_t start = floor_now();
  routine->run(pair->shared->buffer[0], pair->mine, (int64_t)order->bytes);
  copies_read(pair->shared->buffer[0], order->bytes);
  return floor_now() - start;
}

void copies_local_run(struct floor_pair *pair, const struct floor_order *order) {
  if (pair->side != 0) { return; }
  memset(pair->mine, 1, order->bytes); /* no page faults while time runs */
  memset(pair->shared->buffer[0], 2, order->bytes);
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t elapsed = 0;
    for (uint64_t i = 0; i < order->exchanges; i++) { elapsed += copy_once(pair, order); }
    floor_note(pair, batch, elapsed, order->exchanges);
  }
}
