/* The first filling of a rank's free queue. Twin of io.adrastea.queue.FreeQueue. */
#ifndef ADR_FREE_QUEUE_H
#define ADR_FREE_QUEUE_H

#include "queue/adr_mpsc_queue.h"
#include "segment/adr_geometry.h"

/* Puts all cells of `rank` into its free queue; its area is all zeros before. */
static inline void adr_free_queue_format(const struct adr_view *view, uint32_t rank) {
  const struct adr_segment_header *header = (const void *)view->base;
  struct adr_rank_entry *self = adr_intent_of(view, rank);
  for (uint32_t index = 0; index < header->cell_count; index++) {
    uint64_t cell = adr_cell_offset(header, rank, index);
    adr_view_cell(view, cell)->owner = rank;
    adr_mpsc_enqueue(view, adr_free_queue_offset(header, rank), self, cell);
  }
}

#endif
