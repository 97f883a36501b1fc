/* Queue of cells, many enqueuers, one dequeuer. Twin of io.adrastea.queue.MpscQueue.
 *
 * Source: [Nemesis 2006, 2.1.2, Fig. 3] (SWAP and CAS, after the MCS lock), with the shadow head of section
 * 3.1: head and tail share a line, which an enqueuer onto an empty queue needs both of; the dequeuer
 * works from its shadow head in a line of its own and touches the shared line only when it runs dry.
 * Offsets stand in for pointers, since every process maps the segment elsewhere [Nemesis 2006, 2.1.2].
 *
 * Invariants:
 * - `tail` is null exactly when no cell is in the queue; every cell but the last has, or will get, `next`.
 * - `head` is written by the enqueuer that found `tail` null, and emptied by the dequeuer, which moves it to
 *   `shadow_head`; so while `shadow_head` is set `head` is null.
 * - The dequeuer gives a cell out only when no enqueuer can still write its `next`: either `next` has been
 *   seen, or `tail` was moved from the cell to null.
 *
 * A rank may die anywhere in here. An enqueuer that does so between its SWAP and its link has said before what it was
 * about to do (adr_intent.h), and the dequeuer repairs the queue (adr_queue_repair.h). A queue whose dequeuer dies is
 * of no use any more.
 *
 * A dequeue is a peek, which finds the first cell, and an advance, which takes it out. The channel does them apart: it
 * delivers a message after the peek and advances when it polls for the next one, so that the CAS on the shared line
 * is off the message's way.
 *
 * Used for receive queues and free queues alike. Cost without contention: tests/c/queue_instructions. */
#ifndef ADR_MPSC_QUEUE_H /* no pragma: adrastea-counts-plain puts another queue in its place by this name */
#define ADR_MPSC_QUEUE_H

#include "queue/adr_intent.h"

/* Checks for a pending link before giving up: the enqueuer is one store away, unless it lost its CPU. */
#define ADR_LINK_SPINS 64

static inline struct adr_mpsc_queue *adr_mpsc_at(const struct adr_view *view, uint64_t queue) {
  return (struct adr_mpsc_queue *)(void *)(view->base + queue);
}

/* Appends `element`, an offset of a cell that the caller holds; `self` is the caller's entry in the rank table. Returns
 * 0, or ADR_CORRUPT (the queue's tail named no cell; the element is lost). */
static inline int adr_mpsc_enqueue(const struct adr_view *view, uint64_t queue, struct adr_rank_entry *self,
                                   uint64_t element) {
  struct adr_mpsc_queue *q = adr_mpsc_at(view, queue);
  struct adr_cell *cell = adr_view_cell(view, element);
  ADR_STOP(enqueue_begin);
  /* Relaxed: published, like the rest of the cell, by the releases below. */
  adr_store_relaxed_u64(&cell->next, 0);
  ADR_STOP(enqueue_next);
  adr_intent_declare(self, queue, element, adr_load_relaxed_u64(&cell->generation));
  ADR_STOP(enqueue_intent);
  /* SYNC queue-tail: acq_rel. Release: the next enqueuer, which reads `element` here and then writes its
   * `next`, must write after our null above. Acquire: pairs with the dequeuer's CAS to null, so that our
   * store to `head` comes after the dequeuer's null in it. SYNC intent: the same release publishes the intent. */
  uint64_t previous = adr_swap_acq_rel_u64(&q->tail, element);
  ADR_STOP(enqueue_swapped);
  if (previous == 0) {
    /* SYNC queue-link: release, pairs with the dequeuer's acquire of `head`; orders the cell's contents. */
    adr_store_release_u64(&q->head, element);
    ADR_STOP(enqueue_head);
  } else if (ADR_LIKELY(adr_view_holds(view, previous))) {
    /* SYNC queue-link: release, pairs with the dequeuer's acquire of `next`; orders the cell's contents. */
    adr_store_release_u64(&adr_view_cell(view, previous)->next, element);
    ADR_STOP(enqueue_linked);
  } else {
    adr_intent_clear(self);
    return ADR_CORRUPT;
  }
  adr_intent_clear(self);
  ADR_STOP(enqueue_cleared);
  return 0;
}

/* Marks a cell that has left a queue: an intent that names it with the generation that it had there is of an enqueue
 * that is over. Relaxed: only the rank that holds the cell reads or writes it, and the rank that repairs the queue is
 * the one that took the cell out. */
static inline void adr_mpsc_raise(const struct adr_view *view, uint64_t element) {
  adr_atomic_u64 *generation = &adr_view_cell(view, element)->generation;
  adr_store_relaxed_u64(generation, adr_load_relaxed_u64(generation) + 1);
}

/* Out of line: `element` is the last one, or looks so. Returns its successor (0: the queue is empty now), or
 * ADR_LINK_PENDING or ADR_CORRUPT. */
static inline int64_t adr_mpsc_take_last(struct adr_mpsc_queue *q, struct adr_cell *cell, uint64_t element) {
  /* SYNC queue-tail: acq_rel. Release publishes `head` = null (stored when the shadow head took it over)
   * before `tail` = null: an enqueuer that finds `tail` null writes `head`, and our null must not overwrite
   * it. It is tempting to call that null harmless because it was stored long ago; without the release nothing orders it
   * before the enqueuer's store. Acquire orders our reuse of the cell after the reads of `tail` by those that found it
   * there. */
  if (adr_cas_acq_rel_u64(&q->tail, element, 0)) {
    ADR_STOP(advance_emptied);
    return 0;
  }
  for (int spins = 0; spins < ADR_LINK_SPINS; spins++) {
    /* SYNC queue-link: acquire, pairs with the enqueuer's release of `next`. */
    uint64_t next = adr_load_acquire_u64(&cell->next);
    if (next != 0) { return (int64_t)next > 0 ? (int64_t)next : ADR_CORRUPT; }
    adr_cpu_pause();
  }
  return ADR_LINK_PENDING;
}

/* Finds the first cell and leaves it in. Returns its offset; 0: empty; ADR_CORRUPT: the queue named no cell. */
static inline int64_t adr_mpsc_peek(const struct adr_view *view, uint64_t queue) {
  struct adr_mpsc_queue *q = adr_mpsc_at(view, queue);
  /* Relaxed, here and in the stores below: the dequeuer's own. One load, so that what is checked is what is used. */
  uint64_t element = adr_load_relaxed_u64(&q->shadow_head);
  if (element == 0) {
    /* SYNC queue-link: acquire, pairs with the release of `head` by the enqueuer onto the empty queue. */
    element = adr_load_acquire_u64(&q->head);
    if (element == 0) { return 0; }
    adr_store_relaxed_u64(&q->shadow_head, element);
    ADR_STOP(peek_shadow);
    /* Relaxed: nobody writes `head` again before it has seen `tail` null, see queue-tail. */
    adr_store_relaxed_u64(&q->head, 0);
    ADR_STOP(peek_head);
  }
  return adr_view_holds(view, element) ? (int64_t)element : ADR_CORRUPT;
}

/* Takes the cell that peek found out. Returns 0; ADR_LINK_PENDING: its successor's enqueuer has not linked yet, try
 * again; ADR_CORRUPT. */
static inline int adr_mpsc_advance(const struct adr_view *view, uint64_t queue, uint64_t element) {
  struct adr_mpsc_queue *q = adr_mpsc_at(view, queue);
  struct adr_cell *cell = adr_view_cell(view, element);
  /* SYNC queue-link: acquire, pairs with the enqueuer's release of `next`. */
  int64_t next = (int64_t)adr_load_acquire_u64(&cell->next);
  if (next == 0) {
    next = adr_mpsc_take_last(q, cell, element);
    if (ADR_UNLIKELY(next < 0)) { return (int)next; }
  }
  adr_store_relaxed_u64(&q->shadow_head, (uint64_t)next);
  ADR_STOP(advance_shadow);
  adr_mpsc_raise(view, element);
  ADR_STOP(advance_raised);
  return 0;
}

/* Takes the first cell out. Returns its offset; 0: empty; ADR_LINK_PENDING or ADR_CORRUPT as above. */
static inline int64_t adr_mpsc_dequeue(const struct adr_view *view, uint64_t queue) {
  int64_t element = adr_mpsc_peek(view, queue);
  if (element <= 0) { return element; }
  int status = adr_mpsc_advance(view, queue, (uint64_t)element);
  return ADR_UNLIKELY(status < 0) ? status : element;
}

#endif
