#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "segment/adr_segment.h"

static int allocate(int fd, uint64_t offset, uint64_t bytes) {
  int error;
  do {
    error = posix_fallocate(fd, (off_t)offset, (off_t)bytes);
  } while (error == EINTR);
  return -error;
}

int adr_segment_reserve(struct adr_segment *segment, uint32_t rank) {
  const struct adr_segment_shape *shape = &segment->shape;
  if (rank >= shape->rank_count) { return -EINVAL; }
  uint64_t area = shape->rank_area_offset + rank * shape->rank_area_bytes;
  int status = allocate(segment->fd, area, shape->rank_area_bytes);
  if (status < 0) { return status; }
  memset(segment->base + area, 0, sizeof(struct adr_rank_area));
  uint8_t *cell = segment->base + area + shape->cells_offset;
  for (uint32_t index = 0; index < shape->cell_count; index++, cell += shape->cell_stride) {
    memset(cell, 0, sizeof(struct adr_cell));
  }
  return 0;
}
