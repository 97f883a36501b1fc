/* Which way a collective takes: one function of what all members know, so that all take the same. Twin of
 * io.adrastea.coll.Choice; tests/coll/choices.golden has what both choose. */
#pragma once

#include <stdint.h>

#include "adrastea/coll.h"
#include "layout/adr_layout_slot.h"

enum {
  ADR_COLL_LINES_ALL = 1,   /* every member posts a line, and every member reads all lines */
  ADR_COLL_LINES_ROOT = 2,  /* every member posts a line; the lowest reads all, the others what it has made of them */
  ADR_COLL_LINES_BCAST = 3, /* the root posts a line, and the others read that one */
  ADR_COLL_CELLS = 4,       /* through the members' cells, in rounds; of an allreduce each member combines a part */
};

/* As many lines as a member reads while it would wait for the lowest to have read as many. */
enum { ADR_COLL_MOST_LINES = 16 };

/* `bytes`: of each member's part; `choices`: of the slot. */
static inline int32_t adr_coll_choice(int32_t kind, uint32_t ranks, int64_t bytes, uint32_t choices) {
  const int checked = (choices & ADR_SLOT_CHECKED) != 0;
  if (bytes > (int64_t)ADR_SLOT_PAYLOAD) { return ADR_COLL_CELLS; }
  if (kind == ADR_COLL_BCAST) { return checked ? ADR_COLL_LINES_ALL : ADR_COLL_LINES_BCAST; }
  return kind == ADR_COLL_ALLGATHER || ranks <= ADR_COLL_MOST_LINES || checked ? ADR_COLL_LINES_ALL
                                                                               : ADR_COLL_LINES_ROOT;
}
