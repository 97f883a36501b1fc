/* Twin of io.adrastea.layout.MpscQueueDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"

/* Multi-producer single-consumer queue of cells ([Nemesis 2006, Fig. 3], shadow head of section 3.1). */
struct adr_mpsc_queue {
  /* block 0, writers: enqueuers; the dequeuer when it takes the head over or the last cell out */
  adr_atomic_u64 head;
  adr_atomic_u64 tail;
  uint8_t reserved0[112];
  /* block 1, writer: the dequeuer */
  adr_atomic_u64 shadow_head; /* the dequeuer's own, but a broken rank may write there too */
  uint8_t reserved1[120];
};
#define ADR_MPSC_QUEUE_BYTES 256
#define ADR_MPSC_QUEUE_FIELDS(X) \
  X(mpsc_queue, head, 0, 8) \
  X(mpsc_queue, tail, 8, 8) \
  X(mpsc_queue, reserved0, 16, 112) \
  X(mpsc_queue, shadow_head, 128, 8) \
  X(mpsc_queue, reserved1, 136, 120)
