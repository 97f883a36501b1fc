/* The channel, see adrastea/channel.h. Twin of io.adrastea.core.pure.PureCore. */
#include "adrastea/channel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "channel/adr_cell_pool.h"
#include "segment/adr_geometry.h"

_Static_assert(sizeof(adr_inbound) == 64, "bindings fill eight words");
_Static_assert(ADR_PIECE_FIRST == ADR_KIND_FIRST && ADR_PIECE_NEXT == ADR_KIND_NEXT
                   && ADR_PIECE_ABORT == ADR_KIND_ABORT,
               "the public kinds are the layout's");

struct adr_channel {
  struct adr_view view;
  uint64_t receive_queue;
  uint64_t current;    /* cell at the front of the receive queue, still in it; 0: none is known */
  uint64_t current_to; /* free queue it goes back to */
  bool spent;          /* its piece was taken: it leaves the queue at the next look */
  adr_inbound inbound; /* what it carries, read once */
  uint32_t rank;
  uint32_t rank_count;
  uint32_t cell_payload;
  uint64_t area_low;   /* receive queue of rank 0; one more rank is area_bytes further */
  uint64_t area_bytes;
  struct adr_cell_pool pool;
  uint64_t *sent;     /* per destination: pieces sent */
  uint64_t *received; /* per source: pieces received */
};

static uint64_t receive_queue_of(const adr_channel *channel, uint32_t rank) {
  return channel->area_low + rank * channel->area_bytes + offsetof(struct adr_rank_area, receive_queue);
}

static uint64_t free_queue_of(const adr_channel *channel, uint32_t rank) {
  return channel->area_low + rank * channel->area_bytes + offsetof(struct adr_rank_area, free_queue);
}

static int retire(adr_channel *channel);

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
  channel->area_low = header->rank_area_offset;
  channel->area_bytes = header->rank_area_bytes;
  channel->receive_queue = receive_queue_of(channel, channel->rank);
  channel->sent = calloc(channel->rank_count, sizeof(uint64_t));
  channel->received = calloc(channel->rank_count, sizeof(uint64_t));
  if (channel->sent == NULL || channel->received == NULL
      || adr_cell_pool_open(&channel->pool, &channel->view, channel->rank) < 0) {
    adr_channel_close(channel);
    return NULL;
  }
  return channel;
}

void adr_channel_close(adr_channel *channel) {
  if (channel != NULL) {
    if (channel->spent) {
      retire(channel);
    }
    adr_cell_pool_close(&channel->pool);
    free(channel->sent);
    free(channel->received);
    free(channel);
  }
}

int32_t adr_channel_try_send(adr_channel *channel, int32_t destination, int32_t kind, int64_t match,
                             int64_t total_length, const void *source, int64_t offset, int64_t length) {
  uint32_t to = (uint32_t)destination;
  if (ADR_UNLIKELY(to >= channel->rank_count || length < 0)) {
    return -EINVAL;
  }
  int64_t element = adr_cell_pool_take(&channel->view, &channel->pool, to);
  if (ADR_UNLIKELY(element < 0)) {
    return (int32_t)element;
  }
  uint32_t taken = length < channel->cell_payload ? (uint32_t)length : channel->cell_payload;
  struct adr_cell *cell = adr_view_cell(&channel->view, (uint64_t)element);
  cell->match = (uint64_t)match;
  cell->total_length = (uint64_t)total_length;
  cell->sequence = channel->sent[to]++;
  cell->length = taken;
  cell->source = channel->rank;
  cell->kind = (uint32_t)kind;
  memcpy(cell + 1, (const uint8_t *)source + offset, taken);
  int status = adr_mpsc_enqueue(&channel->view, receive_queue_of(channel, to), (uint64_t)element);
  adr_cell_pool_warm(&channel->view, &channel->pool);
  return status < 0 ? status : (int32_t)taken;
}

/* Reads the header of the cell just found, each field once, and checks it. */
static int accept_cell(adr_channel *channel, uint64_t element) {
  const struct adr_cell *cell = adr_view_cell(&channel->view, element);
  uint32_t source = adr_load_once_u32(&cell->source);
  uint32_t owner = adr_load_once_u32(&cell->owner);
  uint32_t length = adr_load_once_u32(&cell->length);
  uint32_t kind = adr_load_once_u32(&cell->kind);
  uint64_t sequence = adr_load_once_u64(&cell->sequence);
  int64_t total_length = (int64_t)adr_load_once_u64(&cell->total_length);
  if (ADR_UNLIKELY(source >= channel->rank_count || owner >= channel->rank_count
                   || length > channel->cell_payload || total_length < length
                   || kind < ADR_KIND_FIRST || kind > ADR_KIND_ABORT
                   || sequence != channel->received[source])) {
    return ADR_CORRUPT;
  }
  channel->received[source] = sequence + 1;
  channel->current = element;
  channel->current_to = free_queue_of(channel, owner);
  channel->inbound = (adr_inbound){
      .source = source,
      .kind = kind,
      .match = (int64_t)adr_load_once_u64(&cell->match),
      .length = length,
      .total_length = total_length,
      .payload = (int64_t)(element + ADR_CELL_BYTES),
      .sequence = (int64_t)sequence,
      .cell = (int64_t)element,
  };
  return 0;
}

/* Takes the spent cell out of the queue and gives it back. Done when the next piece is wanted rather than when
 * this one was taken: then its two locked instructions overlap with the peer's answer. 0, ADR_AGAIN or ADR_CORRUPT. */
static int retire(adr_channel *channel) {
  uint64_t element = channel->current;
  int status = adr_mpsc_advance(&channel->view, channel->receive_queue, element);
  if (ADR_UNLIKELY(status < 0)) {
    return status == ADR_LINK_PENDING ? ADR_AGAIN : status;
  }
  channel->current = 0;
  channel->spent = false;
  return adr_mpsc_enqueue(&channel->view, channel->current_to, element);
}

/* 1: `current` is set, and not spent; ADR_AGAIN or ADR_CORRUPT otherwise. */
static inline int next_piece(adr_channel *channel) {
  if (channel->spent) {
    int status = retire(channel);
    if (ADR_UNLIKELY(status < 0)) {
      return status;
    }
  }
  if (channel->current != 0) {
    return 1;
  }
  int64_t element = adr_mpsc_peek(&channel->view, channel->receive_queue);
  if (element == 0) {
    return ADR_AGAIN;
  }
  if (ADR_UNLIKELY(element < 0 || accept_cell(channel, (uint64_t)element) < 0)) {
    return ADR_CORRUPT;
  }
  return 1;
}

static inline bool at_hand(const adr_channel *channel) {
  return channel->current != 0 && !channel->spent;
}

int32_t adr_channel_poll(adr_channel *channel, adr_inbound *inbound) {
  int status = next_piece(channel);
  if (status == 1) {
    *inbound = channel->inbound;
  }
  return status;
}

int32_t adr_channel_take(adr_channel *channel, void *destination, int64_t offset, int64_t length) {
  if (ADR_UNLIKELY(!at_hand(channel) || length < 0 || length > channel->inbound.length)) {
    return -EINVAL;
  }
  memcpy((uint8_t *)destination + offset, channel->view.base + channel->inbound.payload, (size_t)length);
  channel->spent = true;
  return 0;
}

int32_t adr_channel_release(adr_channel *channel) {
  if (ADR_UNLIKELY(!at_hand(channel))) {
    return -EINVAL;
  }
  channel->spent = true;
  return 0;
}

/* Whether the piece at hand is the whole message that adr_channel_receive asks for. */
static inline bool wanted(const adr_inbound *in, int64_t match, int64_t mask, int32_t source, int64_t capacity) {
  return in->kind == ADR_KIND_FIRST && ((in->match ^ match) & mask) == 0 && (source < 0 || in->source == source)
         && in->length == in->total_length && in->length <= capacity;
}

int32_t adr_channel_receive(adr_channel *channel, int64_t match, int64_t mask, int32_t source, void *destination,
                            int64_t offset, int64_t capacity, int32_t spins, adr_inbound *inbound) {
  int status;
  while ((status = next_piece(channel)) == ADR_AGAIN && --spins > 0) {
    adr_cpu_pause();
  }
  if (status != 1) {
    return status;
  }
  const adr_inbound *in = &channel->inbound;
  if (!wanted(in, match, mask, source, capacity)) {
    return ADR_NOMSG;
  }
  inbound->source = in->source;
  inbound->match = in->match;
  adr_channel_take(channel, destination, offset, in->length);
  return (int32_t)in->length;
}
