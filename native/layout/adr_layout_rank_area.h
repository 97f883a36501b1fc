/* Twin of io.adrastea.layout.RankAreaDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "layout/adr_layout_mpsc_queue.h"

/* A rank's own part of the segment: reserved, first touched and formatted by the rank. Behind it lie, at the offsets
 * that the header names: its box table, its cells, and place for the rings of its fastboxes, reserved when one is made.
 */
struct adr_rank_area {
  struct adr_mpsc_queue receive_queue;
  struct adr_mpsc_queue free_queue;
};
#define ADR_RANK_AREA_BYTES 512
#define ADR_RANK_AREA_FIELDS(X) \
  X(rank_area, receive_queue, 0, 256) \
  X(rank_area, free_queue, 256, 256)
