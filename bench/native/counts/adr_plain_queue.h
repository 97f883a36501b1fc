/* The queue of [Nemesis 2006, Fig. 3] without the shadow head of section 3.1: only to count and to time what that
 * brings. Takes the place of queue/adr_mpsc_queue.h in adrastea-counts-plain (compiled with -include): the same
 * functions, the same checks. */
#ifndef ADR_MPSC_QUEUE_H
#define ADR_MPSC_QUEUE_H

#include "queue/adr_intent.h"

#define ADR_LINK_SPINS 64

static inline struct adr_mpsc_queue *adr_mpsc_at(const struct adr_view *view, uint64_t queue) {
  return (struct adr_mpsc_queue *)(void *)(view->base + queue);
}

/* As in adr_mpsc_queue.h, where each order is argued. */
static inline int adr_mpsc_enqueue(const struct adr_view *view, uint64_t queue, struct adr_rank_entry *self,
                                   uint64_t element) {
  struct adr_mpsc_queue *q = adr_mpsc_at(view, queue);
  struct adr_cell *cell = adr_view_cell(view, element);
  adr_store_relaxed_u64(&cell->next, 0);
  adr_intent_declare(self, queue, element, adr_load_relaxed_u64(&cell->generation));
  uint64_t previous = adr_swap_acq_rel_u64(&q->tail, element); /* SYNC queue-tail */
  if (previous == 0) {
    adr_store_release_u64(&q->head, element); /* SYNC queue-link */
  } else if (ADR_LIKELY(adr_view_holds(view, previous))) {
    adr_store_release_u64(&adr_view_cell(view, previous)->next, element); /* SYNC queue-link */
  } else {
    adr_intent_clear(self);
    return ADR_CORRUPT;
  }
  adr_intent_clear(self);
  return 0;
}

static inline void adr_mpsc_raise(const struct adr_view *view, uint64_t element) {
  adr_atomic_u64 *generation = &adr_view_cell(view, element)->generation;
  adr_store_relaxed_u64(generation, adr_load_relaxed_u64(generation) + 1);
}

/* The head stays where enqueuers write it too: this load and the stores below touch the line of the tail. */
static inline int64_t adr_mpsc_peek(const struct adr_view *view, uint64_t queue) {
  uint64_t element = adr_load_acquire_u64(&adr_mpsc_at(view, queue)->head); /* SYNC queue-link */
  if (element == 0) { return 0; }
  return adr_view_holds(view, element) ? (int64_t)element : ADR_CORRUPT;
}

static inline int64_t adr_mpsc_take_last(struct adr_mpsc_queue *q, struct adr_cell *cell, uint64_t element) {
  adr_store_relaxed_u64(&q->head, 0);              /* before `tail` is null: then an enqueuer writes it */
  if (adr_cas_acq_rel_u64(&q->tail, element, 0)) { /* SYNC queue-tail */
    return 0;
  }
  for (int spins = 0; spins < ADR_LINK_SPINS; spins++) {
    uint64_t next = adr_load_acquire_u64(&cell->next); /* SYNC queue-link */
    if (next != 0) { return (int64_t)next > 0 ? (int64_t)next : ADR_CORRUPT; }
    adr_cpu_pause();
  }
  adr_store_relaxed_u64(&q->head, element); /* still the first; nobody else writes `head` while `tail` is not null */
  return ADR_LINK_PENDING;
}

static inline int adr_mpsc_advance(const struct adr_view *view, uint64_t queue, uint64_t element) {
  struct adr_mpsc_queue *q = adr_mpsc_at(view, queue);
  struct adr_cell *cell = adr_view_cell(view, element);
  int64_t next = (int64_t)adr_load_acquire_u64(&cell->next); /* SYNC queue-link */
  if (next == 0) {
    next = adr_mpsc_take_last(q, cell, element);
    if (next < 0) { return (int)next; }
  }
  if (next != 0) { adr_store_relaxed_u64(&q->head, (uint64_t)next); }
  adr_mpsc_raise(view, element);
  return 0;
}

static inline int64_t adr_mpsc_dequeue(const struct adr_view *view, uint64_t queue) {
  int64_t element = adr_mpsc_peek(view, queue);
  if (element <= 0) { return element; }
  int status = adr_mpsc_advance(view, queue, (uint64_t)element);
  return ADR_UNLIKELY(status < 0) ? status : element;
}

#endif
