#include "copies/adr_copies_set.h"

#include <stddef.h>
#include <sys/mman.h>

#include "base/adr_base.h"

enum { MAX_LINES = 1 << 20, HUGE_PAGE = 2 << 20 }; /* 64 MiB */

struct line {
  _Alignas(ADR_LINE) uint32_t next;
};

static _Alignas(HUGE_PAGE) struct line set[MAX_LINES];
static uint32_t lines = 1;

static uint64_t random_below(uint64_t *state, uint64_t bound) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state % bound;
}

/* Sattolo's shuffle: one cycle through all lines. In huge pages, if there are any, so that it is the lines that are
 * missed, not their addresses, and so that they fill the sets of the cache evenly. */
void copies_set_make(uint64_t bytes) {
  uint64_t state = 88172645463325252u;
  uint64_t count = bytes / ADR_LINE;
  lines = (uint32_t)(count < 1 ? 1 : count > MAX_LINES ? MAX_LINES : count);
  madvise(set, sizeof set, MADV_HUGEPAGE);
  for (uint32_t i = 0; i < lines; i++) { set[i].next = i; }
  for (uint32_t i = lines - 1; i > 0; i--) {
    uint32_t other = (uint32_t)random_below(&state, i);
    uint32_t next = set[i].next;
    set[i].next = set[other].next;
    set[other].next = next;
  }
}

const uint8_t *copies_set(void) { return (const uint8_t *)set; }

uint64_t copies_set_bytes(void) { return (uint64_t)lines * ADR_LINE; }

void copies_set_walk(void) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < lines; i++) { at = set[at].next; }
  __asm__ __volatile__("" ::"r"(at)); /* it is used */
}
