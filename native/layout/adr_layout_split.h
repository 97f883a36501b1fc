/* Twin of io.adrastea.layout.SplitDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"

/* What is left of a message that both of its ends copy, each a part: the receiver from the front, the sender from the
 * back. Lies in a shared allocation of the receiver. */
struct adr_split {
  /* block 0, writers: the sender and the receiver */
  adr_atomic_u64 taken; /* tag of the transfer 16 | pages taken from the front 24 | from the back 24 */
  uint8_t reserved0[120];
};
#define ADR_SPLIT_BYTES 128
#define ADR_SPLIT_FIELDS(X) \
  X(split, taken, 0, 8) \
  X(split, reserved0, 8, 120)
