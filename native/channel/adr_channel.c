/* Opening and closing a channel. Twin of io.adrastea.core.pure.PureCore. */
#include "channel/adr_channel_state.h"

#include <stdlib.h>

#include "channel/adr_cadence.h"
#include "ranktable/adr_rank_table.h"

_Static_assert(sizeof(adr_inbound) == 64, "bindings fill eight words");
_Static_assert(ADR_PIECE_FIRST == ADR_KIND_FIRST && ADR_PIECE_NEXT == ADR_KIND_NEXT
                   && ADR_PIECE_ABORT == ADR_KIND_ABORT,
               "the public kinds are the layout's");

static void set_up_flows(adr_channel *channel) {
  const struct adr_segment_header *header = adr_channel_header(channel);
  for (uint32_t other = 0; other < channel->rank_count; other++) {
    struct adr_outflow *out = &channel->out[other];
    out->receive_queue = adr_receive_queue_offset(header, other);
    out->doorbell = &adr_rank_table_entry(channel->view.base, other)->doorbell_active[channel->rank / 64];
    out->box.mask = header->box_ring_bytes - 1u;
    out->box.entry = (const void *)(channel->view.base + adr_box_entry_offset(header, other, channel->rank));
    struct adr_inbox *box = &channel->in[other].box;
    box->mask = out->box.mask;
    box->entry = (void *)(channel->view.base + adr_box_entry_offset(header, channel->rank, other));
  }
}

adr_channel *adr_channel_open(void *base, int32_t rank) {
  const struct adr_segment_header *header = base;
  adr_channel *channel = calloc(1, sizeof *channel);
  if (channel == NULL || rank < 0 || (uint32_t)rank >= header->rank_count) {
    free(channel);
    return NULL;
  }
  channel->view = adr_view_of(base);
  channel->rank = (uint32_t)rank;
  channel->rank_count = header->rank_count;
  channel->cell_payload = header->cell_payload;
  channel->box_limit = header->box_limit;
  channel->box_threshold = header->box_threshold;
  channel->receive_queue = adr_receive_queue_offset(header, channel->rank);
  channel->most_early = header->cell_count + header->box_ring_bytes / ADR_BOX_SLOT_BYTES;
  channel->pauses = adr_cadence_pauses();
  channel->bit = UINT64_C(1) << channel->rank % 64;
  channel->active = adr_rank_table_entry(base, channel->rank)->doorbell_active;
  channel->out = calloc(channel->rank_count, sizeof *channel->out);
  channel->in = calloc(channel->rank_count, sizeof *channel->in);
  if (channel->out == NULL || channel->in == NULL
      || adr_cell_pool_open(&channel->pool, &channel->view, channel->rank) < 0) {
    adr_channel_close(channel);
    return NULL;
  }
  set_up_flows(channel);
  adr_barrier_open(&channel->barrier, base);
  return channel;
}

void adr_channel_close(adr_channel *channel) {
  if (channel != NULL) {
    if (channel->place == ADR_PLACE_SPENT) {
      adr_channel_retire(channel);
    }
    adr_cell_pool_close(&channel->pool);
    free(channel->out);
    free(channel->in);
    free(channel);
  }
}

int32_t adr_channel_nothing(adr_channel *channel) {
  (void)channel;
  return 0;
}
