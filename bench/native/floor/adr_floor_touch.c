#include "floor/adr_floor_touch.h"

#include <string.h>

void floor_touch_run(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t stride = touch_stride(order->bytes), end = stride * order->buffers, at = 0;
  if (pair->side != 0) { return; }
  memset(pair->mine, 1, end); /* no page faults while time runs */
  touch_begin(&pair->touch, order->bytes, true);
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t start = floor_now();
    for (uint64_t i = 0; i < order->exchanges; i++) {
      touch_write(&pair->touch, pair->mine + at, order->bytes);
      touch_read(&pair->touch, pair->mine + at, order->bytes);
      at = at + stride == end ? 0 : at + stride;
    }
    floor_note(pair, batch, floor_now() - start, 1);
  }
}
