#include "shared/adr_symmetric_region.h"

#include <errno.h>

int adr_symmetric_region_add(struct adr_segment *segment, uint32_t rank, uint64_t bytes) {
  const struct adr_region_request request = {ADR_REGION_SYMMETRIC, (int32_t)rank, bytes, true};
  const int index = adr_region_add(segment, rank, &request);
  if (index < 0) { return index; }
  /* The region may be larger than that, and its own last page be another one. */
  const int status = adr_region_reserve(segment, (uint32_t)index, bytes - ADR_PAGE, ADR_PAGE);
  if (status < 0) { adr_region_give_back(segment, rank, (uint32_t)index); }
  return status < 0 ? status : index;
}

int adr_symmetric_region_memory(struct adr_segment *segment, uint32_t index, uint64_t bytes, void **memory,
                                uint64_t *offset) {
  struct adr_region region;
  const int status = adr_region_map(segment, index, &region, memory);
  if (status < 0) { return status == -EINVAL ? ADR_CORRUPT : status; }
  if (region.kind != ADR_REGION_SYMMETRIC || region.bytes < bytes) { return ADR_CORRUPT; }
  *offset = region.offset;
  return 0;
}
