/* What a member's moves by lines have: what its line tells, and which lines it reads. All other moves read that. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "layout/adr_layout_slot.h"

struct adr_line_moves {
  uint64_t head;
  uint64_t what;
  uint64_t compared;        /* bits of it that all members tell alike */
  uint32_t first;           /* member whose line is read first */
  uint32_t last;            /* behind the last one whose line is read */
  uint32_t at;              /* member whose line is read next */
  int64_t fold_from;        /* where in each operand begins what this member combines */
  int64_t fold_bytes;       /* of that */
  const uint8_t *folded_at; /* where in the slot lies what was combined so far */
  int64_t *parts;           /* of a reduce_scatter: bytes of each, and where it begins; NULL: none was ever told */
  bool by_parts;            /* they are told; else all are as long */
  bool exposed;             /* the caller has told of its buffers */
  uint64_t told[ADR_SLOT_TELL_WORDS]; /* what it has told */
};
