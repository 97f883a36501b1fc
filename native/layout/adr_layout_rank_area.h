/* Twin of io.adrastea.layout.RankAreaDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"
#include "layout/adr_layout_mpsc_queue.h"
#include "layout/adr_layout_region.h"

#define ADR_MAX_REGIONS 31u

/* A rank's own part of the segment: reserved, first touched and formatted by the rank. Behind it lie, at the offsets
 * that the header names: its box table, its cells, and place for the rings of its fastboxes, reserved when one is made.
 */
struct adr_rank_area {
  struct adr_mpsc_queue receive_queue;
  struct adr_mpsc_queue free_queue;
  /* blocks 4 to 7, writer: the rank */
  adr_atomic_u32 region_count;
  uint8_t reserved0[12];
  struct adr_region regions[ADR_MAX_REGIONS];
};
#define ADR_RANK_AREA_BYTES 1024
#define ADR_RANK_AREA_FIELDS(X) \
  X(rank_area, receive_queue, 0, 256) \
  X(rank_area, free_queue, 256, 256) \
  X(rank_area, region_count, 512, 4) \
  X(rank_area, reserved0, 516, 12) \
  X(rank_area, regions, 528, 496)
