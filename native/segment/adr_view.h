/* A process's view of a segment: where it is mapped, and which offsets may name a cell.
 *
 * An offset read from shared memory is checked with adr_view_holds before it is used. The check is on
 * memory safety alone: a cell's header and payload at that offset lie inside the segment, aligned to a
 * line. So a broken peer can spoil messages, but cannot make this process touch anything else. */
#pragma once

#include "segment/adr_geometry.h"

struct adr_view {
  uint8_t *base;
  uint64_t cells_low;  /* least offset that may name a cell */
  uint64_t cells_span; /* distance from there to the greatest */
};

static inline bool adr_view_holds(const struct adr_view *view, uint64_t offset) {
#ifdef ADR_UNCHECKED /* only to count what the check costs */
  (void)view, (void)offset;
  return true;
#else
  return ADR_LIKELY(offset - view->cells_low <= view->cells_span && (offset & (ADR_LINE - 1)) == 0);
#endif
}

static inline struct adr_cell *adr_view_cell(const struct adr_view *view, uint64_t offset) {
  return (struct adr_cell *)(void *)(view->base + offset);
}

/* Returns the view with a header of one's own: what others write to the shared one later is not believed. */
static inline struct adr_view adr_view_with(void *base, const struct adr_segment_header *header) {
  return (struct adr_view){
      .base = base,
      .cells_low = header->rank_area_offset,
      .cells_span = header->segment_bytes - header->rank_area_offset - header->cell_stride,
  };
}

/* Returns the view with the shape that was checked when this process attached. */
static inline struct adr_view adr_view_within(void *base, const struct adr_segment_shape *shape) {
  return (struct adr_view){
      .base = base,
      .cells_low = shape->rank_area_offset,
      .cells_span = shape->segment_bytes - shape->rank_area_offset - shape->cell_stride,
  };
}

/* Returns the view of a segment that nobody else writes to, as programs and tests have it: the shared header is
 * believed. */
static inline struct adr_view adr_view_of(void *base) { return adr_view_with(base, base); }
