/* Twin of io.adrastea.layout.BarrierDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"

/* A barrier of all ranks [MPICH2 2007, Fig. 2]: a rank that arrives counts, the last one turns the signal over. */
struct adr_barrier {
  /* block 0, writers: every rank */
  adr_atomic_u32 counter; /* ranks that have arrived */
  uint8_t reserved0[124];
  /* block 1, writer: the rank that arrives last */
  adr_atomic_u32 signal; /* sense of the barrier that was passed last: 0 or 1 */
  uint8_t reserved1[124];
};
#define ADR_BARRIER_BYTES 256
#define ADR_BARRIER_FIELDS(X) \
  X(barrier, counter, 0, 4) \
  X(barrier, reserved0, 4, 124) \
  X(barrier, signal, 128, 4) \
  X(barrier, reserved1, 132, 124)
