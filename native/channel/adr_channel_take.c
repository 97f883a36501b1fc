/* What becomes of the piece at hand: it is taken, released, or held and given back later. Twin of
 * io.adrastea.core.pure.PureTaker. */
#include "channel/adr_channel_state.h"

/* Ends with the piece at hand. A cell in the queue leaves it only when the next piece is wanted: then its two locked
 * instructions overlap with the peer's answer. */
static int end_piece(adr_channel *channel) {
  enum adr_place place = channel->place;
  if (place == ADR_PLACE_QUEUE) {
    channel->place = ADR_PLACE_SPENT;
    return 0;
  }
  channel->place = ADR_PLACE_NONE;
  if (place == ADR_PLACE_BOX) {
    if (adr_inbox_end(&channel->in[channel->inbound.source].box, channel->header)) {
      adr_channel_ring_writer(channel, (uint32_t)channel->inbound.source);
    }
    return 0;
  }
  return adr_channel_give_back(channel, channel->owner, (uint64_t)channel->inbound.place);
}

int32_t adr_channel_take(adr_channel *channel, void *destination, int64_t offset, int64_t length) {
  if (ADR_UNLIKELY(!adr_channel_at_hand(channel) || length < 0 || length > channel->inbound.length)) {
    return ADR_INVALID;
  }
  adr_copy_short((uint8_t *)destination + offset, channel->view.base + channel->inbound.payload, (uint32_t)length);
  return end_piece(channel);
}

int32_t adr_channel_release(adr_channel *channel) {
  return adr_channel_at_hand(channel) ? end_piece(channel) : ADR_INVALID;
}

int32_t adr_channel_retain(adr_channel *channel) {
  if (!adr_channel_at_hand(channel)) { return ADR_INVALID; }
  if (channel->place == ADR_PLACE_BOX) {
    adr_inbox_retain(&channel->in[channel->inbound.source].box, channel->header);
    channel->place = ADR_PLACE_NONE;
    return 0;
  }
  if (channel->place == ADR_PLACE_QUEUE) {
    int status = adr_mpsc_advance(&channel->view, channel->receive_queue, (uint64_t)channel->inbound.place);
    if (status < 0) { return status == ADR_LINK_PENDING ? ADR_AGAIN : status; }
  }
  channel->place = ADR_PLACE_NONE;
  channel->retained_count++;
  return 0;
}

static int release_cell(adr_channel *channel, uint64_t element) {
  if (channel->retained_count == 0 || !adr_view_holds(&channel->view, element)) { return ADR_INVALID; }
  uint32_t owner = adr_load_once_u32(&adr_view_cell(&channel->view, element)->owner);
  if (owner >= channel->rank_count) { return ADR_CORRUPT; }
  channel->retained_count--;
  return adr_channel_give_back(channel, owner, element);
}

int32_t adr_channel_release_retained(adr_channel *channel, int32_t source, int64_t place) {
  if ((uint32_t)source >= channel->rank_count) { return ADR_INVALID; }
  if (place >= 0) { return release_cell(channel, (uint64_t)place); }
  int status = adr_inbox_release(&channel->in[source].box, (uint64_t)(-1 - place));
  adr_channel_ring_writer(channel, (uint32_t)source);
  return status;
}
