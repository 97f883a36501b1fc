/* First fit against a plain map of which grains are taken. */
#include "shared/adr_first_fit.h"

#include <errno.h>
#include <string.h>

#include "check.h"

enum { GRAINS = 64, GRAIN = ADR_FIRST_FIT_GRAIN, STEPS = 20000, SEEDS = 8 };

struct taken {
  uint64_t start;
  uint64_t bytes;
};

static struct adr_first_fit fit;
static bool grains[GRAINS];
static struct taken taken[GRAINS];
static int taken_count;
static uint64_t state;

static uint32_t below(uint32_t limit) { /* Knuth's MMIX generator */
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % limit;
}

static void mark(struct taken one, bool value) {
  for (uint64_t at = one.start / GRAIN; at * GRAIN < one.start + one.bytes; at++) { grains[at] = value; }
}

/* Where the first fit is, found grain by grain. */
static int64_t expected(uint64_t bytes, uint64_t alignment) {
  uint64_t needed = (bytes + GRAIN - 1) / GRAIN;
  uint64_t step = alignment > GRAIN ? alignment / GRAIN : 1;
  for (uint64_t at = 0; at + needed <= GRAINS; at += step) {
    if (memchr(&grains[at], 1, needed) == NULL) { return (int64_t)(at * GRAIN); }
  }
  return -ENOSPC;
}

static void take(uint64_t bytes, uint64_t alignment) {
  int64_t wanted = expected(bytes, alignment);
  CHECK_EQUAL(wanted, adr_first_fit_take(&fit, bytes, alignment));
  if (wanted >= 0) {
    taken[taken_count] = (struct taken){(uint64_t)wanted, bytes};
    mark(taken[taken_count++], true);
  }
}

static void give(int index) {
  struct taken one = taken[index];
  CHECK_EQUAL(-EINVAL, adr_first_fit_give(&fit, one.start + 1));
  CHECK_EQUAL(one.bytes, adr_first_fit_give(&fit, one.start));
  CHECK_EQUAL(-EINVAL, adr_first_fit_give(&fit, one.start));
  mark(one, false);
  taken[index] = taken[--taken_count];
}

static void takes_where_the_first_free_place_is_and_freed_neighbours_are_one(void) {
  for (int seed = 1; seed <= SEEDS; seed++) {
    state = (uint64_t)seed;
    CHECK_EQUAL(0, adr_first_fit_open(&fit, GRAINS * GRAIN));
    for (int step = 0; step < STEPS; step++) {
      if (below(100) < 45 && taken_count > 0) {
        give((int)below((uint32_t)taken_count));
      } else {
        take(1 + below(8 * GRAIN), UINT64_C(1) << below(13));
      }
    }
    while (taken_count > 0) { give((int)below((uint32_t)taken_count)); }
    take(GRAINS * GRAIN, 4096); /* nothing is in pieces */
    CHECK_EQUAL(1, taken_count);
    give(0);
    adr_first_fit_close(&fit);
  }
}

int main(void) {
  RUN(takes_where_the_first_free_place_is_and_freed_neighbours_are_one);
  return 0;
}
