/* The first filling of a rank's free queue. Twin of io.adrastea.queue.MpscQueue.formatFreeQueue; apart, since a queue
 * that stands in for adr_mpsc_queue.h is formatted by it too. */
#pragma once

#include "queue/adr_mpsc_queue.h"
#include "segment/adr_geometry.h"

/* Puts all cells of `rank` into its free queue; its area is all zeros before. The shape is the one that was checked,
 * whatever the shared header says by now. */
static inline void adr_free_queue_format(const struct adr_view *view, const struct adr_segment_shape *shape,
                                         uint32_t rank) {
  uint64_t area = shape->rank_area_offset + rank * shape->rank_area_bytes;
  struct adr_rank_entry *self = adr_intent_of(view, rank);
  for (uint32_t index = 0; index < shape->cell_count; index++) {
    uint64_t cell = area + shape->cells_offset + (uint64_t)index * shape->cell_stride;
    adr_view_cell(view, cell)->owner = rank;
    adr_mpsc_enqueue(view, area + offsetof(struct adr_rank_area, free_queue), self, cell);
  }
}
