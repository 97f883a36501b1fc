/* The cells that a rank has at hand for sending. Twin of io.adrastea.core.pure.CellPool.
 *
 * Cells come back through the rank's free queue ([Nemesis 2006, 2.1.1], third variation). They are taken from it in
 * one go when the private ring has run dry, so that most sends touch no shared line of the free queue
 * and the receivers' SWAPs on its tail stay in their own cache. The cell that came back first is used first: the lines
 * of one just read are in the receiver's nearest cache, and writing them anew takes longest (`bench paper mvapich`).
 *
 * Backpressure is per destination: half of the cells are dealt out evenly as guaranteed shares, the rest
 * is common. A slow receiver can hold its share and the common cells, never the shares of others. With more
 * ranks than half the cells there are no shares, and a slow receiver can delay others. */
#pragma once

#include "queue/adr_mpsc_queue.h"

struct adr_cell_pool {
  uint64_t free_queue;
  uint64_t own_low;  /* least offset of a cell of this rank */
  uint64_t own_span; /* distance from there to the greatest */
  uint32_t cell_count;
  uint32_t rank_count;
  uint32_t share;       /* cells guaranteed to each destination */
  uint32_t common;      /* cells beyond the shares that are still to be had */
  uint32_t spare_first; /* place of the spare cell that is taken next */
  uint32_t spare_count;
  uint64_t *spare;     /* ring of cells at hand, in the order in which they came back, `cell_count` places */
  uint32_t *in_flight; /* per destination: cells sent there and not yet seen again */
};

/* The place in the ring that is so far, at most `cell_count`, behind the first. */
static inline uint32_t adr_cell_pool_place(const struct adr_cell_pool *pool, uint32_t distance) {
  uint32_t place = pool->spare_first + distance;
  return place < pool->cell_count ? place : place - pool->cell_count;
}

static inline bool adr_cell_pool_allows(const struct adr_cell_pool *pool, uint32_t destination) {
  return pool->in_flight[destination] < pool->share || pool->common > 0;
}

static inline void adr_cell_pool_uncharge(struct adr_cell_pool *pool, uint32_t destination) {
  if (--pool->in_flight[destination] >= pool->share) { pool->common++; }
}

static inline void adr_cell_pool_charge(struct adr_cell_pool *pool, uint32_t destination) {
  if (pool->in_flight[destination]++ >= pool->share) { pool->common--; }
}

/* Enters a cell that came back. Returns 0, or ADR_CORRUPT: not a cell of this rank, or not one in flight. */
static inline int adr_cell_pool_credit(const struct adr_view *view, struct adr_cell_pool *pool, uint64_t cell) {
  if (cell - pool->own_low > pool->own_span || pool->spare_count == pool->cell_count) { return ADR_CORRUPT; }
  uint32_t sent_to = adr_load_once_u32(&adr_view_cell(view, cell)->destination);
  if (sent_to != 0) { /* 0: fresh from formatting */
    uint32_t destination = sent_to - 1;
    if (destination >= pool->rank_count || pool->in_flight[destination] == 0) { return ADR_CORRUPT; }
    adr_cell_pool_uncharge(pool, destination);
  }
  pool->spare[adr_cell_pool_place(pool, pool->spare_count++)] = cell;
  return 0;
}

/* Takes over all cells that came back. Returns 0 or ADR_CORRUPT. */
static inline int adr_cell_pool_reclaim(const struct adr_view *view, struct adr_cell_pool *pool) {
  for (;;) {
    int64_t cell = adr_mpsc_dequeue(view, pool->free_queue);
    if (cell == 0 || cell == ADR_LINK_PENDING) { return 0; }
    if (cell < 0 || adr_cell_pool_credit(view, pool, (uint64_t)cell) < 0) { return ADR_CORRUPT; }
  }
}

/* Whether no cell is coming back: to be asked after reclaim. */
static inline bool adr_cell_pool_is_drained(const struct adr_view *view, const struct adr_cell_pool *pool) {
  /* SYNC queue-tail: acquire; nobody is between a SWAP there and its link either. */
  return adr_load_acquire_u64(&adr_mpsc_at(view, pool->free_queue)->tail) == 0;
}

/* A cell to send to `destination` with: its offset, ADR_AGAIN or ADR_CORRUPT. */
static inline int64_t adr_cell_pool_take(const struct adr_view *view, struct adr_cell_pool *pool,
                                         uint32_t destination) {
  if (ADR_UNLIKELY(pool->spare_count == 0 || !adr_cell_pool_allows(pool, destination))) {
    int status = adr_cell_pool_reclaim(view, pool);
    if (status < 0) { return status; }
    if (pool->spare_count == 0 || !adr_cell_pool_allows(pool, destination)) { return ADR_AGAIN; }
  }
  adr_cell_pool_charge(pool, destination);
  uint64_t cell = pool->spare[pool->spare_first];
  pool->spare_first = adr_cell_pool_place(pool, 1);
  pool->spare_count--;
  adr_view_cell(view, cell)->destination = destination + 1;
  return (int64_t)cell;
}

/* Takes a cell back that was not sent. */
static inline void adr_cell_pool_put_back(struct adr_cell_pool *pool, uint64_t cell, uint32_t destination) {
  if (pool->spare_count == pool->cell_count || pool->in_flight[destination] == 0) {
    return; /* a broken rank gave it back already */
  }
  adr_cell_pool_uncharge(pool, destination);
  pool->spare_first = adr_cell_pool_place(pool, pool->cell_count - 1);
  pool->spare[pool->spare_first] = cell;
  pool->spare_count++;
}

/* Fetches the header and the first payload line of the cell that is taken next: a receiver wrote to it last. */
static inline void adr_cell_pool_warm(const struct adr_view *view, const struct adr_cell_pool *pool) {
  if (pool->spare_count > 0) {
    const struct adr_cell *cell = adr_view_cell(view, pool->spare[pool->spare_first]);
    adr_prefetch_write(cell);
    adr_prefetch_write(cell + 1);
  }
}

/* Takes all cells back that were sent to `destination`, which is gone, and have not come back; but not `claimed` (0:
 * none), of a claim that is open. The free queue is drained. Returns 0, or ADR_CORRUPT: more or fewer are missing than
 * were sent. */
int adr_cell_pool_sweep(const struct adr_view *view, struct adr_cell_pool *pool, uint32_t destination,
                        uint64_t claimed);

/* Sets `pool` up for `rank`. Returns 0, or -ENOMEM. */
int adr_cell_pool_open(struct adr_cell_pool *pool, const struct adr_segment_header *header, uint32_t rank);
void adr_cell_pool_close(struct adr_cell_pool *pool);
