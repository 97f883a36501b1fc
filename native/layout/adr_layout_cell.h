/* Twin of io.adrastea.layout.CellDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"

/* In the tag of a match word: the message belongs to the transfer of a large one, and is a cookie. */
#define ADR_MATCH_TRANSFER UINT64_C(0x80000000)

/* Kinds of messages and pieces. */
enum {
  ADR_KIND_FIRST = 1, /* the first piece of a message, maybe the only one: carries match and total length */
  ADR_KIND_NEXT = 2,  /* a later piece of the message begun last by this source */
  ADR_KIND_ABORT = 3, /* the sender gives up the message begun last: no more of it comes */
};

/* A cell's header; the payload follows. Writers: the rank that holds the cell (`owner`, from taking it
 * out of its free queue until it enqueues it; then the receiver); `next` also by the next enqueuer of the
 * queue that the cell is in. */
struct adr_cell {
  adr_atomic_u64 next;   /* the cell behind it in its queue */
  uint64_t match;        /* context 32 | tag 32 */
  uint64_t total_length; /* bytes of the whole message */
  uint64_t sequence;     /* number of this piece from source to destination, from 0 */
  uint32_t length;       /* bytes of payload here */
  uint32_t source;       /* rank that sent it */
  uint32_t kind;
  uint32_t owner;            /* rank whose free queue it belongs to; fixed */
  adr_atomic_u64 generation; /* raised at every dequeue */
  uint32_t destination;      /* rank it was sent to last, plus 1; private to the owner */
  uint32_t reserved0;
};
#define ADR_CELL_BYTES 64
#define ADR_CELL_FIELDS(X) \
  X(cell, next, 0, 8) \
  X(cell, match, 8, 8) \
  X(cell, total_length, 16, 8) \
  X(cell, sequence, 24, 8) \
  X(cell, length, 32, 4) \
  X(cell, source, 36, 4) \
  X(cell, kind, 40, 4) \
  X(cell, owner, 44, 4) \
  X(cell, generation, 48, 8) \
  X(cell, destination, 56, 4) \
  X(cell, reserved0, 60, 4)
