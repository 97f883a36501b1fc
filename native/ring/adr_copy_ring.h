/* The copy ring: a large message goes through shared memory while both of its ends copy. Twin of
 * io.adrastea.ring.CopyRing.
 *
 * Source: [MPICH2 2007, 3.2] (the copy in several chunks through shared memory, "double buffering"); here there are as
 * many buffers as chunks fit the ring, and no flag per buffer: two counts of bytes, which only grow, tell all there is
 * to know.
 *
 * Invariants: drained <= filled <= drained + bytes. The byte at position p of the stream lies at p modulo the ring's
 * bytes. Bytes [drained, filled) are the reader's, the others the writer's. Each end keeps its own count for itself and
 * believes only the other's, within these bounds; the word that it writes itself is never read back.
 *
 * Chunks end where the position is a multiple of `chunk`, whatever was put before: so both ends are at work at once,
 * one chunk apart, and no copy goes over the ring's end. One thread at a time writes, one reads; neither waits. */
#pragma once

#include "adrastea/ring.h"
#include "base/adr_base.h"
#include "base/adr_stop.h"
#include "copy/adr_copy.h"
#include "layout/adr_layout_copy_ring.h"

/* Where position `position` of the stream lies. */
static inline uint8_t *adr_copy_ring_at(struct adr_copy_ring *ring, uint64_t bytes, uint64_t position) {
  return (uint8_t *)(ring + 1) + (position & (bytes - 1));
}

/* How many bytes go at once: to the end of the chunk, or of what there is. */
static inline uint64_t adr_copy_ring_part(uint64_t bytes, uint64_t chunk, uint64_t position, uint64_t end) {
  uint64_t step = chunk < bytes ? chunk : bytes;
  uint64_t part = step - (position & (step - 1));
  return part < end - position ? part : end - position;
}

/* How many bytes one call moves of the `wanted`, when `there` can be moved. */
static inline uint64_t adr_copy_ring_count(uint64_t wanted, uint64_t there) {
  uint64_t count = wanted < there ? wanted : there;
  return count < ADR_RING_MOST ? count : ADR_RING_MOST;
}

/* Writes bytes from `from`: how many; 0: no room now; ADR_CORRUPT: `drained` is beyond `filled` or more than the ring
 * behind it. */
static inline int32_t adr_copy_ring_put(struct adr_copy_ring *ring, uint64_t bytes, uint64_t chunk, uint64_t filled,
                                        const uint8_t *from, uint64_t length) {
  /* SYNC ring-drained: acquire, pairs with the reader's release. Our copy into the room comes after this load, so it
   * comes after the reader's loads from that room. A relaxed load would not do, though room and branch depend on its
   * value: in the C11 model neither orders a later store behind it. */
  uint64_t drained = adr_load_acquire_u64(&ring->drained);
  uint64_t used = filled - drained;
  if (ADR_UNLIKELY(used > bytes)) { return ADR_CORRUPT; }
  uint64_t end = filled + adr_copy_ring_count(length, bytes - used);
  uint64_t position = filled;
  while (position != end) {
    uint64_t part = adr_copy_ring_part(bytes, chunk, position, end);
    adr_copy_piece(adr_copy_ring_at(ring, bytes, position), from + (position - filled), part);
    ADR_STOP(ring_put_copied);
    position += part;
    /* SYNC ring-filled: release, pairs with the reader's acquire; the bytes copied come before the count that shows
     * them. (A copy with nontemporal stores would need its fence here: release does not order those.) */
    adr_store_release_u64(&ring->filled, position);
    ADR_STOP(ring_put_told);
  }
  return (int32_t)(end - filled);
}

/* Reads bytes to `to`: how many; 0: nothing there now; ADR_CORRUPT: `filled` is behind `drained` or more than the ring
 * beyond it. */
static inline int32_t adr_copy_ring_take(struct adr_copy_ring *ring, uint64_t bytes, uint64_t chunk, uint64_t drained,
                                         uint8_t *to, uint64_t length) {
  /* SYNC ring-filled: acquire, pairs with the writer's release; our loads of the bytes come after it. */
  uint64_t filled = adr_load_acquire_u64(&ring->filled);
  uint64_t there = filled - drained;
  if (ADR_UNLIKELY(there > bytes)) { return ADR_CORRUPT; }
  uint64_t end = drained + adr_copy_ring_count(length, there);
  uint64_t position = drained;
  while (position != end) {
    uint64_t part = adr_copy_ring_part(bytes, chunk, position, end);
    adr_copy_piece(to + (position - drained), adr_copy_ring_at(ring, bytes, position), part);
    ADR_STOP(ring_take_copied);
    position += part;
    /* SYNC ring-drained: release, pairs with the writer's acquire. Release orders our loads of the room before the
     * store that gives it back, too: a store barrier alone would let the writer overwrite what we have not read yet. */
    adr_store_release_u64(&ring->drained, position);
    ADR_STOP(ring_take_told);
  }
  return (int32_t)(end - drained);
}
