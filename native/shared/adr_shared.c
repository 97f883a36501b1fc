#include "shared/adr_shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shared/adr_first_fit.h"

#define MOST_BYTES ((uint64_t)INT64_MAX / 4)

/* A region of any rank as it is mapped here. */
struct mapping {
  uint64_t offset; /* in the file */
  uint64_t bytes;
  uint8_t *memory;
  struct mapping *next; /* of the same rank */
};

/* A region of this rank: what of it is taken, and up to where it was ever given out. */
struct heap_part {
  struct mapping mapping;
  struct adr_first_fit fit;
  uint64_t used; /* behind it nothing but the zeros of the reservation */
};

struct adr_shared {
  struct adr_segment *segment;
  uint32_t rank;
  uint32_t part_count;
  uint32_t part_room;
  uint64_t held; /* bytes in the parts */
  struct heap_part *parts;
  struct mapping *reached[]; /* by rank; NULL: none yet */
};

int adr_shared_open(struct adr_shared **shared, struct adr_segment *segment, uint32_t rank) {
  if (rank >= segment->shape.rank_count) { return -EINVAL; }
  *shared = calloc(1, sizeof **shared + segment->shape.rank_count * sizeof(struct mapping *));
  if (*shared == NULL) { return -ENOMEM; }
  (*shared)->segment = segment;
  (*shared)->rank = rank;
  return 0;
}

void adr_shared_close(struct adr_shared *shared) {
  if (shared == NULL) { return; }
  for (uint32_t rank = 0; rank < shared->segment->shape.rank_count; rank++) {
    for (struct mapping *mapping = shared->reached[rank], *next; mapping != NULL; mapping = next) {
      next = mapping->next;
      free(mapping);
    }
  }
  for (uint32_t i = 0; i < shared->part_count; i++) { adr_first_fit_close(&shared->parts[i].fit); }
  free(shared->parts);
  free(shared);
}

static int map(struct adr_shared *shared, uint32_t index, struct mapping *mapping) {
  struct adr_region region;
  void *memory;
  int status = adr_region_map(shared->segment, index, &region, &memory);
  if (status == 0) { *mapping = (struct mapping){region.offset, region.bytes, memory, NULL}; }
  return status;
}

/* Room for one more part. */
static int require_room(struct adr_shared *shared) {
  if (shared->part_count < shared->part_room) { return 0; }
  uint32_t room = shared->part_room == 0 ? 8 : 2 * shared->part_room;
  struct heap_part *parts = realloc(shared->parts, room * sizeof *parts);
  if (parts == NULL) { return -ENOMEM; }
  shared->parts = parts;
  shared->part_room = room;
  return 0;
}

/* Makes the region just added one to allocate from. */
static int add_part(struct adr_shared *shared, uint32_t index) {
  struct heap_part part = {.used = 0};
  int status = require_room(shared);
  if (status == 0) { status = map(shared, index, &part.mapping); }
  if (status == 0) { status = adr_first_fit_open(&part.fit, part.mapping.bytes); }
  if (status < 0) { return status; }
  shared->parts[shared->part_count++] = part;
  shared->held += part.mapping.bytes;
  return 0;
}

/* Adds a region with room for `bytes`; one that cannot be used is given back. */
static int grow(struct adr_shared *shared, uint64_t bytes) {
  struct adr_region_request request = {ADR_REGION_HEAP, (int32_t)shared->rank, bytes, false};
  if (request.bytes < ADR_SHARED_LEAST_REGION_BYTES) { request.bytes = ADR_SHARED_LEAST_REGION_BYTES; }
  if (request.bytes < shared->held / 2) { request.bytes = shared->held / 2; }
  int index = adr_region_add(shared->segment, shared->rank, &request);
  if (index == -ENOSPC && request.bytes > bytes) {
    request.bytes = bytes;
    index = adr_region_add(shared->segment, shared->rank, &request);
  }
  if (index < 0) { return index; }
  int status = add_part(shared, (uint32_t)index);
  if (status < 0) { adr_region_give_back(shared->segment, shared->rank, (uint32_t)index); }
  return status;
}

/* Takes from one region; -ENOSPC: it has no room. */
static int take(struct heap_part *part, uint64_t bytes, uint64_t alignment, void **memory, uint64_t *offset) {
  int64_t start = adr_first_fit_take(&part->fit, bytes, alignment);
  if (start < 0) { return (int)start; }
  uint64_t end = (uint64_t)start + bytes;
  uint64_t dirty = end < part->used ? end : part->used;
  if (dirty > (uint64_t)start) { memset(part->mapping.memory + start, 0, dirty - (uint64_t)start); }
  if (end > part->used) { part->used = end; }
  *memory = part->mapping.memory + start;
  *offset = part->mapping.offset + (uint64_t)start;
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
    uint64_t start = (uintptr_t)memory - (uintptr_t)part->mapping.memory; /* huge when below */
    if (start < part->mapping.bytes) { return adr_first_fit_give(&part->fit, start) < 0 ? -EINVAL : 0; }
  }
  return -EINVAL;
}

/* Whether the bytes lie in one allocation. */
static bool is_allocated(const struct adr_shared *shared, const void *memory, uint64_t bytes) {
  for (uint32_t index = 0; index < shared->part_count; index++) {
    const struct heap_part *part = &shared->parts[index];
    uint64_t start = (uintptr_t)memory - (uintptr_t)part->mapping.memory; /* huge when below */
    if (start < part->mapping.bytes) { return adr_first_fit_holds(&part->fit, start, bytes); }
  }
  return false;
}

int adr_shared_locate(const struct adr_shared *shared, const void *memory, uint64_t bytes, uint64_t *offset) {
  struct adr_region region;
  int status = adr_region_locate(shared->segment, memory, bytes, &region, offset);
  if (status < 0) { return status; }
  bool lies = adr_region_is_of(&region, shared->rank)
              && (region.kind != ADR_REGION_HEAP || is_allocated(shared, memory, bytes));
  return lies ? 0 : -EINVAL;
}

/* Whether all of it lies in the region. */
static bool holds(uint64_t region_offset, uint64_t region_bytes, uint64_t offset, uint64_t bytes) {
  uint64_t start = offset - region_offset; /* huge when below */
  return start < region_bytes && bytes <= region_bytes - start;
}

static void *within(const struct mapping *mapping, uint64_t offset) {
  return mapping->memory + (offset - mapping->offset);
}

/* Reaches `bytes` bytes at the first use of a region of `rank`. */
static int reach_first(struct adr_shared *shared, uint32_t rank, uint64_t offset, uint64_t bytes, void **memory) {
  struct adr_region region;
  uint32_t count = adr_region_count(shared->segment);
  if (count > ADR_MAX_REGIONS) { return ADR_CORRUPT; }
  for (uint32_t index = 0; index < count; index++) {
    int status = adr_region_at(shared->segment, index, &region);
    if (status == -EINVAL) { continue; }
    if (status < 0 && status != ADR_CORRUPT) { return status; }
    if (!adr_region_is_of(&region, rank) || !holds(region.offset, region.bytes, offset, bytes)) { continue; }
    struct mapping *mapping = status < 0 ? NULL : malloc(sizeof *mapping);
    if (mapping == NULL) { return status < 0 ? status : -ENOMEM; }
    status = map(shared, index, mapping);
    if (status == 0 && !holds(mapping->offset, mapping->bytes, offset, bytes)) { status = ADR_CORRUPT; }
    if (status < 0) {
      free(mapping);
      return status;
    }
    mapping->next = shared->reached[rank];
    shared->reached[rank] = mapping;
    *memory = within(mapping, offset);
    return 0;
  }
  return -EINVAL;
}

int adr_shared_reach(struct adr_shared *shared, int32_t rank, uint64_t offset, uint64_t bytes, void **memory) {
  uint32_t of = (uint32_t)rank;
  if (of >= shared->segment->shape.rank_count || bytes == 0) { return -EINVAL; }
  for (const struct mapping *mapping = shared->reached[of]; mapping != NULL; mapping = mapping->next) {
    if (holds(mapping->offset, mapping->bytes, offset, bytes)) {
      *memory = within(mapping, offset);
      return 0;
    }
  }
  return reach_first(shared, of, offset, bytes, memory);
}
