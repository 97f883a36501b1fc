/* Twin of io.adrastea.layout.RegionEntryDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"
#include "base/adr_base.h"

#define ADR_MAX_REGIONS 16384u

/* States of a region, in bits 0 to 7 of its `state`. */
enum {
  ADR_REGION_FREE = 0,    /* nobody has it; it may have a stretch of the file from before */
  ADR_REGION_CLAIMED = 1, /* a rank makes it, or gives it back: that rank's number + 1 is in bits 32 to 63 */
  ADR_REGION_READY = 2,   /* its owner's number + 1, or 0 for none, is in bits 32 to 63, its kind in bits 8 to 15 */
};
#define ADR_REGION_SPARSE (UINT64_C(1) << 16) /* in `state`: not all of it is reserved */

/* What a region is for. */
enum adr_region_kind {
  ADR_REGION_HEAP = 1,      /* shared allocations of its owner: buffers of programs, copy rings, split words */
  ADR_REGION_SLOTS = 2,     /* collectives' slots of a communicator */
  ADR_REGION_SYMMETRIC = 4, /* a symmetric heap; 3 was another kind */
};

/* A stretch of the segment's file that was added later. */
struct adr_region_entry {
  /* writers: every rank, which claims it first */
  adr_atomic_u64 state;
  adr_atomic_u64 offset; /* in the file; 0: it has no stretch yet */
  adr_atomic_u64 bytes;
  uint64_t reserved0; /* always 0: written to reserve the entry's page */
};
#define ADR_REGION_ENTRY_BYTES 32
#define ADR_REGION_DIRECTORY_BYTES (ADR_MAX_REGIONS * ADR_REGION_ENTRY_BYTES)
#define ADR_REGION_ENTRY_FIELDS(X) \
  X(region_entry, state, 0, 8) \
  X(region_entry, offset, 8, 8) \
  X(region_entry, bytes, 16, 8) \
  X(region_entry, reserved0, 24, 8)
