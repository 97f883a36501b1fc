/* The two sides of a floor test: two processes on a shared anonymous mapping. Side 0 reads the commands and
 * hands each on as an order; side 1 blocks in read() between orders, so an idle pair costs no CPU. */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/adr_atomic.h"
#include "base/adr_base.h"
#include "touch/adr_touch.h"

enum {
  FLOOR_MAX_BATCHES = 1 << 20,
  FLOOR_MAX_EXCHANGES = 1 << 30,
  FLOOR_SLOT_MAX_BYTES = 1 << 20,
  FLOOR_COPY_MAX_BYTES = 64 << 20,
  FLOOR_PAGE_BYTES = 4096,
  FLOOR_RING_BYTES = 2 * (FLOOR_SLOT_MAX_BYTES + 4096), /* of one direction: two of the longest messages */
};

/* What both sides are to do next. */
struct floor_order {
  uint32_t test;    /* index of the test */
  uint16_t pauses;  /* pause instructions between two looks at a line */
  uint16_t hints;   /* whether the sender gives the cache hints */
  uint32_t page;    /* of the shared memory, where a small ring lies */
  int32_t routine;  /* of a test that has several ways to copy */
  uint16_t touched; /* whether messages are written before and read after */
  uint16_t buffers; /* that messages take turns in; 0 is as 1 */
  uint64_t bytes;
  uint64_t batches;
  uint64_t exchanges; /* per batch */
};

struct floor_line {
  _Alignas(ADR_BLOCK) adr_atomic_u64 word;
};

struct floor_shared {
  struct floor_line meeting[2];                           /* writer: the side */
  struct floor_line line[2];                              /* writer: the side */
  struct floor_line wrong[2];                             /* writer: the side; not 0: it read what nobody wrote */
  _Alignas(4096) uint64_t ns[FLOOR_MAX_BATCHES];          /* writer: the side that takes the time */
  _Alignas(4096) uint8_t ring[2][FLOOR_RING_BYTES];       /* ring[s], writer: side s */
  _Alignas(4096) uint8_t buffer[2][FLOOR_COPY_MAX_BYTES]; /* buffer[s], writer: side s */
};

struct floor_pair {
  struct floor_shared *shared;
  uint8_t *mine; /* private to the side, FLOOR_COPY_MAX_BYTES */
  int side;
  int orders; /* side 0 writes orders here, side 1 reads them */
  uint64_t meetings;
  uint32_t patience;  /* looks and pauses at a line before the CPU is given to others */
  uint64_t clock_ns;  /* what reading the clock twice takes */
  struct touch touch; /* this side's messages of the order */
};

typedef void floor_run(struct floor_pair *pair, const struct floor_order *order);

/* Forks: the caller goes on as side 0 on CPU `cpu0`, the child runs `tests[order.test]` for each order on
 * `cpu1` until side 0 ends (-1: not pinned). Returns NULL, or what went wrong. */
const char *floor_pair_start(struct floor_pair *pair, int cpu0, int cpu1, floor_run *const *tests);

/* Both sides run the order; afterwards shared->ns holds its times. Called by side 0. */
void floor_pair_give(struct floor_pair *pair, const struct floor_order *order, floor_run *const *tests);

/* Ends side 1. */
void floor_pair_end(struct floor_pair *pair);

/* Returns once both sides are here. */
void floor_pair_meet(struct floor_pair *pair);

/* Nanoseconds of a clock that both sides share. */
uint64_t floor_now(void);

/* Stores `now - then` for a batch, less `clocks` readings of the clock. */
static inline void floor_note(struct floor_pair *pair, uint64_t batch, uint64_t elapsed, uint64_t clocks) {
  uint64_t overhead = clocks * pair->clock_ns;
  pair->shared->ns[batch] = elapsed > overhead ? elapsed - overhead : 0;
}

/* Spins until `word` has reached `value`; gives the CPU away after a bounded while, since the other side
 * may need this very CPU. SYNC floor-word: acquire, pairs with the other side's release of the same
 * word; orders what it wrote before. */
static inline void floor_await(const struct floor_pair *pair, const adr_atomic_u64 *word, uint64_t value,
                               uint32_t pauses) {
  uint32_t waited = 0;
  while (adr_load_acquire_u64(word) < value) {
    for (uint32_t i = 0; i < pauses; i++) { adr_cpu_pause(); }
    waited += 1 + pauses;
    if (ADR_UNLIKELY(waited > pair->patience)) { sched_yield(); }
  }
}
