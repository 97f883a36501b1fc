#include "channel/adr_cell_pool.h"

#include <errno.h>
#include <stdlib.h>

#include "segment/adr_geometry.h"

int adr_cell_pool_open(struct adr_cell_pool *pool, const struct adr_view *view, uint32_t rank) {
  const struct adr_segment_header *header = (const void *)view->base;
  uint32_t ranks = header->rank_count;
  uint32_t cells = header->cell_count;
  uint32_t share = cells / 2 / ranks;
  *pool = (struct adr_cell_pool){
      .free_queue = adr_free_queue_offset(header, rank),
      .own_low = adr_cell_offset(header, rank, 0),
      .own_span = (uint64_t)(cells - 1) * header->cell_stride,
      .cell_count = cells,
      .rank_count = ranks,
      .share = share,
      .common = cells - share * ranks,
      .spare = calloc(cells, sizeof(uint64_t)),
      .in_flight = calloc(ranks, sizeof(uint32_t)),
  };
  if (pool->spare == NULL || pool->in_flight == NULL) {
    adr_cell_pool_close(pool);
    return -ENOMEM;
  }
  return 0;
}

void adr_cell_pool_close(struct adr_cell_pool *pool) {
  free(pool->spare);
  free(pool->in_flight);
  pool->spare = NULL;
  pool->in_flight = NULL;
}
