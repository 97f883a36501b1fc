#include "channel/adr_cell_pool.h"

#include <errno.h>
#include <stdlib.h>

#include "segment/adr_geometry.h"

int adr_cell_pool_open(struct adr_cell_pool *pool, const struct adr_segment_header *header, uint32_t rank) {
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

int adr_cell_pool_sweep(const struct adr_view *view, struct adr_cell_pool *pool, uint32_t destination,
                        uint64_t claimed) {
  for (uint32_t at = 0; at < pool->spare_count;
       at++) { /* those at hand are nowhere: they only bear where they were sent last */
    adr_view_cell(view, pool->spare[adr_cell_pool_place(pool, at)])->destination = 0;
  }
  uint64_t stride = pool->cell_count > 1 ? pool->own_span / (pool->cell_count - 1) : 0;
  for (uint32_t index = 0; index < pool->cell_count; index++) {
    uint64_t cell = pool->own_low + index * stride;
    if (cell == claimed || adr_load_once_u32(&adr_view_cell(view, cell)->destination) != destination + 1) { continue; }
    adr_mpsc_raise(view, cell);
    ADR_STOP(sweep_raised);
    int status = adr_cell_pool_credit(view, pool, cell);
    if (status < 0) { return status; }
    ADR_STOP(sweep_credited);
  }
  return pool->in_flight[destination] == (claimed != 0) ? 0 : ADR_CORRUPT;
}

void adr_cell_pool_close(struct adr_cell_pool *pool) {
  free(pool->spare);
  free(pool->in_flight);
  pool->spare = NULL;
  pool->in_flight = NULL;
}
