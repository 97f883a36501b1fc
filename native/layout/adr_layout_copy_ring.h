/* Twin of io.adrastea.layout.CopyRingDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"

/* The head of a copy ring, through which a large message is copied by both of its ends at once [MPICH2 2007, 3.2]; the
 * bytes of the ring follow. It lies in a shared allocation of the receiver. */
struct adr_copy_ring {
  /* block 0, writer: the sender */
  adr_atomic_u64 filled; /* bytes written since the start */
  uint8_t reserved0[120];
  /* block 1, writer: the receiver */
  adr_atomic_u64 drained; /* bytes read since the start */
  uint8_t reserved1[120];
};
#define ADR_COPY_RING_BYTES 256
#define ADR_COPY_RING_FIELDS(X) \
  X(copy_ring, filled, 0, 8) \
  X(copy_ring, reserved0, 8, 120) \
  X(copy_ring, drained, 128, 8) \
  X(copy_ring, reserved1, 136, 120)
