#include "shared/adr_shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shared/adr_first_fit.h"

#define MOST_BYTES ((uint64_t)INT64_MAX / 4)

/* A region as it is mapped here. */
struct mapping {
  uint64_t offset; /* in the file */
  uint64_t bytes;
  uint8_t *memory; /* NULL: not mapped yet */
};

/* A region of this rank: what of it is taken, and up to where it was ever given out. */
struct heap_part {
  const struct mapping *mapping;
  struct adr_first_fit fit;
  uint64_t used; /* behind it nothing but the zeros of the reservation */
};

struct adr_shared {
  struct adr_segment *segment;
  uint32_t rank;
  uint32_t part_count;
  uint64_t held; /* bytes in the parts */
  struct heap_part parts[ADR_MAX_REGIONS];
  struct mapping mappings[]; /* ADR_MAX_REGIONS for each rank */
};

int adr_shared_open(struct adr_shared **shared, struct adr_segment *segment, uint32_t rank) {
  size_t mappings = (size_t)segment->shape.rank_count * ADR_MAX_REGIONS;
  if (rank >= segment->shape.rank_count) { return -EINVAL; }
  *shared = calloc(1, sizeof **shared + mappings * sizeof(struct mapping));
  if (*shared == NULL) { return -ENOMEM; }
  (*shared)->segment = segment;
  (*shared)->rank = rank;
  return 0;
}

void adr_shared_close(struct adr_shared *shared) {
  if (shared == NULL) { return; }
  size_t mappings = (size_t)shared->segment->shape.rank_count * ADR_MAX_REGIONS;
  for (size_t i = 0; i < mappings; i++) {
    if (shared->mappings[i].memory != NULL) { adr_region_unmap(shared->mappings[i].memory, shared->mappings[i].bytes); }
  }
  for (uint32_t i = 0; i < shared->part_count; i++) { adr_first_fit_close(&shared->parts[i].fit); }
  free(shared);
}

static struct mapping *mapping_of(struct adr_shared *shared, uint32_t rank, uint32_t index) {
  return &shared->mappings[(size_t)rank * ADR_MAX_REGIONS + index];
}

/* A region that is mapped already is not mapped again: its rank, or who broke it, has set the count of its regions
 * back. */
static int map(struct adr_shared *shared, uint32_t rank, uint32_t index) {
  struct mapping *mapping = mapping_of(shared, rank, index);
  struct adr_region region;
  void *memory;
  if (mapping->memory != NULL) { return ADR_CORRUPT; }
  int status = adr_region_at(shared->segment, rank, index, &region);
  if (status == 0) { status = adr_region_map(shared->segment, region, &memory); }
  if (status == 0) { *mapping = (struct mapping){region.offset, region.bytes, memory}; }
  return status;
}

/* Makes the region just added one to allocate from. */
static int add_part(struct adr_shared *shared, uint32_t index) {
  struct heap_part *part = &shared->parts[shared->part_count];
  int status = map(shared, shared->rank, index);
  if (status < 0) { return status; }
  part->mapping = mapping_of(shared, shared->rank, index);
  part->used = 0;
  status = adr_first_fit_open(&part->fit, part->mapping->bytes);
  if (status < 0) { return status; }
  shared->part_count++;
  shared->held += part->mapping->bytes;
  return 0;
}

/* Adds a region with room for `bytes`. */
static int grow(struct adr_shared *shared, uint64_t bytes) {
  uint64_t wanted = bytes;
  if (wanted < ADR_SHARED_LEAST_REGION_BYTES) { wanted = ADR_SHARED_LEAST_REGION_BYTES; }
  if (wanted < shared->held / 2) { wanted = shared->held / 2; }
  int index = adr_region_add(shared->segment, shared->rank, wanted);
  if (index == -ENOSPC && wanted > bytes) { index = adr_region_add(shared->segment, shared->rank, bytes); }
  return index < 0 ? index : add_part(shared, (uint32_t)index);
}

/* Takes from one region; -ENOSPC: it has no room. */
static int take(struct heap_part *part, uint64_t bytes, uint64_t alignment, void **memory, uint64_t *offset) {
  int64_t start = adr_first_fit_take(&part->fit, bytes, alignment);
  if (start < 0) { return (int)start; }
  uint64_t end = (uint64_t)start + bytes;
  uint64_t dirty = end < part->used ? end : part->used;
  if (dirty > (uint64_t)start) { memset(part->mapping->memory + start, 0, dirty - (uint64_t)start); }
  if (end > part->used) { part->used = end; }
  *memory = part->mapping->memory + start;
  *offset = part->mapping->offset + (uint64_t)start;
  return 0;
}

bool adr_shared_allows(uint64_t bytes, uint64_t alignment) {
  bool power = alignment != 0 && (alignment & (alignment - 1)) == 0;
  return bytes > 0 && bytes <= MOST_BYTES && power && alignment <= ADR_SHARED_MAX_ALIGNMENT;
}

int adr_shared_allocate(struct adr_shared *shared, uint64_t bytes, uint64_t alignment, void **memory,
                        uint64_t *offset) {
  if (!adr_shared_allows(bytes, alignment)) { return -EINVAL; }
  for (uint32_t index = 0; index < shared->part_count; index++) {
    int status = take(&shared->parts[index], bytes, alignment, memory, offset);
    if (status != -ENOSPC) { return status; }
  }
  int status = grow(shared, bytes);
  return status < 0 ? status : take(&shared->parts[shared->part_count - 1], bytes, alignment, memory, offset);
}

int adr_shared_free(struct adr_shared *shared, const void *memory) {
  for (uint32_t index = 0; index < shared->part_count; index++) {
    struct heap_part *part = &shared->parts[index];
    uint64_t start = (uintptr_t)memory - (uintptr_t)part->mapping->memory; /* huge when below */
    if (start < part->mapping->bytes) { return adr_first_fit_give(&part->fit, start) < 0 ? -EINVAL : 0; }
  }
  return -EINVAL;
}

/* Whether all of it lies in the region. */
static bool holds(uint64_t region_offset, uint64_t region_bytes, uint64_t offset, uint64_t bytes) {
  uint64_t start = offset - region_offset; /* huge when below */
  return start < region_bytes && bytes <= region_bytes - start;
}

static int reach_mapped(const struct mapping *mapping, uint64_t offset, uint64_t bytes, void **memory) {
  if (mapping->memory == NULL || !holds(mapping->offset, mapping->bytes, offset, bytes)) { return -EINVAL; }
  *memory = mapping->memory + (offset - mapping->offset);
  return 0;
}

/* At the first use of a region. */
static int reach_first(struct adr_shared *shared, uint32_t rank, uint64_t offset, uint64_t bytes, void **memory) {
  struct adr_region region;
  int status;
  for (uint32_t index = 0; (status = adr_region_at(shared->segment, rank, index, &region)) == 0; index++) {
    if (mapping_of(shared, rank, index)->memory == NULL && holds(region.offset, region.bytes, offset, bytes)) {
      status = map(shared, rank, index);
      return status < 0 ? status : reach_mapped(mapping_of(shared, rank, index), offset, bytes, memory);
    }
  }
  return status; /* -EINVAL: that was the last one */
}

int adr_shared_reach(struct adr_shared *shared, int32_t rank, uint64_t offset, uint64_t bytes, void **memory) {
  uint32_t of = (uint32_t)rank;
  if (of >= shared->segment->shape.rank_count || bytes == 0) { return -EINVAL; }
  for (uint32_t index = 0; index < ADR_MAX_REGIONS; index++) {
    if (reach_mapped(mapping_of(shared, of, index), offset, bytes, memory) == 0) { return 0; }
  }
  return reach_first(shared, of, offset, bytes, memory);
}
