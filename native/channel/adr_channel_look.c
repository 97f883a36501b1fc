/* Polling: a look, and what it found is told. Twin of io.adrastea.core.pure.PureLook. */
#include "channel/adr_channel_look.h"

/* Word by word: what was just stored so cannot be forwarded to wider loads, which would wait for the store. */
static inline void tell(adr_inbound *inbound, const adr_inbound *found) {
  inbound->source = *(const volatile int64_t *)&found->source;
  inbound->kind = *(const volatile int64_t *)&found->kind;
  inbound->match = *(const volatile int64_t *)&found->match;
  inbound->length = *(const volatile int64_t *)&found->length;
  inbound->total_length = *(const volatile int64_t *)&found->total_length;
  inbound->payload = *(const volatile int64_t *)&found->payload;
  inbound->sequence = *(const volatile int64_t *)&found->sequence;
  inbound->place = *(const volatile int64_t *)&found->place;
}

int32_t adr_channel_poll(adr_channel *channel, int32_t first, adr_inbound *inbound) {
  if (ADR_UNLIKELY(first >= (int32_t)channel->rank_count)) { return ADR_INVALID; }
  int status = adr_channel_next_piece(channel, first);
  if (status == 1) {
    tell(inbound, &channel->inbound);
  } else if (status == ADR_POLL_WANTED) {
    inbound->source = channel->inbound.source;
  }
  return status;
}
