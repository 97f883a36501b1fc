/* Finding the next piece, see adr_channel_poll.h, and what has to happen before: room goes back to whose it is, cells
 * and the spent one, which is still in the queue. Twin of io.adrastea.core.pure.PurePoller. */
#include "channel/adr_channel_poll.h"
#include "channel/adr_cadence.h"
#include "wait/adr_doorbell.h"

/* Most bytes to be fetched ahead of a poll: what a CPU has under way at a time. */
#define FETCH_MOST (16 * ADR_LINE)

int adr_channel_give_back(adr_channel *channel, uint32_t owner, uint64_t element) {
  int status = adr_mpsc_enqueue(&channel->view, adr_free_queue_offset(adr_channel_header(channel), owner),
                                channel->self, element);
  adr_doorbell_ring(channel->out[owner].entry);
  return status;
}

/* Out of line, so that what calls it needs few registers. */
__attribute__((noinline)) void adr_channel_ring_writer(const adr_channel *channel, uint32_t source) {
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

static int take_mark_away(adr_channel *channel, uint32_t source) {
  channel->in[source].box.idle = 0;
  uint64_t bit = adr_bit_of(source);
  /* SYNC box-active: acq_rel, a read-modify-write so that rings of others are not lost; the poll below is not moved
   * before it. */
  adr_and_acq_rel_u64(&channel->active[source / 64], ~bit);
  ADR_STOP(idle_unmarked);
  int status = adr_channel_poll_box(channel, source);
  if (status != ADR_AGAIN) {
    /* Relaxed: our own mark, which only we take for a sign that something is there. */
    adr_or_relaxed_u64(&channel->active[source / 64], bit);
    ADR_STOP(idle_marked);
  }
  return status;
}

/* An active box with nothing in it. After a while its mark is taken away; a message that came in between is seen by the
 * poll after that, or by the next scan. */
static int note_idle(adr_channel *channel, uint32_t source) {
  struct adr_inbox *box = &channel->in[source].box;
  if (adr_inbox_tell(box)) { adr_channel_ring_writer(channel, source); }
  return ADR_LIKELY(++box->idle < ADR_IDLE_POLLS) ? ADR_AGAIN : take_mark_away(channel, source);
}

static int poll_marked_box(adr_channel *channel, uint32_t source) {
  if (ADR_UNLIKELY(channel->in[source].box.ring == NULL)) {
    channel->inbound.source = source;
    return ADR_POLL_WANTED;
  }
  int status = adr_channel_poll_box(channel, source);
  return status == ADR_AGAIN ? note_idle(channel, source) : status;
}

int adr_channel_poll_marked(adr_channel *channel, uint32_t from, uint32_t to) {
  for (uint32_t word = from / 64; word * 64 < to; word++) {
    /* Relaxed: a bit is a hint where to poll; what is found there is acquired. */
    uint64_t bits = adr_load_relaxed_u64(&channel->active[word]);
    bits &= word == from / 64 ? ~UINT64_C(0) << from % 64 : ~UINT64_C(0);
    for (; bits != 0; bits &= bits - 1) {
      uint32_t source = word * 64 + (uint32_t)__builtin_ctzll(bits);
      if (source >= to) { return ADR_AGAIN; }
      int status = poll_marked_box(channel, source);
      if (status != ADR_AGAIN) {
        channel->turn = source + 1 < channel->rank_count ? source + 1 : 0;
        return status;
      }
    }
  }
  return ADR_AGAIN;
}

void adr_channel_scan(adr_channel *channel) {
  for (uint32_t source = 0; source < channel->rank_count; source++) {
    struct adr_inflow *in = &channel->in[source];
    if (in->box.ring != NULL && adr_inbox_peek(&in->box, in->expected) != 0) {
      /* Relaxed: our own mark; its message was acquired above. By a read-modify-write no mark of others is lost. */
      adr_or_relaxed_u64(&channel->active[source / 64], adr_bit_of(source));
      ADR_STOP(scan_marked);
    }
  }
}

/* Reads the header of a cell, each field once, and checks it. Returns 0; ADR_AGAIN: it is early; ADR_CORRUPT. */
static int accept_cell(adr_channel *channel, uint64_t element, enum adr_place place) {
  const struct adr_cell *cell = adr_view_cell(&channel->view, element);
  uint32_t source = adr_load_once_u32(&cell->source);
  uint32_t owner = adr_load_once_u32(&cell->owner);
  uint32_t length = adr_load_once_u32(&cell->length);
  uint32_t kind = adr_load_once_u32(&cell->kind);
  uint64_t sequence = adr_load_once_u64(&cell->sequence);
  int64_t total_length = (int64_t)adr_load_once_u64(&cell->total_length);
  channel->inbound.source = source;
  if (ADR_UNLIKELY(source >= channel->rank_count || owner >= channel->rank_count || length > channel->cell_payload
                   || total_length < length || kind < ADR_KIND_FIRST || kind > ADR_KIND_ABORT)) {
    return ADR_CORRUPT;
  }
  struct adr_inflow *in = &channel->in[source];
  if (ADR_UNLIKELY(sequence != in->expected)) {
    return sequence - in->expected <= channel->most_early ? ADR_AGAIN : ADR_CORRUPT;
  }
  in->expected++;
  channel->place = place;
  channel->owner = owner;
  channel->inbound = (adr_inbound){
      .source = source,
      .kind = kind,
      .match = (int64_t)adr_load_once_u64(&cell->match),
      .length = length,
      .total_length = total_length,
      .payload = (int64_t)(element + ADR_CELL_BYTES),
      .sequence = (int64_t)(sequence & ADR_BOX_SEQUENCE_MASK),
      .place = (int64_t)element,
  };
  return 0;
}

/* Inserts a cell between two of a source's cells set aside; no `before`: in front of all. */
static void insert(adr_channel *channel, uint32_t source, struct adr_cell *before, uint64_t element, uint64_t after) {
  adr_store_relaxed_u64(&adr_view_cell(&channel->view, element)->next, after); /* ours alone now: it is in no queue */
  ADR_STOP(aside_next);
  if (before == NULL) {
    channel->in[source].early = element;
  } else {
    adr_store_relaxed_u64(&before->next, element);
    ADR_STOP(aside_linked);
  }
  channel->early_count++;
}

/* Sets the cell at the queue's front aside for its source alone, in the order of sequences. Rare: only a repaired queue
 * has its cells out of order. Returns 1, ADR_AGAIN or ADR_CORRUPT. */
static int set_aside(adr_channel *channel, uint32_t source, uint64_t element) {
  if (channel->early_count >= channel->rank_count * channel->pool.cell_count) {
    return ADR_CORRUPT; /* more than there are: somebody rewrites links and numbers meanwhile, so that the same ones
                           come again */
  }
  int status = adr_mpsc_advance(&channel->view, channel->receive_queue, element);
  if (status < 0) { return status == ADR_LINK_PENDING ? ADR_AGAIN : status; }
  uint64_t sequence = adr_load_once_u64(&adr_view_cell(&channel->view, element)->sequence);
  uint64_t after = channel->in[source].early;
  struct adr_cell *before = NULL;
  for (uint32_t steps = 0; after != 0; steps++) {
    if (!adr_view_holds(&channel->view, after) || steps > channel->early_count) { return ADR_CORRUPT; }
    struct adr_cell *other = adr_view_cell(&channel->view, after);
    uint64_t found = adr_load_once_u64(&other->sequence);
    if (found == sequence) { return ADR_CORRUPT; /* a queue that goes in a circle would be walked for ever */ }
    if (found > sequence) { break; }
    before = other;
    after = adr_load_relaxed_u64(&other->next);
  }
  insert(channel, source, before, element, after);
  return 1;
}

int adr_channel_poll_early(adr_channel *channel) {
  for (uint32_t source = 0; source < channel->rank_count; source++) {
    uint64_t element = channel->in[source].early;
    if (element == 0) { continue; }
    if (!adr_view_holds(&channel->view, element)) { return ADR_CORRUPT; }
    uint64_t next = adr_load_relaxed_u64(&adr_view_cell(&channel->view, element)->next);
    int status = accept_cell(channel, element, ADR_PLACE_EARLY);
    if (status != ADR_AGAIN) {
      channel->in[source].early = next;
      channel->early_count--;
      return status < 0 ? status : 1;
    }
  }
  return ADR_AGAIN;
}

/* A cell that is early: what comes before it is in the fastbox, whose writer was done with it before it linked the
 * cell. If not, the cell waits aside. Returns 1 (a piece is at hand), ADR_POLL_NEXT_CELL, ADR_AGAIN or ADR_CORRUPT. */
static int pass_early(adr_channel *channel, uint64_t element) {
  uint32_t source = (uint32_t)channel->inbound.source;
  if (channel->in[source].box.ring != NULL) {
    int status = adr_channel_poll_box(channel, source);
    if (status != ADR_AGAIN) { return status; }
  }
  int status = set_aside(channel, source, element);
  return status == 1 ? ADR_POLL_NEXT_CELL : status;
}

int adr_channel_accept_front(adr_channel *channel, int64_t element) {
  do {
    if (ADR_UNLIKELY(element < 0)) { return ADR_CORRUPT; }
    int status = accept_cell(channel, (uint64_t)element, ADR_PLACE_QUEUE);
    if (ADR_LIKELY(status == 0)) { return 1; }
    status = status == ADR_AGAIN ? pass_early(channel, (uint64_t)element) : status;
    if (status != ADR_POLL_NEXT_CELL) { return status; }
    element = adr_mpsc_peek(&channel->view, channel->receive_queue);
  } while (element != 0);
  return ADR_AGAIN;
}

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

/* Asks for the lines behind a batch that was full, as many as it had at least: its sender is ahead, and while the batch
 * is read they come. */
static inline void fetch_as_many(const struct adr_inbox *box, uint64_t position) {
  uint64_t begin = box->position;
  uint64_t bytes = position - begin < FETCH_MOST ? position - begin : FETCH_MOST;
  for (uint64_t at = 0; at < bytes; at += ADR_LINE) {
    __builtin_prefetch(adr_box_message_at(box->ring, box->mask, position + at));
  }
}

/* Notes where the batch ends, for whoever ends with all of it at once. Returns how many pieces it has. */
static int32_t note_batch(adr_channel *channel, int32_t count, uint64_t end, uint64_t header) {
  channel->told = count;
  channel->told_end = end;
  channel->told_header = header;
  return count;
}

/* Tells of the whole messages that lie behind the piece at hand in its fastbox, of `most` at most and about half of
 * the ring, which its writer lacks until the batch is over; moves nothing. Returns how many pieces there are, that at
 * hand among them. */
static int32_t tell_behind(adr_channel *channel, adr_inbound *inbound, int32_t most) {
  const struct adr_inflow *in = &channel->in[channel->inbound.source];
  uint64_t position = adr_inbox_end_of(&in->box, in->box.position, channel->header);
  uint64_t last = channel->header;
  for (int32_t count = 0;; count++) {
    uint64_t sequence = in->expected + (uint32_t)count;
    bool ends = count == most || position - in->box.position > in->box.mask / 2;
    uint64_t header = ends ? 0 : adr_inbox_peek_behind(&in->box, position, sequence);
    if (header == 0) {
      if (ends) { fetch_as_many(&in->box, position); }
      return note_batch(channel, 1 + count, position, last);
    }
    last = header;
    const struct adr_box_message *message = adr_box_message_at(in->box.ring, in->box.mask, position);
    int64_t bytes = (int64_t)(header & ADR_BOX_LENGTH_MASK);
    inbound[count] = (adr_inbound){
        .source = channel->inbound.source,
        .kind = ADR_KIND_FIRST,
        .match = (int64_t)adr_load_once_u64(&message->match),
        .length = bytes,
        .total_length = bytes,
        .payload = (const uint8_t *)(message + 1) - channel->view.base,
        .sequence = (int64_t)(sequence & ADR_BOX_SEQUENCE_MASK),
        .place = -1 - (int64_t)position,
    };
    position = adr_inbox_end_of(&in->box, position, header);
  }
}

int32_t adr_channel_poll_batch(adr_channel *channel, int32_t first, adr_inbound *inbound, int32_t most) {
  if (most < 1) { return ADR_INVALID; }
  int32_t status = adr_channel_poll(channel, first, inbound);
  if (status == ADR_AGAIN && channel->batch_found) { /* the line is about to be written: not to be taken away now */
    adr_cadence_pause(channel->pauses);
    status = adr_channel_poll(channel, first, inbound);
  }
  channel->batch_found = status == 1;
  if (status != 1 || channel->place != ADR_PLACE_BOX) { return status == ADR_POLL_WANTED ? 0 : status; }
  return tell_behind(channel, inbound + 1, most - 1);
}
