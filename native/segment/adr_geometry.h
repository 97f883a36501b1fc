/* The sizes of a segment, computed from what is asked for, and where things lie in it. Twin of
 * io.adrastea.segment.Geometry.
 *
 * | header, 4 KiB page | rank table | slot of the world | directory of regions | table of contexts | rank area 0 | rank
 * area 1 | ... | regions ...
 * A rank area is its header's page, then its cells. */
#pragma once

#include "layout/adr_layout.h"

#define ADR_PAGE 4096u
#define ADR_MIN_CELLS 2u
#define ADR_MAX_CELLS 65536u
#define ADR_MIN_CELL_PAYLOAD 64u
#define ADR_MAX_CELL_PAYLOAD 65472u

/* Fastboxes: lines of one ring (0: none; else a power of two from 64 to 1024), most bytes of payload (0 to half a ring
 * less 32), messages by queue before a sender asks for one, up to how many ranks all are made at once, and whether
 * senders find out which long messages up to the limit go there (channel/adr_box_costs.h); else all do. */
struct adr_box_settings {
  uint32_t slots;
  uint32_t limit;
  uint32_t threshold;
  uint32_t preallocate_ranks;
  bool learns;
};
#define ADR_MIN_BOX_SLOTS 64 /* a page */
#define ADR_MAX_BOX_SLOTS 1024

/* These hold where nothing else is asked for. */
#define ADR_BOX_SLOTS 1024
#define ADR_BOX_BYTES 16384 /* the limit up to which senders find out, or what a shorter ring allows */
#define ADR_BOX_THRESHOLD 16
#define ADR_BOX_PREALLOCATE_RANKS 16
#define ADR_BOX_DEFAULTS \
  ((struct adr_box_settings){.slots = ADR_BOX_SLOTS, \
                             .limit = ADR_BOX_BYTES, \
                             .threshold = ADR_BOX_THRESHOLD, \
                             .preallocate_ranks = ADR_BOX_PREALLOCATE_RANKS, \
                             .learns = true})

/* Most bytes that a message in a ring of so many lines may have. */
static inline uint32_t adr_box_most(uint32_t slots) { return slots * ADR_LINE / 2 - 32; }

struct adr_segment_shape {
  uint32_t rank_count;
  uint32_t cell_count;
  uint32_t cell_payload;
  uint32_t cell_stride;
  uint64_t rank_table_offset;
  uint64_t rank_area_offset;
  uint64_t rank_area_bytes;
  uint64_t cells_offset;
  struct adr_box_settings boxes;
  uint64_t box_table_offset;
  uint64_t boxes_offset;
  uint64_t segment_bytes;
};

/* Fills `shape`. Returns 0, or -EINVAL: a count, the payload or a setting of the boxes is out of its range. */
int adr_segment_shape_make(struct adr_segment_shape *shape, uint32_t ranks, uint32_t cells, uint32_t payload,
                           struct adr_box_settings boxes);

/* Takes a copy of a header that others may be writing to: every word is read once. Only the copy is to be checked, and
 * used. */
void adr_segment_header_read(struct adr_segment_header *copy, const void *shared);

/* The shape that a header tells, worked out anew from its counts. Returns 0, or -EINVAL: a count is out of its range,
 * or a size is another than the counts say. `header` is a copy that nobody else can write. */
int adr_segment_shape_of(struct adr_segment_shape *shape, const struct adr_segment_header *header);

/* The rank table lies there in every segment; whoever attaches has checked that. */
static inline uint64_t adr_rank_entry_offset(uint32_t rank) { return ADR_PAGE + (uint64_t)rank * ADR_RANK_ENTRY_BYTES; }

/* The slot of all ranks, the directory of regions and the table of communicators' numbers lie between the rank table
 * and the rank areas, each from the beginning of a page. */
static inline uint64_t adr_world_slot_offset(uint32_t ranks) {
  return adr_align_up(adr_rank_entry_offset(ranks), ADR_PAGE);
}

static inline uint64_t adr_region_directory_offset(uint32_t ranks) {
  return adr_world_slot_offset(ranks) + adr_align_up(adr_slot_bytes(ranks), ADR_PAGE);
}

static inline uint64_t adr_context_id_table_offset(uint32_t ranks) {
  return adr_region_directory_offset(ranks) + ADR_REGION_DIRECTORY_BYTES;
}

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
