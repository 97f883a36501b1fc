/* Threads as the ranks of a slot: how they are started, and how one of them goes through a collective, whose wishes it
 * serves with plain memory. */
#pragma once

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "coll_slot.h"

enum { MOST_RANKS = 20, SPINS = 20 };

enum { MOST_MOVED = 131072 }; /* bytes in a call: 64 KiB, and what the last move was that came to them */

static pthread_barrier_t meeting; /* of all ranks */

static adr_atomic_u32 mapped;  /* times that members' shared memory was reached */
static adr_atomic_u32 copied;  /* times that other memory of members was read */
static adr_atomic_u32 written; /* and written */

static inline void set_up(uint32_t ranks, uint32_t choices, uint64_t sequence) {
  set_up_slot(ranks, choices, sequence);
  set_up_stages();
  CHECK(pthread_barrier_init(&meeting, NULL, ranks) == 0);
}

static inline void tear_down(void) {
  pthread_barrier_destroy(&meeting);
  tear_down_slot();
}

static inline void with_ranks(uint32_t ranks, uint32_t choices, uint64_t sequence, void *(*run)(void *)) {
  pthread_t threads[MOST_RANKS];
  set_up(ranks, choices, sequence);
  for (uintptr_t rank = 0; rank < ranks; rank++) {
    CHECK(pthread_create(&threads[rank], NULL, run, (void *)rank) == 0);
  }
  for (uint32_t rank = 0; rank < ranks; rank++) { CHECK(pthread_join(threads[rank], NULL) == 0); }
  tear_down();
}

/* Ends a rank's part when all have come so far: none goes while others look at what it has said. */
static inline void *leave_together(adr_coll *coll) {
  pthread_barrier_wait(&meeting);
  adr_coll_close(coll);
  return NULL;
}

/* A call, and how the member gives and takes its bytes. */
struct call {
  int32_t kind, root, element;
  int32_t op; /* of an exchange its flags */
  int64_t bytes;
  const uint8_t *in;
  uint8_t *out;
  bool by_hand;             /* FILL and DRAIN */
  int32_t by;               /* how the others can reach the input; 0: they cannot */
  int32_t out_by;           /* and the output */
  bool may_not;             /* the system does not let it read memory of the others */
  int64_t part[MOST_RANKS]; /* bytes of each part of a reduce_scatter */
};

/* An offset in the file of shared memory is an address here. */
static inline void *at_address(int64_t address) { return (void *)(intptr_t)address; }

static inline void serve_reach(adr_coll *coll, int32_t which, const int64_t *words) {
  const int64_t offset = words[ADR_COLL_SOURCE];
  CHECK_EQUAL(ADR_COLL_BY_OFFSET, words[ADR_COLL_BY]);
  CHECK_EQUAL(-EINVAL, adr_coll_reach(coll, which, offset + 1, at_address(offset), words[ADR_COLL_BYTES]));
  CHECK_EQUAL(0, adr_coll_reach(coll, which, offset, at_address(offset), words[ADR_COLL_BYTES]));
  adr_add_relaxed_u32(&mapped, 1);
}

/* Does what a status asks for. */
static inline void serve(adr_coll *coll, const struct call *call, int32_t which, int32_t status) {
  const int64_t *words = adr_coll_words(coll, which);
  const int64_t position = words[ADR_COLL_POSITION];
  const size_t bytes = (size_t)words[ADR_COLL_BYTES];
  const int32_t by_system = call->may_not ? 0 : ADR_COLL_XPMEM | ADR_COLL_CMA;
  switch (status) {
  case -EAGAIN:
    CHECK(adr_coll_other(coll, which) >= 0);
    sched_yield();
    break;
  case ADR_COLL_NEEDS_STAGES:
    serve_stages(coll);
    break;
  case ADR_COLL_FILL:
    memcpy(place_of(words, ADR_COLL_TARGET), call->in + position, bytes);
    break;
  case ADR_COLL_DRAIN:
    memcpy(call->out + position, place_of(words, ADR_COLL_SOURCE), bytes);
    break;
  case ADR_COLL_KEEP:
    memcpy(call->out + position, call->in + words[ADR_COLL_SOURCE], bytes);
    break;
  case ADR_COLL_COMBINE:
    CHECK_EQUAL(0, words[ADR_COLL_BYTES] % (call->kind == ADR_COLL_ALLREDUCE ? call->root : call->element >> 8));
    combine(place_of(words, ADR_COLL_TARGET), place_of(words, ADR_COLL_SOURCE), words[ADR_COLL_BYTES]);
    break;
  case ADR_COLL_EXPOSE:
    CHECK_EQUAL(0, adr_coll_expose(coll, which, call->by, (int64_t)(intptr_t)call->in, call->out_by,
                                   (int64_t)(intptr_t)call->out, ADR_COLL_SHARED | by_system, 0));
    break;
  case ADR_COLL_REACH:
    serve_reach(coll, which, words);
    break;
  case ADR_COLL_READ:
    memcpy(words[ADR_COLL_PLACE] == ADR_COLL_IN_OUTPUT ? call->out + position : place_of(words, ADR_COLL_TARGET),
           at_address(words[ADR_COLL_SOURCE]), bytes);
    adr_add_relaxed_u32(&copied, words[ADR_COLL_BY] == ADR_COLL_BY_ADDRESS);
    break;
  case ADR_COLL_WRITE:
    CHECK_EQUAL(0, adr_coll_begin_write(coll, which));
    memcpy(at_address(words[ADR_COLL_TARGET]),
           (words[ADR_COLL_PLACE] == ADR_COLL_IN_OUTPUT ? call->out : call->in) + position, bytes);
    CHECK_EQUAL(0, adr_coll_end_write(coll));
    adr_add_relaxed_u32(&written, 1);
    break;
  default:
    CHECK_EQUAL(ADR_COLL_MOVED, status);
    break;
  }
}

/* Returns the first status that is neither waiting nor a wish. */
static inline int32_t call(adr_coll *coll, const struct call *call) {
  const uint8_t *in = call->by_hand ? NULL : call->in;
  uint8_t *out = call->by_hand ? NULL : call->out;
  if (call->kind == ADR_COLL_REDUCE_SCATTER && call->root == 1) {
    memcpy(adr_coll_parts(coll) + ADR_COLL_GIVE_BYTES * place.ranks, call->part, place.ranks * sizeof *call->part);
  }
  int32_t status =
      adr_coll_begin(coll, call->kind, call->root, call->bytes, call->element, call->op, in, 0, out, 0, SPINS);
  const int32_t which = adr_coll_begun(coll);
  while (status == -EAGAIN || status > 0) {
    serve(coll, call, which, status);
    status = adr_coll_step(coll, which, in, 0, out, 0, SPINS);
    CHECK(coll->collectives[which].moved < MOST_MOVED);
  }
  return status;
}

static inline uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}
