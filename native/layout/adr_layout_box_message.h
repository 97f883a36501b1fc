/* Twin of io.adrastea.layout.BoxMessageDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"

/* A message in a fastbox: it begins where the one before it ends, or at the next line (flag ADR_BOX_PACKED of the one
 * before); the payload follows, over as many lines as it needs. Writer: the source. */
struct adr_box_message {
  adr_atomic_u64 header; /* sequence 44 | packed 1 | kind 3 | length 16; written last */
  uint64_t match;        /* context 32 | tag 32 */
};
#define ADR_BOX_MESSAGE_BYTES 16
#define ADR_BOX_MESSAGE_FIELDS(X) \
  X(box_message, header, 0, 8) \
  X(box_message, match, 8, 8)

#define ADR_BOX_LENGTH_MASK UINT64_C(0xffff)
#define ADR_BOX_KIND_SHIFT 16
#define ADR_BOX_KIND_MASK UINT64_C(7)
#define ADR_BOX_PACKED (UINT64_C(1) << 19) /* the next message begins at the next 8 bytes, not at the next line */
#define ADR_BOX_SEQUENCE_SHIFT 20
#define ADR_BOX_SEQUENCE_MASK (~UINT64_C(0) >> ADR_BOX_SEQUENCE_SHIFT)
#define ADR_KIND_PAD 4 /* in a fastbox: go on at the ring's start; has the sequence number of the message there */
