/* Opening and closing a channel, and its barrier. Twin of io.adrastea.core.pure.PureCore. */
#include "channel/adr_channel_state.h"

#include <stdlib.h>

#include "channel/adr_cadence.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_geometry.h"
#include "wait/adr_doorbell.h"

#define ANY_BYTES UINT64_MAX /* the header's word is taken for it */

_Static_assert(sizeof(adr_inbound) == 64, "bindings fill eight words");
_Static_assert(ADR_PIECE_FIRST == ADR_KIND_FIRST && ADR_PIECE_NEXT == ADR_KIND_NEXT
                   && ADR_PIECE_ABORT == ADR_KIND_ABORT,
               "the public kinds are the layout's");

static void set_up_flows(adr_channel *channel) {
  const struct adr_segment_header *header = adr_channel_header(channel);
  for (uint32_t other = 0; other < channel->rank_count; other++) {
    struct adr_outflow *out = &channel->out[other];
    out->receive_queue = adr_receive_queue_offset(header, other);
    out->entry = adr_rank_table_entry(channel->view.base, other);
    out->doorbell = &out->entry->doorbell_active[channel->rank / 64];
    out->box.mask = header->box_ring_bytes - 1u;
    out->box.entry = (const void *)(channel->view.base + adr_box_entry_offset(header, other, channel->rank));
    channel->in[other].entry = out->entry;
    struct adr_inbox *box = &channel->in[other].box;
    box->mask = out->box.mask;
    box->entry = (void *)(channel->view.base + adr_box_entry_offset(header, channel->rank, other));
    for (uint32_t class = 0; class < ADR_BOX_COSTS_CLASSES; class ++) { adr_box_costs_open(&out->costs[class]); }
  }
}

/* Takes the header over, if its sizes do not contradict each other, nor what is mapped: a rank that is broken may have
 * written to it since this process attached. Only the copy is used from here on. */
static bool read_geometry(struct adr_segment_header *geometry, const void *base, uint64_t bytes, int32_t rank) {
  struct adr_segment_shape shape;
  adr_segment_header_read(geometry, base);
  return adr_segment_shape_of(&shape, geometry) == 0 && (bytes == ANY_BYTES || bytes == shape.segment_bytes)
         && rank >= 0 && (uint32_t)rank < geometry->rank_count;
}

static adr_channel *open_channel(void *base, uint64_t bytes, int32_t rank) {
  adr_channel *channel = calloc(1, sizeof *channel);
  if (channel == NULL || !read_geometry(&channel->geometry, base, bytes, rank)) {
    free(channel);
    return NULL;
  }
  const struct adr_segment_header *header = &channel->geometry;
  channel->view = adr_view_with(base, header);
  channel->rank = (uint32_t)rank;
  channel->rank_count = header->rank_count;
  channel->cell_payload = header->cell_payload;
  channel->box_limit = header->box_limit & ~ADR_BOX_LEARNS;
  channel->box_learns = (header->box_limit & ADR_BOX_LEARNS) != 0;
  channel->box_threshold = header->box_threshold;
  channel->receive_queue = adr_receive_queue_offset(header, channel->rank);
  channel->most_early = header->cell_count + header->box_ring_bytes / ADR_BOX_MESSAGE_BYTES;
  channel->pauses = adr_cadence_pauses();
  channel->bit = adr_bit_of(channel->rank);
  channel->self = adr_rank_table_entry(base, channel->rank);
  channel->active = channel->self->doorbell_active;
  channel->out = calloc(channel->rank_count, sizeof *channel->out);
  channel->in = calloc(channel->rank_count, sizeof *channel->in);
  channel->opened = calloc((channel->rank_count + 63) / 64, sizeof *channel->opened);
  if (channel->out == NULL || channel->in == NULL || channel->opened == NULL
      || adr_cell_pool_open(&channel->pool, header, channel->rank) < 0) {
    adr_channel_close(channel);
    return NULL;
  }
  set_up_flows(channel);
  adr_barrier_open(&channel->barrier, base, channel->rank_count);
  return channel;
}

adr_channel *adr_channel_open(void *base, int32_t rank) { return open_channel(base, ANY_BYTES, rank); }

adr_channel *adr_channel_open_within(void *base, int64_t bytes, int32_t rank) {
  return bytes <= 0 ? NULL : open_channel(base, (uint64_t)bytes, rank);
}

void adr_channel_close(adr_channel *channel) {
  if (channel != NULL) {
    if (channel->self != NULL
        && !adr_intent_is_open(channel->self)) { /* else the cell comes back like all that this rank has of others */
      adr_channel_retire(channel);
    }
    adr_cell_pool_close(&channel->pool);
    free(channel->out);
    free(channel->in);
    free(channel->opened);
    free(channel);
  }
}

/* The last rank to arrive wakes those that wait asleep. */
int32_t adr_channel_barrier_arrive(adr_channel *channel) {
  int status = adr_barrier_arrive(&channel->barrier);
  for (uint32_t other = 0; status == ADR_BARRIER_LAST && other < channel->rank_count; other++) {
    adr_doorbell_ring(channel->out[other].entry);
  }
  return status < 0 ? status : 0;
}

int32_t adr_channel_barrier_wait(adr_channel *channel, int32_t spins) {
  return adr_barrier_wait(&channel->barrier, spins);
}
