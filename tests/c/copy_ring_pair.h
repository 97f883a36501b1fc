/* A copy ring in memory of its own, between guards, for tests. */
#pragma once

#include <string.h>

#include "check.h"
#include "ring/adr_copy_ring.h"

enum { PAIR_MOST = 1 << 18, PAIR_GUARD = 256 };

static struct {
  uint8_t before[PAIR_GUARD];
  _Alignas(128) struct adr_copy_ring ring;
  uint8_t bytes[PAIR_MOST + PAIR_GUARD];
} pair;

/* The byte at `position` of the stream: it tells where it belongs, whatever the size of ring and chunk. */
static inline uint8_t stream_byte(uint64_t position) {
  return (uint8_t)((position * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

static inline void stream_fill(uint8_t *to, uint64_t position, uint64_t length) {
  for (uint64_t i = 0; i < length; i++) { to[i] = stream_byte(position + i); }
}

static inline void stream_check(const uint8_t *from, uint64_t position, uint64_t length) {
  for (uint64_t i = 0; i < length; i++) { CHECK_EQUAL(stream_byte(position + i), from[i]); }
}

/* An empty ring whose ends both have moved `position` bytes. */
static inline void pair_begin(uint64_t position) {
  memset(&pair, 0xa5, sizeof pair);
  adr_store_relaxed_u64(&pair.ring.filled, position);
  adr_store_relaxed_u64(&pair.ring.drained, position);
}

/* Nothing but the two words and the ring's own bytes was written. */
static inline void pair_check_guards(uint64_t bytes) {
  for (uint32_t i = 0; i < PAIR_GUARD; i++) { CHECK_EQUAL(0xa5, pair.before[i]); }
  for (uint32_t i = 0; i < sizeof pair.ring.reserved0; i++) { CHECK_EQUAL(0xa5, pair.ring.reserved0[i]); }
  for (uint32_t i = 0; i < sizeof pair.ring.reserved1; i++) { CHECK_EQUAL(0xa5, pair.ring.reserved1[i]); }
  for (uint64_t i = bytes; i < bytes + PAIR_GUARD; i++) { CHECK_EQUAL(0xa5, pair.bytes[i]); }
}
