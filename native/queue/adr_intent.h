/* What a rank is about to do to a queue, said in its entry of the rank table before it does it: so that those that find
 * it dead know what it may have left half done. Twin of io.adrastea.queue.Intent.
 *
 * An enqueue is two steps, a SWAP that reserves and a store that links. A rank that dies in between leaves a queue in
 * two parts, and nobody but the dead knew which cell begins the second. The intent names queue and cell, and the cell's
 * generation, which every dequeue raises: an intent of an older generation is of an enqueue that was complete. A rank
 * is in one enqueue at a time, so it has one intent.
 *
 * What its readers (adr_queue_repair.c) rely on:
 * - Of a dead rank all stores are there, up to some point of its program: it is known to be dead only when it does
 * nothing any more. So its intent is there if its SWAP is, and the link is there if the intent is gone.
 * - Of a living rank: see the labels. */
#pragma once

#include "base/adr_stop.h"
#include "segment/adr_geometry.h"
#include "segment/adr_view.h"

/* Where `rank` says what it is about to do. */
static inline struct adr_rank_entry *adr_intent_of(const struct adr_view *view, uint32_t rank) {
  return (struct adr_rank_entry *)(void *)(view->base + adr_rank_entry_offset(rank));
}

static inline void adr_intent_declare(struct adr_rank_entry *self, uint64_t queue, uint64_t element,
                                      uint64_t generation) {
  /* SYNC intent: release, pairs with the acquire in adr_intent_stands: a rank that sees another queue here sees the
   * link of the enqueue before. Relaxed, this store could pass that link, since a release holds back only what comes
   * before it. */
  adr_store_release_u64(&self->intent_queue, queue);
  ADR_STOP(intent_queue);
  /* SYNC intent: release too: it must not pass the link and the clearing of the enqueue before, to whose cell it would
   * not belong. */
  adr_store_release_u64(&self->intent_generation, generation);
  ADR_STOP(intent_generation);
  /* SYNC intent: release. Orders queue and generation, and the null in the cell's `next`, before the cell: a rank that
   * repairs follows `next`, of a cell that was never put in too. The SWAP that follows releases this in turn: a rank
   * that finds the cell, or a later one, in `tail` sees the intent. */
  adr_store_release_u64(&self->intent_cell, element);
}

static inline void adr_intent_clear(struct adr_rank_entry *self) {
  /* SYNC intent: release, pairs with the acquire in adr_intent_stands: a rank that sees it cleared sees the link. */
  adr_store_release_u64(&self->intent_cell, 0);
}

/* Whether the caller, whose entry this is, was stopped in the middle of an enqueue: those that find it gone complete
 * that, and need the intent for it. (A thread in Java can be, by an Error.) */
static inline bool adr_intent_is_open(const struct adr_rank_entry *self) {
  return adr_load_relaxed_u64(&self->intent_cell) != 0; /* relaxed: the caller's own */
}

/* Whether a rank was seen in an enqueue on `queue`. False: all its enqueues there whose SWAP comes before something
 * that the caller has acquired are linked. (A later one may have begun.) */
static inline bool adr_intent_stands(const struct adr_rank_entry *other, uint64_t queue) {
  /* SYNC intent: acquire, pairs with both releases of `intent_cell`, and with that of `intent_queue`. */
  return adr_load_acquire_u64(&other->intent_cell) != 0 && adr_load_acquire_u64(&other->intent_queue) == queue;
}
