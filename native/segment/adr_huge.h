/* Huge pages for a segment's file, as the system offers them. Twin of io.adrastea.segment.HugePages.
 *
 * For a memory file system its mount option `huge` decides. `shmem_enabled` is for memory without a file, but its
 * values `deny` and `force` hold for all (Linux, admin-guide/mm/transhuge.rst). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

/* No huge page is smaller, on any machine: where fewer bytes are asked for, nobody needs to know what is offered, which
 * takes longer than a page does. */
#define ADR_HUGE_LEAST_BYTES (UINT64_C(1) << 20)

/* Bytes of a huge page, a power of two, when files of the file system `device` can have them; otherwise 0. `root`:
 * where /proc and /sys lie, "" for the machine's own. */
uint64_t adr_huge_page(const char *root, dev_t device);

/* Makes huge pages of reserved memory of a file, as far as address and offset in the file are multiples of their size.
 * Bytes stay what they are; others may use them meanwhile. Needs Linux 6.1: before, the kernel does it later, if ever.
 * Returns 0, or -errno when not all of it was made so. */
int adr_huge_request(void *address, uint64_t bytes);

/* The pages of the system. A segment is laid out in pages of 4 KiB (ADR_PAGE); those of the system may have 16 or 64
 * KiB (AArch64), and what is mapped, or given back, is whole pages of the system. */
/* Bytes of a page, a power of two. */
static inline uint64_t adr_pages_bytes(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }

/* Returns by how much an offset, or an address, lies behind the beginning of its page. */
static inline uint64_t adr_pages_behind(uint64_t at) { return at & (adr_pages_bytes() - 1); }

/* Whether so many bytes there are whole pages: nothing of others lies on them. */
static inline bool adr_pages_are_whole(const void *start, uint64_t bytes) {
  return adr_pages_behind((uintptr_t)start | bytes) == 0;
}
