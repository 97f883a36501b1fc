/* Regions of a job's segment in which several ranks have equal parts, one behind the other: symmetric heaps [OpenSHMEM
 * over XPMEM 2011, 3.1]. One rank adds a region, and tells the others its index; each reserves pages of its own part
 * before it uses them, by adr_region_reserve. Twin of io.adrastea.shared.SymmetricRegions. */
#pragma once

#include "segment/adr_region.h"

/* Adds a region of `rank`, the caller, all zeros, of which no page is reserved but the last one of so many bytes, a
 * multiple of ADR_PAGE. Returns its index, or as adr_region_add. */
int adr_symmetric_region_add(struct adr_segment *segment, uint32_t rank, uint64_t bytes);

/* All memory of a region that another rank has told, mapped here. Sets `*memory` and its `*offset` in the segment's
 * file. Returns 0; ADR_CORRUPT: there is no such region of so many bytes; or as adr_region_map. */
int adr_symmetric_region_memory(struct adr_segment *segment, uint32_t index, uint64_t bytes, void **memory,
                                uint64_t *offset);
