#include <errno.h>
#include <string.h>

#include "segment/adr_reservation.h"
#include "segment/adr_segment.h"

int adr_segment_reserve(struct adr_segment *segment, uint32_t rank) {
  const struct adr_segment_shape *shape = &segment->shape;
  if (rank >= shape->rank_count) { return -EINVAL; }
  uint64_t area = shape->rank_area_offset + rank * shape->rank_area_bytes;
  int status = adr_reservation_reserve(segment->fd, area, shape->boxes_offset);
  if (status < 0) { return status; }
  memset(segment->base + area, 0, shape->box_table_offset + shape->rank_count * ADR_BOX_ENTRY_BYTES);
  uint8_t *cell = segment->base + area + shape->cells_offset;
  for (uint32_t index = 0; index < shape->cell_count; index++, cell += shape->cell_stride) {
    memset(cell, 0, sizeof(struct adr_cell));
  }
  return 0;
}

int adr_segment_reserve_box(struct adr_segment *segment, uint32_t rank, uint32_t source) {
  const struct adr_segment_shape *shape = &segment->shape;
  uint64_t bytes = (uint64_t)shape->boxes.slots * ADR_LINE;
  if (rank >= shape->rank_count || source >= shape->rank_count || bytes == 0) { return -EINVAL; }
  uint64_t area = shape->rank_area_offset + rank * shape->rank_area_bytes;
  return adr_reservation_reserve(segment->fd, area + shape->boxes_offset + source * bytes, bytes);
}
