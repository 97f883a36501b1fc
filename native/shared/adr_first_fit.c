#include "shared/adr_first_fit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PLACES = 16, MOST_NEW_BLOCKS = 2 };

int adr_first_fit_open(struct adr_first_fit *fit, uint64_t bytes) {
  *fit = (struct adr_first_fit){.count = 1, .places = FIRST_PLACES};
  fit->blocks = calloc(FIRST_PLACES, sizeof *fit->blocks);
  if (fit->blocks == NULL) { return -ENOMEM; }
  fit->blocks[1].start = bytes;
  return 0;
}

void adr_first_fit_close(struct adr_first_fit *fit) {
  free(fit->blocks);
  *fit = (struct adr_first_fit){0};
}

/* Room for the blocks that a split makes. */
static int require_places(struct adr_first_fit *fit) {
  if (fit->count + 1 + MOST_NEW_BLOCKS <= fit->places) { return 0; }
  void *grown = realloc(fit->blocks, 2 * fit->places * sizeof *fit->blocks);
  if (grown == NULL) { return -ENOMEM; }
  fit->blocks = grown;
  fit->places *= 2;
  return 0;
}

/* Cuts block `index` in two; the second starts at `start` and is free. */
static void split(struct adr_first_fit *fit, size_t index, uint64_t start) {
  struct adr_first_fit_block *next = &fit->blocks[index + 1];
  memmove(next + 1, next, (fit->count - index) * sizeof *next);
  *next = (struct adr_first_fit_block){.start = start};
  fit->count++;
}

/* Makes block `index` one with the next. */
static void join_next(struct adr_first_fit *fit, size_t index) {
  struct adr_first_fit_block *next = &fit->blocks[index + 1];
  memmove(next, next + 1, (fit->count - index - 1) * sizeof *next);
  fit->count--;
}

static bool is_free(const struct adr_first_fit *fit, size_t index) {
  return index < fit->count && fit->blocks[index].asked == 0;
}

static int64_t take_from(struct adr_first_fit *fit, size_t index, uint64_t start, uint64_t bytes) {
  uint64_t end = start + adr_align_up(bytes, ADR_FIRST_FIT_GRAIN);
  if (require_places(fit) < 0) { return -ENOMEM; }
  if (start > fit->blocks[index].start) { split(fit, index++, start); }
  if (end < fit->blocks[index + 1].start) { split(fit, index, end); }
  fit->blocks[index].asked = bytes;
  return (int64_t)start;
}

int64_t adr_first_fit_take(struct adr_first_fit *fit, uint64_t bytes, uint64_t alignment) {
  uint64_t whole = adr_align_up(bytes, ADR_FIRST_FIT_GRAIN);
  for (size_t index = 0; index < fit->count; index++) {
    uint64_t start = adr_align_up(fit->blocks[index].start, alignment);
    uint64_t end = fit->blocks[index + 1].start;
    if (is_free(fit, index) && start <= end && whole <= end - start) { return take_from(fit, index, start, bytes); }
  }
  return -ENOSPC;
}

/* The first block that does not start before `start`; `count`: all do. */
static size_t first_from(const struct adr_first_fit *fit, uint64_t start) {
  size_t low = 0;
  size_t high = fit->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (fit->blocks[middle].start < start) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Whether a block starts there. */
static bool is_start(const struct adr_first_fit *fit, size_t index, uint64_t start) {
  return index < fit->count && fit->blocks[index].start == start;
}

bool adr_first_fit_holds(const struct adr_first_fit *fit, uint64_t at, uint64_t bytes) {
  size_t index = first_from(fit, at);
  if (!is_start(fit, index, at)) { index--; } /* the first block starts at 0 */
  const struct adr_first_fit_block *block = &fit->blocks[index];
  uint64_t before = at - block->start;
  return !is_free(fit, index) && before <= block->asked && bytes <= block->asked - before;
}

int64_t adr_first_fit_give(struct adr_first_fit *fit, uint64_t start) {
  size_t index = first_from(fit, start);
  if (!is_start(fit, index, start) || is_free(fit, index)) { return -EINVAL; }
  uint64_t asked = fit->blocks[index].asked;
  fit->blocks[index].asked = 0;
  if (is_free(fit, index + 1)) { join_next(fit, index); }
  if (index > 0 && is_free(fit, index - 1)) { join_next(fit, index - 1); }
  return (int64_t)asked;
}
