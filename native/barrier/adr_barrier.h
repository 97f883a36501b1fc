/* The barrier of all ranks of a node, in shared variables. Twin of io.adrastea.barrier.Barrier.
 *
 * Source: [MPICH2 2007, 3.4, Fig. 2]: a rank that arrives counts; the last one takes the count back to 0 and turns the
 * signal over; the others wait for that. Counter and signal lie in blocks of their own, so that ranks that wait are not
 * disturbed by ranks that still come. Which value of the signal a rank waits for, its sense, is its own affair.
 *
 * Arriving and waiting are apart, so that a rank can do other things in between. A rank that has arrived and was not
 * yet let go has arrived once, however often it says so.
 *
 * Invariants:
 * - The signal turns over once per round, when all ranks have arrived. So it cannot turn twice before a rank that waits
 * has checked: the second time needs that rank's next arrival. Nothing has to be reset, and no check can come too late.
 * - `sense` is what the signal shows from the moment this rank is let go until all have arrived again. */
#pragma once

#include "base/adr_base.h"
#include "base/adr_stop.h"
#include "layout/adr_layout_segment_header.h"

/* A rank's place at the barrier: private to it. */
struct adr_barrier_place {
  struct adr_barrier *barrier;
  uint32_t ranks;
  uint32_t sense; /* what the signal shows before the round that this rank arrives at next is complete */
  bool arrived;   /* at a round that is not known to be complete */
};

/* Takes a place at the barrier, for so many ranks, of the segment mapped at `base`. */
static inline void adr_barrier_open(struct adr_barrier_place *place, void *base, uint32_t ranks) {
  struct adr_segment_header *header = base;
  place->barrier = &header->barrier;
  place->ranks = ranks;
  /* Relaxed: it orders nothing, and cannot change before this rank arrives. */
  place->sense = adr_load_relaxed_u32(&header->barrier.signal);
  place->arrived = false;
}

#define ADR_BARRIER_LAST 1

/* Arrives. Returns 0; ADR_BARRIER_LAST: all others have arrived before; or ADR_CORRUPT: more have arrived than there
 * are ranks. */
static inline int adr_barrier_arrive(struct adr_barrier_place *place) {
  if (place->arrived) { return 0; }
  /* SYNC barrier-counter: acq_rel. Release: what this rank did before the barrier comes before its count; the counts
   * are read-modify-writes, so each hands on those before it. Acquire: the last one has what all did, and hands it on
   * by its release of the signal. Only the last one needs the acquire, but only the result shows which rank is last. */
  uint32_t before = adr_add_acq_rel_u32(&place->barrier->counter, 1);
  ADR_STOP(barrier_counted);
  if (ADR_UNLIKELY(before >= place->ranks)) { return ADR_CORRUPT; }
  place->arrived = true;
  if (before + 1 == place->ranks) {
    /* Relaxed, but before the signal's release: a rank that has seen the signal may count for the next round at once,
     * and the 0 must not come after that count, or it is lost and the next round never ends. */
    adr_store_relaxed_u32(&place->barrier->counter, 0);
    ADR_STOP(barrier_reset);
    /* SYNC barrier-signal: release, pairs with the acquire of the ranks that wait; orders the 0 above, and through
     * barrier-counter what every rank did before it arrived. */
    adr_store_release_u32(&place->barrier->signal, 1 - place->sense);
    ADR_STOP(barrier_turned);
    return ADR_BARRIER_LAST;
  }
  return 0;
}

/* Whether all have arrived where this rank arrived last: 0, ADR_AGAIN, or ADR_CORRUPT: the signal shows what none can.
 */
static inline int adr_barrier_check(struct adr_barrier_place *place) {
  if (!place->arrived) { return 0; }
  /* SYNC barrier-signal: acquire, pairs with the last one's release; orders what this rank does next after all that
   * every rank did before it arrived, and its next count after the counter's 0. */
  uint32_t signal = adr_load_acquire_u32(&place->barrier->signal);
  if (signal == place->sense) { return ADR_AGAIN; }
  if (ADR_UNLIKELY(signal != 1 - place->sense)) { return ADR_CORRUPT; }
  place->sense = signal;
  place->arrived = false;
  return 0;
}

/* Checks as adr_barrier_check does, at most `spins` times and at least once. */
static inline int adr_barrier_wait(struct adr_barrier_place *place, int32_t spins) {
  int status;
  while ((status = adr_barrier_check(place)) == ADR_AGAIN && --spins > 0) { adr_cpu_pause(); }
  return status;
}
