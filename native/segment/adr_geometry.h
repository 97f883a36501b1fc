/* Where things lie in a segment. Twin of io.adrastea.segment.Geometry. */
#ifndef ADR_GEOMETRY_H
#define ADR_GEOMETRY_H

#include "segment/adr_segment_shape.h"

/* The rank table lies there in every segment; whoever attaches has checked that. */
static inline uint64_t adr_rank_entry_offset(uint32_t rank) { return ADR_PAGE + (uint64_t)rank * ADR_RANK_ENTRY_BYTES; }

static inline uint64_t adr_rank_area_offset(const struct adr_segment_header *header, uint32_t rank) {
  return header->rank_area_offset + rank * header->rank_area_bytes;
}

static inline uint64_t adr_receive_queue_offset(const struct adr_segment_header *header, uint32_t rank) {
  return adr_rank_area_offset(header, rank) + offsetof(struct adr_rank_area, receive_queue);
}

static inline uint64_t adr_free_queue_offset(const struct adr_segment_header *header, uint32_t rank) {
  return adr_rank_area_offset(header, rank) + offsetof(struct adr_rank_area, free_queue);
}

static inline uint64_t adr_cell_offset(const struct adr_segment_header *header, uint32_t rank, uint32_t index) {
  return adr_rank_area_offset(header, rank) + header->cells_offset + (uint64_t)index * header->cell_stride;
}

static inline uint64_t adr_box_entry_offset(const struct adr_segment_header *header, uint32_t rank, uint32_t source) {
  return adr_rank_area_offset(header, rank) + header->box_table_offset + (uint64_t)source * ADR_BOX_ENTRY_BYTES;
}

static inline uint64_t adr_box_ring_offset(const struct adr_segment_header *header, uint32_t rank, uint32_t source) {
  return adr_rank_area_offset(header, rank) + header->boxes_offset + (uint64_t)source * header->box_ring_bytes;
}

#endif
