/* Huge pages for a segment's file, as the system offers them. Twin of io.adrastea.segment.HugePages.
 *
 * Of a memory file system its mount option `huge` decides. `shmem_enabled` is for memory without a file, but its values
 * `deny` and `force` hold for all (Linux, admin-guide/mm/transhuge.rst). */
#ifndef ADR_HUGE_H
#define ADR_HUGE_H

#include <stdint.h>
#include <sys/types.h>

/* Bytes of a huge page, a power of two, when files of the file system `device` can have them; otherwise 0. `root`:
 * where /proc and /sys lie, "" for the machine's own. */
uint64_t adr_huge_page(const char *root, dev_t device);

/* Makes huge pages of reserved memory of a file, as far as address and offset in the file are multiples of their size.
 * Bytes stay what they are; others may use them meanwhile. Needs Linux 6.1: before, the kernel does it later, if ever.
 * Returns 0, or -errno when not all of it was made so. */
int adr_huge_request(void *address, uint64_t bytes);

#endif
