/* Which parts of a stretch of memory are taken: first fit, neighbours that are free are one. Numbers alone; the memory
 * itself is never touched, so no peer can spoil the bookkeeping. Twin of io.adrastea.shared.FirstFit.
 *
 * The stretch is cut into blocks without gaps, in order; no two neighbours are both free. Blocks begin at multiples of
 * ADR_FIRST_FIT_GRAIN, so what two owners write never shares a cache line. */
#pragma once

#include <stdbool.h>

#include "base/adr_base.h"

#define ADR_FIRST_FIT_GRAIN ADR_BLOCK

struct adr_first_fit_block {
  uint64_t start; /* it ends where the next one starts */
  uint64_t asked; /* bytes asked for, 0: free */
};

struct adr_first_fit {
  struct adr_first_fit_block *blocks; /* one more than `count`: the last starts where the stretch ends */
  size_t count;
  size_t places;
};

/* A stretch of `bytes`, a multiple of the grain, all of it free. Returns 0 or -ENOMEM. */
int adr_first_fit_open(struct adr_first_fit *fit, uint64_t bytes);
void adr_first_fit_close(struct adr_first_fit *fit);

/* Takes `bytes` (1 to INT64_MAX / 4) at a multiple of `alignment`, a power of two. Returns where they start, or
 * -ENOSPC: no free block is large enough; or -ENOMEM. */
int64_t adr_first_fit_take(struct adr_first_fit *fit, uint64_t bytes, uint64_t alignment);

/* Whether `bytes` from `at` on, which lies in the stretch, are within what one adr_first_fit_take gave. */
bool adr_first_fit_holds(const struct adr_first_fit *fit, uint64_t at, uint64_t bytes);

/* Gives back what was taken at `start`. Returns the bytes that were asked for, or -EINVAL: nothing taken starts there.
 */
int64_t adr_first_fit_give(struct adr_first_fit *fit, uint64_t start);
