#include "floor/adr_floor_line.h"

static void answer(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t total = order->batches * order->exchanges;
  for (uint64_t i = 1; i <= total; i++) {
    floor_await(pair, &pair->shared->line[0].word, i, order->pauses);
    adr_store_release_u64(&pair->shared->line[1].word, i); /* SYNC floor-word */
  }
}

static void ask(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t number = 0;
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t start = floor_now();
    for (uint64_t i = 0; i < order->exchanges; i++) {
      number++;
      adr_store_release_u64(&pair->shared->line[0].word, number); /* SYNC floor-word */
      floor_await(pair, &pair->shared->line[1].word, number, order->pauses);
    }
    floor_note(pair, batch, floor_now() - start, 1);
  }
}

void floor_line_run(struct floor_pair *pair, const struct floor_order *order) {
  adr_store_relaxed_u64(&pair->shared->line[pair->side].word, 0);
  floor_pair_meet(pair);
  if (pair->side == 0) {
    ask(pair, order);
  } else {
    answer(pair, order);
  }
}
