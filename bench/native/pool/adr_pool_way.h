/* A way of messages between two processes: what all ways that adrastea-pool compares have in common. */
#pragma once

#include <sched.h>

#include "floor/adr_floor_pair.h"

enum {
  POOL_MIN_BYTES = 8,       /* of a message: its number */
  POOL_MAX_BYTES = 1 << 20, /* of a message */
};

/* Sends, or receives, one whole message of that many bytes to, or from, the other side; waits for room, or for the
 * message. */
typedef void pool_move(void *state, const struct floor_pair *pair, uint8_t *message, uint64_t bytes);

struct pool_way {
  const char *name;
  void *state; /* made before the fork, so each side has one; what it points to may be shared */
  uint64_t max_bytes;
  pool_move *send;
  pool_move *receive;
};

/* To be called after each look that found nothing; `waited` counts them. */
static inline void pool_pause(const struct floor_pair *pair, uint32_t *waited) {
  adr_cpu_pause();
  if (ADR_UNLIKELY(++*waited > pair->patience)) { sched_yield(); }
}

/* Shared memory of that many bytes, all zeros, all there. Ends the program with a line when that cannot be. */
void *pool_share(uint64_t bytes);

/* Ends the program with a line. */
_Noreturn void pool_fail(const char *what, int64_t status);
