/* Receiving: finding the next piece, and ending with it. Twin of io.adrastea.core.pure.PureLook and
 * PureReceiver. */
#include "channel/adr_cadence.h"
#include "channel/adr_channel_state.h"
#include "wait/adr_doorbell.h"

/* Looks at an active fastbox that find nothing before it counts as idle. */
#define ADR_IDLE_LOOKS 1024

/* General looks from one scan of all fastboxes to the next. */
#define ADR_SCAN_LOOKS 4096

/* Of general looks, every so many begins with the queue, so that busy fastboxes cannot keep it waiting. */
#define ADR_QUEUE_TURN 8

/* What a look found, beside 1 (a piece is at hand), ADR_AGAIN and ADR_CORRUPT. */
#define ADR_LOOK_WANTED ADR_POLL_WANTED
#define ADR_LOOK_NEXT 3

/* Gives a cell back to its owner, who may wait for it asleep. */
static int give_back(adr_channel *channel, uint32_t owner, uint64_t element) {
  int status = adr_mpsc_enqueue(&channel->view, adr_free_queue_offset(adr_channel_header(channel), owner), channel->self,
                                element);
  adr_doorbell_ring(channel->out[owner].entry);
  return status;
}

/* The writer of a fastbox was told of room, for which it may wait asleep. */
static __attribute__((noinline)) void ring_writer(const adr_channel *channel, uint32_t source) {
  adr_doorbell_ring(channel->out[source].entry);
}

int adr_channel_retire(adr_channel *channel) {
  if (channel->place == ADR_PLACE_SPENT) {
    channel->spent = (uint64_t)channel->inbound.place;
    channel->spent_owner = channel->owner;
    channel->place = ADR_PLACE_NONE;
  }
  uint64_t element = channel->spent;
  if (element == 0) {
    return 0;
  }
  int status = adr_mpsc_advance(&channel->view, channel->receive_queue, element);
  if (ADR_UNLIKELY(status < 0)) {
    return status == ADR_LINK_PENDING ? ADR_AGAIN : status;
  }
  channel->spent = 0;
  return give_back(channel, channel->spent_owner, element);
}

bool adr_channel_is_blocked(adr_channel *channel) {
  if (adr_channel_at_hand(channel)) {
    return false;
  }
  if (adr_channel_retire(channel) == ADR_AGAIN) {
    return true;
  }
  /* SYNC queue-tail: acquire, pairs with the SWAP of an enqueuer that has not stored `head` yet. */
  return adr_mpsc_peek(&channel->view, channel->receive_queue) == 0
         && adr_load_acquire_u64(&adr_mpsc_at(&channel->view, channel->receive_queue)->tail) != 0;
}

/* Puts the message that an inbox shows at hand. */
static int accept_box(adr_channel *channel, uint32_t source, uint64_t header) {
  struct adr_inbox *box = &channel->in[source].box;
  const struct adr_box_slot *slot = adr_box_slot_at(box->ring, box->mask, box->position);
  int64_t length = (int64_t)(header & ADR_BOX_LENGTH_MASK);
  channel->place = ADR_PLACE_BOX;
  channel->header = header;
  box->idle = 0;
  channel->inbound = (adr_inbound){
      .source = source,
      .kind = ADR_KIND_FIRST,
      .match = (int64_t)adr_load_once_u64(&slot->match),
      .length = length,
      .total_length = length,
      .payload = (const uint8_t *)(slot + 1) - channel->view.base,
      .sequence = (int64_t)(channel->in[source].expected++ & ADR_BOX_SEQUENCE_MASK),
      .place = -1 - (int64_t)box->position,
  };
  return 1;
}

static inline int look_box(adr_channel *channel, uint32_t source) {
  struct adr_inflow *in = &channel->in[source];
  int64_t header = adr_inbox_look(&in->box, in->expected);
  if (header > 0) {
    return accept_box(channel, source, (uint64_t)header);
  }
  return header == 0 ? ADR_AGAIN : ADR_CORRUPT;
}

/* An active box with nothing in it. After a while its mark is taken away; a message that came in between is seen by the
 * look after that, or by the next scan. */
static int note_idle(adr_channel *channel, uint32_t source) {
  struct adr_inbox *box = &channel->in[source].box;
  if (adr_inbox_tell(box)) {
    ring_writer(channel, source);
  }
  if (ADR_LIKELY(++box->idle < ADR_IDLE_LOOKS)) {
    return ADR_AGAIN;
  }
  box->idle = 0;
  uint64_t bit = UINT64_C(1) << source % 64;
  /* SYNC box-active: acq_rel, a read-modify-write so that rings of others are not lost; the look below is not moved before it. */
  adr_and_acq_rel_u64(&channel->active[source / 64], ~bit);
  ADR_STOP(idle_unmarked);
  int status = look_box(channel, source);
  if (status != ADR_AGAIN) {
    adr_or_acq_rel_u64(&channel->active[source / 64], bit);
    ADR_STOP(idle_marked);
  }
  return status;
}

static int look_marked(adr_channel *channel, uint32_t source) {
  if (ADR_UNLIKELY(channel->in[source].box.ring == NULL)) {
    channel->inbound.source = source;
    return ADR_LOOK_WANTED;
  }
  int status = look_box(channel, source);
  return status == ADR_AGAIN ? note_idle(channel, source) : status;
}

/* Looks at the fastboxes whose bits are set, from rank `from` up to, not including, `to`: the others are not touched. */
static int look_active(adr_channel *channel, uint32_t from, uint32_t to) {
  for (uint32_t word = from / 64; word * 64 < to; word++) {
    /* Relaxed: a bit is a hint where to look; what is found there is acquired. */
    uint64_t bits = adr_load_relaxed_u64(&channel->active[word]);
    bits &= word == from / 64 ? ~UINT64_C(0) << from % 64 : ~UINT64_C(0);
    for (; bits != 0; bits &= bits - 1) {
      uint32_t source = word * 64 + (uint32_t)__builtin_ctzll(bits);
      if (source >= to) {
        return ADR_AGAIN;
      }
      int status = look_marked(channel, source);
      if (status != ADR_AGAIN) {
        channel->turn = source + 1 < channel->rank_count ? source + 1 : 0;
        return status;
      }
    }
  }
  return ADR_AGAIN;
}

/* Looks at all fastboxes, and marks those in which something came without a mark. */
static void scan(adr_channel *channel) {
  for (uint32_t source = 0; source < channel->rank_count; source++) {
    struct adr_inflow *in = &channel->in[source];
    if (in->box.ring != NULL && adr_inbox_peek(&in->box, in->expected) != 0) {
      /* SYNC box-active: acq_rel, a read-modify-write so that rings of others are not lost. */
      adr_or_acq_rel_u64(&channel->active[source / 64], UINT64_C(1) << source % 64);
      ADR_STOP(scan_marked);
    }
  }
}

static int look_boxes(adr_channel *channel) {
  if (ADR_UNLIKELY((int32_t)(channel->looks - channel->scan_at) >= 0)) {
    channel->scan_at = channel->looks + ADR_SCAN_LOOKS;
    scan(channel);
  }
  uint32_t turn = channel->turn; /* the one behind the last that had something: all get their turn */
  int status = look_active(channel, turn, channel->rank_count);
  return status == ADR_AGAIN && turn != 0 ? look_active(channel, 0, turn) : status;
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
  if (ADR_UNLIKELY(source >= channel->rank_count || owner >= channel->rank_count
                   || length > channel->cell_payload || total_length < length
                   || kind < ADR_KIND_FIRST || kind > ADR_KIND_ABORT)) {
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

/* Sets the cell at the queue's front aside for its source alone, in the order of sequences. Rare: only a repaired queue has its
 * cells out of order. Returns 1, ADR_AGAIN or ADR_CORRUPT. */
static int set_aside(adr_channel *channel, uint32_t source, uint64_t element) {
  struct adr_cell *cell = adr_view_cell(&channel->view, element);
  int status = adr_mpsc_advance(&channel->view, channel->receive_queue, element);
  if (status < 0) {
    return status == ADR_LINK_PENDING ? ADR_AGAIN : status;
  }
  uint64_t sequence = adr_load_once_u64(&cell->sequence);
  uint64_t after = channel->in[source].early;
  struct adr_cell *before = NULL;
  for (uint32_t steps = 0; after != 0; steps++) {
    if (!adr_view_holds(&channel->view, after) || steps > channel->early_count) {
      return ADR_CORRUPT;
    }
    struct adr_cell *other = adr_view_cell(&channel->view, after);
    uint64_t found = adr_load_once_u64(&other->sequence);
    if (found == sequence) {
      return ADR_CORRUPT; /* a queue that goes in a circle would be walked for ever */
    }
    if (found > sequence) {
      break;
    }
    before = other;
    after = adr_load_relaxed_u64(&other->next);
  }
  adr_store_relaxed_u64(&cell->next, after); /* ours alone now: it is in no queue */
  ADR_STOP(aside_next);
  if (before == NULL) {
    channel->in[source].early = element;
  } else {
    adr_store_relaxed_u64(&before->next, element);
    ADR_STOP(aside_linked);
  }
  channel->early_count++;
  return 1;
}

/* Looks for a cell set aside whose turn it is. */
static int look_early(adr_channel *channel) {
  for (uint32_t source = 0; source < channel->rank_count; source++) {
    uint64_t element = channel->in[source].early;
    if (element == 0) {
      continue;
    }
    if (!adr_view_holds(&channel->view, element)) {
      return ADR_CORRUPT;
    }
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

/* A cell that is early: what comes before it is in the fastbox, whose writer was done with it before it linked the cell. If not, the
 * cell waits aside. Returns 1 (a piece is at hand), ADR_LOOK_NEXT, ADR_AGAIN or ADR_CORRUPT. */
static int pass_early(adr_channel *channel, uint64_t element) {
  uint32_t source = (uint32_t)channel->inbound.source;
  if (channel->in[source].box.ring != NULL) {
    int status = look_box(channel, source);
    if (status != ADR_AGAIN) {
      return status;
    }
  }
  int status = set_aside(channel, source, element);
  return status == 1 ? ADR_LOOK_NEXT : status;
}

static int look_queue(adr_channel *channel) {
  int retired = ADR_UNLIKELY(channel->spent != 0) ? adr_channel_retire(channel) : 0;
  if (ADR_UNLIKELY(retired < 0)) {
    return retired;
  }
  for (;;) {
    int64_t element = adr_mpsc_peek(&channel->view, channel->receive_queue);
    if (ADR_LIKELY(element == 0)) {
      return ADR_AGAIN;
    }
    if (ADR_UNLIKELY(element < 0)) {
      return ADR_CORRUPT;
    }
    int status = accept_cell(channel, (uint64_t)element, ADR_PLACE_QUEUE);
    if (ADR_LIKELY(status == 0)) {
      return 1;
    }
    status = status == ADR_AGAIN ? pass_early(channel, (uint64_t)element) : status;
    if (status != ADR_LOOK_NEXT) {
      return status;
    }
  }
}

/* 1: a piece is at hand, the next one in order of some source; ADR_LOOK_WANTED, ADR_AGAIN or ADR_CORRUPT. */
static int next_piece(adr_channel *channel, int32_t first) {
  if (channel->place == ADR_PLACE_SPENT) {
    int status = adr_channel_retire(channel);
    if (ADR_UNLIKELY(status == ADR_CORRUPT)) {
      return status;
    }
  }
  if (channel->place != ADR_PLACE_NONE) {
    return 1;
  }
  int status = ADR_AGAIN;
  if (ADR_UNLIKELY(channel->early_count != 0)) {
    status = look_early(channel);
  }
  bool queue_first = channel->looks++ % ADR_QUEUE_TURN == 0;
  if (status == ADR_AGAIN && queue_first) {
    status = look_queue(channel);
  }
  if (status == ADR_AGAIN && first >= 0 && channel->in[first].box.ring != NULL) {
    status = look_box(channel, (uint32_t)first);
  }
  if (status == ADR_AGAIN) {
    status = look_boxes(channel);
  }
  if (status == ADR_AGAIN && !queue_first) {
    status = look_queue(channel);
  }
  return status;
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
  if (ADR_UNLIKELY(first >= (int32_t)channel->rank_count)) {
    return ADR_INVALID;
  }
  int status = next_piece(channel, first);
  if (status == 1) {
    tell(inbound, &channel->inbound);
  } else if (status == ADR_LOOK_WANTED) {
    inbound->source = channel->inbound.source;
  }
  return status;
}

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
      ring_writer(channel, (uint32_t)channel->inbound.source);
    }
    return 0;
  }
  return give_back(channel, channel->owner, (uint64_t)channel->inbound.place);
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

int32_t adr_channel_hold(adr_channel *channel) {
  if (!adr_channel_at_hand(channel)) {
    return ADR_INVALID;
  }
  if (channel->place == ADR_PLACE_BOX) {
    adr_inbox_hold(&channel->in[channel->inbound.source].box, channel->header);
    channel->place = ADR_PLACE_NONE;
    return 0;
  }
  if (channel->place == ADR_PLACE_QUEUE) {
    int status = adr_mpsc_advance(&channel->view, channel->receive_queue, (uint64_t)channel->inbound.place);
    if (status < 0) {
      return status == ADR_LINK_PENDING ? ADR_AGAIN : status;
    }
  }
  channel->place = ADR_PLACE_NONE;
  channel->held_count++;
  return 0;
}

static int give_cell(adr_channel *channel, uint64_t element) {
  if (channel->held_count == 0 || !adr_view_holds(&channel->view, element)) {
    return ADR_INVALID;
  }
  uint32_t owner = adr_load_once_u32(&adr_view_cell(&channel->view, element)->owner);
  if (owner >= channel->rank_count) {
    return ADR_CORRUPT;
  }
  channel->held_count--;
  return give_back(channel, owner, element);
}

int32_t adr_channel_give(adr_channel *channel, int32_t source, int64_t place) {
  if ((uint32_t)source >= channel->rank_count) {
    return ADR_INVALID;
  }
  if (place >= 0) {
    return give_cell(channel, (uint64_t)place);
  }
  int status = adr_inbox_give(&channel->in[source].box, (uint64_t)(-1 - place));
  ring_writer(channel, (uint32_t)source);
  return status;
}

static inline bool matches(int64_t found, int64_t match, int64_t mask) {
  return ((found ^ match) & mask) == 0;
}

/* As ring_writer, and hands `length` on: the last call of a receive, so that the usual one needs no stack. */
static __attribute__((noinline, cold)) int32_t ring_writer_after(int32_t length, const struct adr_inflow *in) {
  adr_doorbell_ring(in->entry);
  return length;
}

/* Receives the message that the fastbox of `source` shows, if it is the one asked for. `few`: it has at most ADR_COPY_INLINE
 * bytes, so no call is needed. */
static inline int32_t receive_box(struct adr_inflow *in, uint32_t source, uint64_t header, int64_t match, int64_t mask,
                                  uint8_t *destination, int64_t capacity, adr_inbound *inbound, bool few) {
  const struct adr_box_slot *slot = adr_box_slot_at(in->box.ring, in->box.mask, in->box.position);
  int64_t found = (int64_t)adr_load_once_u64(&slot->match);
  uint32_t length = (uint32_t)(header & ADR_BOX_LENGTH_MASK);
  if (ADR_UNLIKELY(!matches(found, match, mask) || length > capacity)) {
    return ADR_NOMSG;
  }
  inbound->source = source;
  inbound->match = found;
  if (few) {
    adr_copy_inline(destination, slot + 1, length);
  } else {
    adr_copy_short(destination, slot + 1, length);
  }
  in->expected++;
  return ADR_UNLIKELY(adr_inbox_end(&in->box, header)) ? ring_writer_after((int32_t)length, in) : (int32_t)length;
}

/* Whether the piece at hand is the whole message that is asked for. */
static inline bool wanted(const adr_inbound *in, int64_t match, int64_t mask, int32_t source, int64_t capacity) {
  return in->kind == ADR_KIND_FIRST && matches(in->match, match, mask) && (source < 0 || in->source == source)
         && in->length == in->total_length && in->length <= capacity;
}

static int32_t receive_piece(adr_channel *channel, int64_t match, int64_t mask, int32_t source, uint8_t *destination,
                             int64_t capacity, adr_inbound *inbound) {
  int status = next_piece(channel, source);
  if (status != 1) {
    return status == ADR_LOOK_WANTED ? ADR_NOMSG : status;
  }
  const adr_inbound *in = &channel->inbound;
  if (!wanted(in, match, mask, source, capacity)) {
    return ADR_NOMSG;
  }
  inbound->source = in->source;
  inbound->match = in->match;
  status = adr_channel_take(channel, destination, 0, in->length);
  return status < 0 ? status : (int32_t)in->length;
}

/* Waits for the next message of one source, looking at its fastbox and at the queue's front. Returns a header, ADR_CORRUPT, or 0: a
 * general look is to decide. */
static int64_t await_box(adr_channel *channel, uint32_t source, int32_t spins) {
  struct adr_inflow *in = &channel->in[source];
  if (adr_inbox_tell(&in->box)) {
    ring_writer(channel, source);
  }
  while (--spins > 0 && adr_mpsc_peek(&channel->view, channel->receive_queue) == 0) {
    adr_cadence_pause(channel->pauses);
    int64_t header = adr_inbox_look(&in->box, in->expected);
    if (header != 0) {
      return header;
    }
  }
  return 0;
}

/* A message that was waited for is likely to be answered: the first lines of the answer are fetched while the program reads the
 * message. The peer has looked at them since they were written last. */
static inline void expect_answer(const adr_channel *channel, uint32_t source) {
  const struct adr_outbox *box = &channel->out[source].box;
  if (box->ring != NULL) {
    adr_prefetch_write(adr_box_slot_at(box->ring, box->mask, box->position));
    adr_prefetch_write(adr_box_slot_at(box->ring, box->mask, box->position + ADR_LINE));
  }
}

/* Whatever is not a message of one source that is there. Out of line, so that those need few registers. */
static __attribute__((noinline)) int32_t receive_any(adr_channel *channel, int64_t match, int64_t mask, int32_t source,
                                                     uint8_t *to, int64_t capacity, int32_t spins,
                                                     adr_inbound *inbound) {
  if (source >= (int32_t)channel->rank_count) {
    return ADR_INVALID;
  }
  if (source >= 0 && channel->in[source].box.ring != NULL && channel->place == ADR_PLACE_NONE
      && channel->early_count == 0) {
    struct adr_inflow *in = &channel->in[source];
    int64_t header = adr_inbox_look(&in->box, in->expected);
    if (header == 0) {
      header = await_box(channel, (uint32_t)source, spins);
      expect_answer(channel, (uint32_t)source);
    }
    if (header != 0) {
      return header < 0 ? ADR_CORRUPT
                        : receive_box(in, (uint32_t)source, (uint64_t)header, match, mask, to, capacity, inbound,
                                      false);
    }
    spins = 0;
  }
  int32_t status;
  while ((status = receive_piece(channel, match, mask, source, to, capacity, inbound)) == ADR_AGAIN && --spins > 0) {
    adr_cpu_pause();
  }
  return status;
}

int32_t adr_channel_receive(adr_channel *channel, int64_t match, int64_t mask, int32_t source, void *destination,
                            int64_t offset, int64_t capacity, int32_t spins, adr_inbound *inbound) {
  uint8_t *to = (uint8_t *)destination + offset;
  uint32_t from = (uint32_t)source;
  if (ADR_LIKELY(from < channel->rank_count && channel->place == ADR_PLACE_NONE && channel->early_count == 0)) {
    struct adr_inflow *in = &channel->in[from];
    uint64_t header;
    if (ADR_LIKELY(in->box.ring != NULL && adr_inbox_see(&in->box, in->expected, &header))) {
      return receive_box(in, from, header, match, mask, to, capacity, inbound, true);
    }
  }
  return receive_any(channel, match, mask, source, to, capacity, spins, inbound);
}
