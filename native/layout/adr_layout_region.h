/* Twin of io.adrastea.layout.RegionDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_base.h"

/* A stretch of the segment's file that a rank added later: shared allocations. */
struct adr_region {
  uint64_t offset; /* in the file */
  uint64_t bytes;
};
#define ADR_REGION_BYTES 16
#define ADR_REGION_FIELDS(X) \
  X(region, offset, 0, 8) \
  X(region, bytes, 8, 8)
