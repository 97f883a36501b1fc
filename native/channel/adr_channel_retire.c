/* How room goes back to whose it is: cells, and the spent one, which is still in the queue. Twin of
 * io.adrastea.core.pure.PureRetirement. */
#include "channel/adr_channel_state.h"
#include "wait/adr_doorbell.h"

int adr_channel_give_back(adr_channel *channel, uint32_t owner, uint64_t element) {
  int status = adr_mpsc_enqueue(&channel->view, adr_free_queue_offset(adr_channel_header(channel), owner),
                                channel->self, element);
  adr_doorbell_ring(channel->out[owner].entry);
  return status;
}

void adr_channel_ring_writer(const adr_channel *channel, uint32_t source) {
  adr_doorbell_ring(channel->out[source].entry);
}

int adr_channel_retire(adr_channel *channel) {
  if (channel->place == ADR_PLACE_SPENT) {
    channel->spent = (uint64_t)channel->inbound.place;
    channel->spent_owner = channel->owner;
    channel->place = ADR_PLACE_NONE;
  }
  uint64_t element = channel->spent;
  if (element == 0) { return 0; }
  int status = adr_mpsc_advance(&channel->view, channel->receive_queue, element);
  if (ADR_UNLIKELY(status < 0)) { return status == ADR_LINK_PENDING ? ADR_AGAIN : status; }
  channel->spent = 0;
  return adr_channel_give_back(channel, channel->spent_owner, element);
}

bool adr_channel_is_blocked(adr_channel *channel) {
  if (adr_channel_at_hand(channel)) { return false; }
  if (adr_channel_retire(channel) == ADR_AGAIN) { return true; }
  /* SYNC queue-tail: acquire, pairs with the SWAP of an enqueuer that has not stored `head` yet. */
  return adr_mpsc_peek(&channel->view, channel->receive_queue) == 0
         && adr_load_acquire_u64(&adr_mpsc_at(&channel->view, channel->receive_queue)->tail) != 0;
}
