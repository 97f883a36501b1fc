/* Growth of a segment by regions: stretches of the file behind the rank areas, with a kind and an owner, listed in the
 * job's directory, and mapped by each process once, at its first use of them. Twin of io.adrastea.segment.Regions.
 *
 * A region is known to all ranks by its index, which is that of its entry in the directory: at most ADR_MAX_REGIONS.
 * The directory is a hole in the file, whose pages are reserved entry by entry, before the entry is used. An entry goes
 * from FREE to CLAIMED by a CAS of the rank that makes a region of it; it gets a stretch of the file, once and for all;
 * the stretch is reserved; the entry is READY. A rank that dies in between leaves an entry that is CLAIMED by a rank
 * that is gone, which the next one that adds takes over, with its stretch: so no page is lost. What may be lost is a
 * number, a stretch of the file that was never reserved and costs nothing. Nobody waits for anybody, and there is no
 * lock. */
#pragma once

#include "segment/adr_segment_state.h"

#define ADR_REGION_NO_OWNER (-1)

/* Where the pages of the system begin in memory that are mapped of an ADR_REGION_SYMMETRIC: at multiples of so many
 * bytes, so that an object in it can lie at a multiple of as many in each process. */
#define ADR_REGION_ALIGNMENT (UINT64_C(2) << 20)

/* What is asked for. */
struct adr_region_request {
  enum adr_region_kind kind;
  int32_t owner;  /* a rank; it, and when it is gone anybody, can give it back. ADR_REGION_NO_OWNER: it stays */
  uint64_t bytes; /* at least so many, at least 1 */
  bool sparse;    /* nothing but its last page is reserved: adr_region_reserve comes before a part of it is touched */
};

/* A region as its entry told when it was asked: the entry was read once, since a rank that is broken may write to it at
 * any time. */
struct adr_region {
  uint64_t offset; /* in the file */
  uint64_t bytes;
  uint32_t kind;
  int32_t owner;
  bool sparse;
};

/* Adds a region, for `rank`, which is the caller: all zeros, its space reserved unless it is sparse. Returns its index,
 * or -EINVAL, -ENOSPC, ADR_SEGMENT_REGIONS (as many are there as can be), ADR_CORRUPT, another -errno. Where the system
 * offers huge pages (adr_huge.h), a region that can have one begins at a multiple of their size. A region that was
 * given back is used again for one, of any kind, that needs more than half of it. */
int adr_region_add(struct adr_segment *segment, uint32_t rank, const struct adr_region_request *request);

/* How many entries may be looked at: indices below it may be regions. */
uint32_t adr_region_count(const struct adr_segment *segment);

/* Tells of a region. Returns 0; -EINVAL: no such region (any more); ADR_CORRUPT: its entry points outside the regions'
 * part of the file; or -errno. */
int adr_region_at(const struct adr_segment *segment, uint32_t index, struct adr_region *region);

/* Whether a rank can have memory in it. A heap is its owner's alone; a symmetric heap lies in one region for all of its
 * ranks, of which one owns it. */
bool adr_region_is_of(const struct adr_region *region, uint32_t rank);

/* The memory of region `index`, mapped at its first use and until the segment is closed. Sets `*region` and `*address`.
 * Returns 0, as adr_region_at, -ENOMEM, or another -errno. Its pages are made huge where the system offers that. From
 * then on adr_region_locate finds what lies in it. Used by one thread at a time. */
int adr_region_map(struct adr_segment *segment, uint32_t index, struct adr_region *region, void **address);

/* Finds the region that memory of this process lies in: one that is mapped here and was not given back here. What it
 * tells was read and checked when the region was mapped, so no peer can spoil it. Sets `*region`, and `*offset` of the
 * memory in the segment's file. Returns 0, or -EINVAL: the bytes do not lie in one region. */
int adr_region_locate(const struct adr_segment *segment, const void *memory, uint64_t bytes, struct adr_region *region,
                      uint64_t *offset);

/* Reserves a part of a sparse region, whole pages, of which some may be in use; only then the others are touched, by
 * anybody. No byte of it changes: what nobody has used is all zeros. Where the system offers huge pages, those that lie
 * in the part whole are made huge; for that the region is mapped here. Used by one thread at a time. Returns 0, -EINVAL
 * (not sparse, or not within it), -ENOSPC or another -errno; then all that was reserved before still is. */
int adr_region_reserve(struct adr_segment *segment, uint32_t index, uint64_t offset, uint64_t bytes);

/* Gives the pages of a part of a sparse region back to the system: it is all zeros, and to be reserved again before
 * anybody touches it. The caller sees to it that nobody uses it. Returns 0, -EINVAL as the former, or another -errno.
 */
int adr_region_release(const struct adr_segment *segment, uint32_t index, uint64_t offset, uint64_t bytes);

/* Gives a region back, by `rank`, the caller, which is its owner; or whose owner is gone. Its pages go to the system.
 * The caller sees to it that no rank uses it any more. Returns 0; -EINVAL: no such region; -EPERM: it has no owner, or
 * one that is there. */
int adr_region_give_back(struct adr_segment *segment, uint32_t rank, uint32_t index);

/* Gives a region back whose owner is gone, of which several ranks may each think that it is theirs to give back: one
 * does. The caller, `rank`, knows that it was that owner's when this was gone: then nothing else can be taken for it,
 * since one that is gone makes no region. Returns whether this call has; false: another rank has, or the owner is
 * there. */
bool adr_region_give_back_of(struct adr_segment *segment, uint32_t rank, uint32_t owner, uint32_t index);

/* Unmaps all regions. */
void adr_region_close(struct adr_segment *segment);
