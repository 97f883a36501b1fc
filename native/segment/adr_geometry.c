#include <errno.h>
#include <string.h>

#include "segment/adr_geometry.h"

/* An odd multiple of a block, so that the cells' headers spread over all cache sets. */
static uint32_t stride_of(uint32_t payload) {
  uint32_t stride = (uint32_t)adr_align_up(ADR_CELL_BYTES + payload, ADR_BLOCK);
  return (stride / ADR_BLOCK) % 2 == 0 ? stride + ADR_BLOCK : stride;
}

static bool may_be(struct adr_box_settings boxes) {
  bool power = (boxes.slots & (boxes.slots - 1)) == 0;
  return boxes.slots == 0
         || (power && boxes.slots >= ADR_MIN_BOX_SLOTS && boxes.slots <= ADR_MAX_BOX_SLOTS
             && boxes.limit <= adr_box_most(boxes.slots) && boxes.threshold >= 1);
}

int adr_segment_shape_make(struct adr_segment_shape *shape, uint32_t ranks, uint32_t cells, uint32_t payload,
                           struct adr_box_settings boxes) {
  if (ranks < 1 || ranks > ADR_MAX_LOCAL_RANKS || cells < ADR_MIN_CELLS || cells > ADR_MAX_CELLS
      || payload < ADR_MIN_CELL_PAYLOAD || payload > ADR_MAX_CELL_PAYLOAD || !may_be(boxes)) {
    return -EINVAL;
  }
  shape->rank_count = ranks;
  shape->cell_count = cells;
  shape->cell_payload = payload;
  shape->cell_stride = stride_of(payload);
  shape->rank_table_offset = ADR_PAGE;
  shape->rank_area_offset = adr_context_id_table_offset(ranks) + ADR_CONTEXT_ID_TABLE_BYTES;
  shape->boxes = boxes;
  shape->box_table_offset = ADR_RANK_AREA_BYTES;
  shape->cells_offset = adr_align_up(ADR_RANK_AREA_BYTES + (uint64_t)ranks * ADR_BOX_ENTRY_BYTES, ADR_PAGE);
  shape->boxes_offset = adr_align_up(shape->cells_offset + (uint64_t)cells * shape->cell_stride, ADR_PAGE);
  shape->rank_area_bytes = shape->boxes_offset + (uint64_t)ranks * boxes.slots * ADR_LINE;
  shape->segment_bytes = shape->rank_area_offset + ranks * shape->rank_area_bytes;
  return 0;
}

/* Whether the header holds just these sizes. */
static bool equals(const struct adr_segment_shape *shape, const struct adr_segment_header *header) {
  return header->rank_count == shape->rank_count && header->cell_count == shape->cell_count
         && header->cell_payload == shape->cell_payload && header->cell_stride == shape->cell_stride
         && header->rank_table_offset == shape->rank_table_offset && header->rank_area_offset == shape->rank_area_offset
         && header->rank_area_bytes == shape->rank_area_bytes && header->cells_offset == shape->cells_offset
         && header->box_ring_bytes == shape->boxes.slots * ADR_LINE
         && header->box_table_offset == shape->box_table_offset && header->boxes_offset == shape->boxes_offset
         && header->segment_bytes == shape->segment_bytes;
}

void adr_segment_header_read(struct adr_segment_header *copy, const void *shared) {
  _Static_assert(sizeof *copy % sizeof(uint64_t) == 0, "a header is whole words");
  uint64_t words[sizeof *copy / sizeof(uint64_t)];
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    words[i] = adr_load_once_u64((const uint64_t *)shared + i);
  }
  memcpy((void *)copy, words, sizeof words);
}

int adr_segment_shape_of(struct adr_segment_shape *shape, const struct adr_segment_header *header) {
  struct adr_box_settings boxes = {.slots = header->box_ring_bytes / ADR_LINE,
                                   .limit = header->box_limit & ~ADR_BOX_LEARNS,
                                   .threshold = header->box_threshold,
                                   .preallocate_ranks = header->box_preallocate_ranks,
                                   .learns = (header->box_limit & ADR_BOX_LEARNS) != 0};
  int status = adr_segment_shape_make(shape, header->rank_count, header->cell_count, header->cell_payload, boxes);
  return status == 0 && !equals(shape, header) ? -EINVAL : status;
}
