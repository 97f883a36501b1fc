/* Growth of a segment by regions: stretches of the file behind the rank areas, reserved by their owner and
 * mapped by others at first use. */
#pragma once

#include "segment/adr_segment.h"

/* Adds a region of at least `bytes` (> 0) to those of `rank`, which is the caller. Returns its index
 * among them, or -EINVAL, -ENOSPC, ADR_SEGMENT_REGIONS (31 are there), another -errno. Space that could
 * not be reserved stays a hole in the file: it costs no memory. Where the system offers huge pages (adr_huge.h), a
 * region that can have one begins at a multiple of their size. */
int adr_region_add(struct adr_segment *segment, uint32_t rank, uint64_t bytes);

/* Tells where region `index` of `rank` lies. Returns 0; -EINVAL: no such region (yet); ADR_CORRUPT: its entry points
 * outside the regions' part of the file; or -errno. */
int adr_region_at(const struct adr_segment *segment, uint32_t rank, uint32_t index, struct adr_region *region);

/* Maps a region that adr_region_at told. Returns 0 and sets `*address`, or -errno. Its pages are made huge where the
 * system offers that. */
int adr_region_map(const struct adr_segment *segment, struct adr_region region, void **address);

/* Unmaps a region of so many bytes that lies there. */
void adr_region_unmap(void *address, uint64_t bytes);
