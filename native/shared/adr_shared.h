/* Shared allocations: memory that a rank takes and that every rank of the node can reach by (rank, offset), where the
 * offset is that in the segment's file. Twin of io.adrastea.shared.SharedHeap and SharedReach.
 *
 * Allocations lie in regions of the rank (adr_region.h). A region is at least half as large as all before it, so that
 * there are few, or just as large as needed when there is no room for that. Regions live as long as the segment; what
 * is freed is for later allocations of the same rank. Used by one thread at a time. */
#pragma once

#include "segment/adr_region.h"

#define ADR_SHARED_LEAST_REGION_BYTES (UINT64_C(256) << 10)
#define ADR_SHARED_MAX_ALIGNMENT 4096u

struct adr_shared;

/* Opens the shared allocations of `rank`, the caller, on a segment that stays open meanwhile. Returns 0, -EINVAL or
 * -ENOMEM. */
int adr_shared_open(struct adr_shared **shared, struct adr_segment *segment, uint32_t rank);

/* Forgets what was allocated and reached; the memory is mapped until the segment is closed. */
void adr_shared_close(struct adr_shared *shared);

/* Whether so many bytes at multiples of `alignment` may be asked for. */
bool adr_shared_allows(uint64_t bytes, uint64_t alignment);

/* Takes `bytes`, all zeros, at a multiple of `alignment`: a power of two from 1 to 4096, since each process maps the
 * memory at another page. The pages are there, near the calling thread; allocations never share a cache line. Sets
 * `*memory` and
 * `*offset`. Returns 0; -EINVAL: bytes or alignment out of range; -ENOSPC: no room for as many bytes;
 * ADR_SEGMENT_REGIONS: the job has all the regions it can have; ADR_CORRUPT; or another -errno. */
int adr_shared_allocate(struct adr_shared *shared, uint64_t bytes, uint64_t alignment, void **memory, uint64_t *offset);

/* Gives back what adr_shared_allocate gave: the caller sees to it that no rank uses it any more. Returns 0, or -EINVAL:
 * no allocation of this rank starts at `memory`, or it was freed already. */
int adr_shared_free(struct adr_shared *shared, const void *memory);

/* Finds out whether memory of this rank lies where all ranks of the host reach it as this rank's: in one allocation, in
 * or in a symmetric heap. Sets `*offset` of it in the segment's file. Returns 0, or -EINVAL: it is private
 * memory, or that of another rank's heap. */
int adr_shared_locate(const struct adr_shared *shared, const void *memory, uint64_t bytes, uint64_t *offset);

/* Memory of any rank (of its allocations, or of a symmetric heap), `bytes` long from `offset` in the
 * segment's file on, mapped here at first use; it stays mapped until the segment is closed. Returns 0; -EINVAL: no such
 * rank, no bytes, or they do not lie in one region of that rank; ADR_CORRUPT; or another -errno. */
int adr_shared_reach(struct adr_shared *shared, int32_t rank, uint64_t offset, uint64_t bytes, void **memory);
