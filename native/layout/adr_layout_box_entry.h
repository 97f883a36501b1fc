/* Twin of io.adrastea.layout.BoxEntryDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"

/* What a rank says of the fastbox from one source; its ring lies at segment_header.boxes_offset. */
struct adr_box_entry {
  /* writer: the rank, as of all entries of its table; reader: the source */
  adr_atomic_u32 open; /* 1: the ring is there */
  uint32_t reserved0;
  adr_atomic_u64 released; /* bytes of the ring that were read and may be written again, counted from the start */
  /* writer: the lower one of the rank and the source, or the other, whichever comes first; readers: both */
  adr_atomic_u64 link; /* of the lower rank: letters of the name of the link between both; 0: none has said, as no rank
                          in C does, which is reached by shared memory */
  uint8_t reserved1[40];
};
#define ADR_BOX_ENTRY_BYTES 64
#define ADR_BOX_ENTRY_FIELDS(X) \
  X(box_entry, open, 0, 4) \
  X(box_entry, reserved0, 4, 4) \
  X(box_entry, released, 8, 8) \
  X(box_entry, link, 16, 8) \
  X(box_entry, reserved1, 24, 40)
