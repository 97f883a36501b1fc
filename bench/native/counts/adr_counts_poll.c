#include "counts/adr_counts_poll.h"

#include <stdlib.h>

#include "fastbox/adr_inbox.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_geometry.h"

struct counts_look {
  uint32_t ranks;
  adr_atomic_u64 *active;                    /* ours: a bit per source, shared */
  adr_atomic_u64 total_in[COUNTS_MAX_RANKS]; /* [MVAPICH 2006]: a counter per source, shared, contiguous */
  uint64_t total_out[COUNTS_MAX_RANKS];      /* and one that is the receiver's own */
  struct adr_inbox box[COUNTS_MAX_RANKS];
};

/* Boxes in use stand at unrelated places of their rings. */
static uint64_t some_line(uint32_t source, uint64_t mask) {
  return (source * UINT64_C(0x9e3779b97f4a7c15) >> 32) * ADR_LINE & mask;
}

struct counts_look *counts_look_open(const struct counts_job *job) {
  const struct adr_segment_header *header = adr_segment_header_of(&job->segment);
  struct counts_look *look = aligned_alloc(4096, adr_align_up(sizeof *look, 4096));
  if (look == NULL) { counts_fail("looks", -12); }
  *look = (struct counts_look){.ranks = header->rank_count};
  look->active = adr_rank_table_entry(job->segment.base, 0)->doorbell_active;
  for (uint32_t source = 0; source < look->ranks; source++) {
    struct adr_inbox *box = &look->box[source];
    box->ring = job->segment.base + adr_box_ring_offset(header, 0, source);
    box->mask = header->box_ring_bytes - 1u;
    box->position = some_line(source, box->mask);
  }
  return look;
}

int counts_look_bitmap(const struct counts_look *look) {
  for (uint32_t word = 0; word * 64 < look->ranks; word++) {
    uint64_t bits = adr_load_relaxed_u64(&look->active[word]);
    if (ADR_UNLIKELY(bits != 0)) { return (int)(word * 64) + __builtin_ctzll(bits); }
  }
  return -1;
}

int counts_look_counters(const struct counts_look *look) {
  for (uint32_t source = 0; source < look->ranks; source++) {
    /* Relaxed, as the bits above: nothing is read that such a number would show. */
    if (ADR_UNLIKELY(adr_load_relaxed_u64(&look->total_in[source]) != look->total_out[source])) { return (int)source; }
  }
  return -1;
}

int counts_look_boxes(const struct counts_look *look) {
  for (uint32_t source = 0; source < look->ranks; source++) {
    if (ADR_UNLIKELY(adr_inbox_peek(&look->box[source], 1) != 0)) { return (int)source; }
  }
  return -1;
}
