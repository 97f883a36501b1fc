#include "copies/adr_copies_cross.h"

#include <string.h>

#include "copies/adr_copies_local.h"
#include "copy/adr_copy_routines.h"
#include "floor/adr_floor_copy.h"

static void write_all(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t total = order->batches * order->exchanges;
  for (uint64_t i = 1; i <= total; i++) {
    floor_write_fresh(pair->shared->buffer[1], order->bytes, i);
    adr_store_release_u64(&pair->shared->line[1].word, i); /* SYNC floor-word */
    floor_await(pair, &pair->shared->line[0].word, i, order->pauses);
  }
}

static uint64_t copy_once(struct floor_pair *pair, const struct floor_order *order) {
  const struct adr_copy_routine *routine = adr_copy_routine_at(order->routine);
  uint64_t start = floor_now();
  routine->run(pair->mine, pair->shared->buffer[1], (int64_t)order->bytes);
  copies_read(pair->mine, order->bytes);
  return floor_now() - start;
}

static void copy_all(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t number = 0;
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t elapsed = 0;
    for (uint64_t i = 0; i < order->exchanges; i++) {
      floor_await(pair, &pair->shared->line[1].word, ++number, order->pauses);
      elapsed += copy_once(pair, order);
      adr_store_release_u64(&pair->shared->line[0].word, number); /* SYNC floor-word: our reads come first */
    }
    floor_note(pair, batch, elapsed, order->exchanges);
  }
}

void copies_cross_run(struct floor_pair *pair, const struct floor_order *order) {
  adr_store_relaxed_u64(&pair->shared->line[pair->side].word, 0);
  memset(pair->mine, 1, order->bytes); /* no page faults while time runs */
  floor_pair_meet(pair);
  if (pair->side == 0) {
    copy_all(pair, order);
  } else {
    write_all(pair, order);
  }
}
