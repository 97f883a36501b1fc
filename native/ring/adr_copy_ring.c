/* The functions of adrastea/ring.h as symbols. */
#include "ring/adr_copy_ring.h"

int32_t adr_ring_put(void *ring, int64_t bytes, int64_t chunk, int64_t filled, const void *source, int64_t offset,
                     int64_t length) {
  if (length < 0) { return ADR_INVALID; }
  return adr_copy_ring_put(ring, (uint64_t)bytes, (uint64_t)chunk, (uint64_t)filled, (const uint8_t *)source + offset,
                           (uint64_t)length);
}

int32_t adr_ring_take(void *ring, int64_t bytes, int64_t chunk, int64_t drained, void *destination, int64_t offset,
                      int64_t length) {
  if (length < 0) { return ADR_INVALID; }
  return adr_copy_ring_take(ring, (uint64_t)bytes, (uint64_t)chunk, (uint64_t)drained, (uint8_t *)destination + offset,
                            (uint64_t)length);
}
