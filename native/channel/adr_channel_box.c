/* Making and finding fastboxes: never on the way of a message. Twin of io.adrastea.core.pure.PureBoxes. */
#include <sys/mman.h>

#include "channel/adr_channel_state.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_pages.h"
#include "wait/adr_doorbell.h"

static uint64_t bit_of(uint32_t rank) { return UINT64_C(1) << rank % 64; }

int32_t adr_channel_open_box(adr_channel *channel, int32_t source) {
  uint32_t from = (uint32_t)source;
  const struct adr_segment_header *header = adr_channel_header(channel);
  if (from >= channel->rank_count || header->box_ring_bytes == 0 || channel->in[from].box.ring != NULL) {
    return ADR_INVALID;
  }
  struct adr_inbox *box = &channel->in[from].box;
  box->ring = channel->view.base + adr_box_ring_offset(header, channel->rank, from);
  box->tell_at = box->mask >> 2;
  channel->opened[from / 64] |= bit_of(from);
  /* SYNC box-active: acq_rel, and before `open`: its mark was a wish, for which this rank was rung. It may have said
   * since that it sleeps; who finds the box sets the mark anew, and sees that. */
  adr_and_acq_rel_u64(&channel->active[from / 64], ~bit_of(from));
  ADR_STOP(box_open);
  /* SYNC box-open: release, pairs with the writer's acquire; the ring was reserved, and its zeros are there. */
  adr_store_release_u32(&box->entry->open, 1);
  ADR_STOP(box_opened);
  return 0;
}

int32_t adr_channel_refuse_box(adr_channel *channel, int32_t source) {
  uint32_t from = (uint32_t)source;
  if (from >= channel->rank_count || channel->in[from].box.ring != NULL) { return ADR_INVALID; }
  /* Relaxed: a refused wish stands for nothing. A read-modify-write, so that marks of others are not lost. */
  adr_and_relaxed_u64(&channel->active[from / 64], ~bit_of(from));
  ADR_STOP(box_refused);
  return 0;
}

void adr_channel_seek_box(adr_channel *channel, struct adr_outflow *out, uint32_t destination) {
  const struct adr_segment_header *header = adr_channel_header(channel);
  struct adr_outbox *box = &out->box;
  if (header->box_ring_bytes == 0) { return; }
  /* SYNC box-open: acquire, pairs with the reader's release. */
  if (adr_load_acquire_u32(&box->entry->open) == 1) {
    ADR_STOP(box_found);
    box->ring = channel->view.base + adr_box_ring_offset(header, destination, channel->rank);
    box->room = box->mask + 1;
    adr_channel_allow_lines(channel, out);
  } else if (!out->asked && ++out->by_queue >= channel->box_threshold) {
    out->asked = true;
    /* Relaxed: a wish stands for nothing that was stored before it; the doorbell orders it with the look who sleeps, as
     * a message. */
    adr_or_relaxed_u64(out->doorbell, bit_of(channel->rank));
    ADR_STOP(box_asked);
    adr_doorbell_ring(out->entry);
  }
}

/* Gives the memory of a ring back to the system. Its writer is gone: nobody touches it any more, nor marks it. Where
 * the system's pages are larger than a ring, it keeps it: the system would round up, and clear the rings of others. */
static int remove_ring(adr_channel *channel, uint32_t source) {
  struct adr_inbox *box = &channel->in[source].box;
  adr_store_relaxed_u32(&box->entry->open, 0);
  ADR_STOP(box_closed);
  /* Without a box it would be a wish for one. Relaxed: its writer is gone, and no look depends on it. */
  adr_and_relaxed_u64(&channel->active[source / 64], ~bit_of(source));
  ADR_STOP(box_unmarked);
  uint8_t *ring = box->ring;
  box->ring = NULL;
  channel->opened[source / 64] &= ~bit_of(source);
  uint64_t bytes = box->mask + 1;
  return adr_pages_are_whole(ring, bytes) && madvise(ring, bytes, MADV_REMOVE) == 0 ? 1 : 0;
}

int32_t adr_channel_reclaim(adr_channel *channel) {
  int32_t removed = 0;
  if (adr_channel_bury_step(channel) == ADR_CORRUPT) { return ADR_CORRUPT; }
  channel->scan_at = channel->looks; /* all fastboxes are scanned soon: whoever calls this looks seldom */
  for (uint32_t source = 0; source < channel->rank_count; source++) {
    struct adr_inflow *in = &channel->in[source];
    if (in->box.ring == NULL || in->box.retained != 0 || source == channel->rank) { continue; }
    uint32_t state = adr_rank_table_state(adr_rank_table_entry(channel->view.base, source));
    bool gone = state == ADR_RANK_LEFT || state == ADR_RANK_FAILED;
    bool at_hand = channel->place == ADR_PLACE_BOX && channel->inbound.source == source;
    /* Looked at after the state: what a rank sent before it left is seen here. */
    if (gone && !at_hand && adr_inbox_is_empty(&in->box, in->expected)) { removed += remove_ring(channel, source); }
  }
  return adr_channel_is_blocked(channel) ? ADR_AGAIN : removed;
}
