/* Making and finding fastboxes: never on the way of a message. Twin of io.adrastea.core.pure.PureBoxes. */
#include "channel/adr_channel_state.h"
#include "wait/adr_doorbell.h"

int32_t adr_channel_open_box(adr_channel *channel, int32_t source) {
  uint32_t from = (uint32_t)source;
  const struct adr_segment_header *header = adr_channel_header(channel);
  if (from >= channel->rank_count || header->box_ring_bytes == 0 || channel->in[from].box.ring != NULL) {
    return ADR_INVALID;
  }
  struct adr_inbox *box = &channel->in[from].box;
  box->ring = channel->view.base + adr_box_ring_offset(header, channel->rank, from);
  box->tell_at = box->mask >> 2;
  channel->opened[from / 64] |= adr_bit_of(from);
  /* SYNC box-active: acq_rel, and before `open`: its mark was a wish, for which this rank was rung. It may have said
   * since that it sleeps; a writer that finds the box sets the mark anew, and sees that. */
  adr_and_acq_rel_u64(&channel->active[from / 64], ~adr_bit_of(from));
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
  adr_and_relaxed_u64(&channel->active[from / 64], ~adr_bit_of(from));
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
    /* Relaxed: a wish stands for nothing that was stored before it; the doorbell orders it with the check whether the
     * receiver sleeps, as a message. */
    adr_or_relaxed_u64(out->doorbell, adr_bit_of(channel->rank));
    ADR_STOP(box_asked);
    adr_doorbell_ring(out->entry);
  }
}
