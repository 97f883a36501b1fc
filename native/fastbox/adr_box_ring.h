/* Fastbox: a ring of bytes for one ordered pair of ranks, in the receiver's memory, that bypasses the queue. Here what
 * both sides know; adr_outbox.h is the writer's, adr_inbox.h the reader's. Twin of io.adrastea.fastbox.BoxRing.
 *
 * Sources: [Nemesis 2006, 3.2] (fastboxes: a receiver checks few places, a message costs one line) and [MVAPICH
 * 2006, 3.2] (receive buffers per pair) in one. A message is a header word, its match word and the payload, contiguous:
 * up to 48 bytes share one line. Its header carries the sequence number that the receiver waits for, so one load tells
 * that a message is there and that it is the next one of its source, whatever went by queue.
 *
 * Where the next message begins is told by the one before. While the receiver keeps up, each begins on a line of its
 * own: two CPUs at work in one line slow each other down. When it is behind, and in a burst, they are packed at
 * multiples of 8 bytes, so that one line carries several and the ring holds more.
 *
 * Invariants:
 * - The receiver polls one place only, the next header's. There is no other word there that could be taken for it:
 * either a header of an earlier lap, whose sequence is another, or zero. A place that may hold old payload is zeroed
 * before the header in front of it shows (`stale` tells how far there is such).
 * - Positions count bytes from the start of the ring's life; writer's position + 8 - `released` never exceeds the ring.
 */
#pragma once

#include "base/adr_base.h"
#include "layout/adr_layout_box_entry.h"
#include "layout/adr_layout_box_message.h"
#include "layout/adr_layout_cell.h"

/* What a packed message begins at a multiple of. */
#define ADR_BOX_WORD 8u

/* What lies at `position`. */
static inline struct adr_box_message *adr_box_message_at(uint8_t *ring, uint64_t mask, uint64_t position) {
  return (struct adr_box_message *)(void *)(ring + (position & mask));
}

/* Where a message of `length` bytes ends that begins at `begin`. */
static inline uint64_t adr_box_end(uint64_t begin, uint32_t length, bool packed) {
  return adr_align_up(begin + ADR_BOX_MESSAGE_BYTES + length, ADR_LINE >> (packed ? 3 : 0)); /* to ADR_BOX_WORD */
}

static inline uint32_t adr_box_kind(uint64_t header) {
  return (uint32_t)(header >> ADR_BOX_KIND_SHIFT & ADR_BOX_KIND_MASK);
}
