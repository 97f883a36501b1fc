/* The pages of the system. A segment is laid out in pages of 4 KiB (ADR_PAGE); those of the system may have 16 or 64
 * KiB (AArch64), and what is mapped, or given back, is whole pages of the system. */
#ifndef ADR_PAGES_H
#define ADR_PAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

/* Bytes of a page, a power of two. */
static inline uint64_t adr_pages_bytes(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }

/* By how much an offset, or an address, lies behind the beginning of its page. */
static inline uint64_t adr_pages_behind(uint64_t at) { return at & (adr_pages_bytes() - 1); }

/* Whether so many bytes there are whole pages: nothing of others lies on them. */
static inline bool adr_pages_are_whole(const void *start, uint64_t bytes) {
  return adr_pages_behind((uintptr_t)start | bytes) == 0;
}

#endif
