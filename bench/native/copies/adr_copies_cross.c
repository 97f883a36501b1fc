#include "copies/adr_copies_cross.h"

#include "copies/adr_copies_local.h"
#include "copy/adr_copy_routines.h"
#include "floor/adr_floor_copy.h"

static uint64_t copy_once(struct floor_pair *pair, const struct floor_order *order, const uint8_t *source) {
  const struct adr_copy_routine *routine = adr_copy_routine_at(order->routine);
  uint64_t start = floor_now();
  routine->run(pair->mine, source, (int64_t)order->bytes);
  copies_read(pair->mine, order->bytes);
  return floor_now() - start;
}

void copies_cross_run(struct floor_pair *pair, const struct floor_order *order) {
  floor_copy_between(pair, order, 1, copy_once);
}
