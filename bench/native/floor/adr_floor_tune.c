#include "floor/adr_floor_tune.h"

#include <stdlib.h>

enum {
  PAGES = 64, /* places for a small ring: lines of some pages take longer between the two CPUs than of others */
  MEDIUM_BYTES = 512,
  LONG_BYTES = 8192,     /* beyond, waiting is a small part: one cadence, few exchanges */
  TUNING_NS = 100000000, /* no trial starts later: two sides that share a CPU are slow */
};

static int by_value(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left;
  uint64_t b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Median of a few batches. */
static uint64_t trial(struct floor_pair *pair, struct floor_order order, floor_run *const *tests) {
  enum { BATCHES = 25 };
  order.batches = BATCHES;
  order.exchanges = order.bytes > LONG_BYTES ? 1 : order.bytes > MEDIUM_BYTES ? 16 : 64;
  floor_pair_give(pair, &order, tests);
  qsort(pair->shared->ns, BATCHES, sizeof pair->shared->ns[0], by_value);
  return pair->shared->ns[BATCHES / 2];
}

/* Keeps `candidate` if it is faster than all before. */
static void consider(struct floor_pair *pair, struct floor_order candidate, floor_run *const *tests,
                     struct floor_order *best, uint64_t *least) {
  uint64_t ns = trial(pair, candidate, tests);
  if (ns < *least) {
    *least = ns;
    *best = candidate;
  }
}

void floor_tune(struct floor_pair *pair, struct floor_order *order, bool takes_hints, floor_run *const *tests) {
  static const uint16_t pauses[] = {1, 4, 6, 3, 5, 2, 8, 10, 0, 12};
  size_t count = order->bytes > LONG_BYTES ? 1 : sizeof pauses / sizeof pauses[0];
  struct floor_order candidate = *order;
  uint64_t least = UINT64_MAX;
  uint64_t end = floor_now() + TUNING_NS;
  for (size_t i = 0; i < count && floor_now() < end; i++) {
    candidate.pauses = pauses[i];
    for (candidate.hints = 0; candidate.hints <= takes_hints; candidate.hints++) {
      consider(pair, candidate, tests, order, &least);
    }
  }
  candidate = *order;
  for (candidate.page = 1; takes_hints && candidate.page < PAGES && floor_now() < end; candidate.page++) {
    consider(pair, candidate, tests, order, &least);
  }
}
