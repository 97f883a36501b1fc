/* What becomes of the piece at hand: it is taken, released, or retained and released later, and its room goes back to
 * whose it is. And receiving in one call: a whole small message, waited for, found and taken. Twin of
 * io.adrastea.core.pure.PureReceiver. */
#include "adrastea/datatype.h"
#include "channel/adr_cadence.h"
#include "channel/adr_channel_poll.h"
#include "copy/adr_copy.h"
#include "wait/adr_doorbell.h"

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
  uint8_t *to = (uint8_t *)destination + offset;
  const uint8_t *from = channel->view.base + channel->inbound.payload;
  if (channel->place == ADR_PLACE_BOX) {
    adr_copy_short(to, from, (uint32_t)length);
  } else {
    adr_copy_piece(to, from, (uint64_t)length);
  }
  return end_piece(channel);
}

int32_t adr_channel_release(adr_channel *channel) {
  return adr_channel_at_hand(channel) ? end_piece(channel) : ADR_INVALID;
}

int32_t adr_channel_release_batch(adr_channel *channel, int32_t count, int32_t more) {
  if (count < 1 || channel->place != ADR_PLACE_BOX) {
    return count == 1 && more == 0 ? adr_channel_release(channel) : ADR_INVALID;
  }
  uint32_t source = (uint32_t)channel->inbound.source;
  struct adr_inflow *in = &channel->in[source];
  channel->place = ADR_PLACE_NONE;
  bool all = count == channel->told && more == 0 && in->box.retained == 0;
  channel->told = 0;
  if (ADR_LIKELY(all)) {
    in->expected += (uint32_t)count - 1;
    if (adr_inbox_end_all(&in->box, channel->told_end, channel->told_header)) {
      adr_channel_ring_writer(channel, source);
    }
    return 0;
  }
  bool told = adr_inbox_end(&in->box, channel->header);
  for (int32_t ended = 1; ended < count; ended++) {
    int64_t header = adr_inbox_poll(&in->box, in->expected);
    if (ADR_UNLIKELY(header <= 0)) { return ADR_CORRUPT; /* it was there */ }
    in->expected++;
    told |= adr_inbox_end(&in->box, (uint64_t)header);
  }
  if (told) { adr_channel_ring_writer(channel, source); }
  return more == 0 || adr_channel_poll_box(channel, source) == 1 ? 0 : ADR_CORRUPT;
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

static inline bool matches(int64_t found, int64_t match, int64_t mask) { return ((found ^ match) & mask) == 0; }

/* Rings as adr_channel_ring_writer does, and hands `length` on: the last call of a receive, so that the usual one needs
 * no stack. */
static __attribute__((noinline, cold)) int32_t ring_writer_after(int32_t length, const struct adr_inflow *in) {
  adr_doorbell_ring(in->entry);
  return length;
}

/* Receives the message that the fastbox of `source` shows, if it is the one asked for. `few`: it has at most
 * ADR_COPY_INLINE bytes, so no call is needed. */
static inline int32_t receive_box(struct adr_inflow *in, uint32_t source, uint64_t header, int64_t match, int64_t mask,
                                  uint8_t *destination, int64_t capacity, adr_inbound *inbound, bool few) {
  const struct adr_box_message *message = adr_box_message_at(in->box.ring, in->box.mask, in->box.position);
  int64_t found = (int64_t)adr_load_once_u64(&message->match);
  uint32_t length = (uint32_t)(header & ADR_BOX_LENGTH_MASK);
  if (ADR_UNLIKELY(!matches(found, match, mask) || length > capacity)) { return ADR_NOMSG; }
  inbound->source = source;
  inbound->match = found;
  if (few) {
    adr_copy_inline(destination, message + 1, length);
  } else {
    adr_copy_short(destination, message + 1, length);
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
  int status = adr_channel_next_piece(channel, source);
  if (status != 1) { return status == ADR_POLL_WANTED ? ADR_NOMSG : status; }
  const adr_inbound *in = &channel->inbound;
  if (!wanted(in, match, mask, source, capacity)) { return ADR_NOMSG; }
  inbound->source = in->source;
  inbound->match = in->match;
  status = adr_channel_take(channel, destination, 0, in->length);
  return status < 0 ? status : (int32_t)in->length;
}

/* Pauses before the first look of a wait: more when something was sent to that source since the last one, and so an
 * answer is waited for. Two crossings lie before it, the question's and its own, and a look in between takes the line
 * from the peer, which has fetched it for its answer. Meanwhile the question is pushed down to the cache that both CPUs
 * share: here, as a stream that nobody waits in is not to pay for it. */
static inline uint32_t first_pauses(const adr_channel *channel, struct adr_inflow *in, const struct adr_outflow *out) {
  if (in->asked == out->sequence) { return channel->pauses; }
  in->asked = out->sequence;
  if (out->box.ring != NULL) {
    adr_demote(adr_box_message_at(out->box.ring, out->box.mask, out->box.position - ADR_LINE));
  }
  return ADR_CADENCE_ANSWER * channel->pauses;
}

/* Waits for the next message of one source, polling its fastbox and the front of the queue. Returns a header,
 * ADR_CORRUPT, or 0: a general poll is to decide. */
static int64_t await_box(adr_channel *channel, uint32_t source, int32_t spins) {
  struct adr_inflow *in = &channel->in[source];
  if (adr_inbox_tell(&in->box)) { adr_channel_ring_writer(channel, source); }
  uint32_t pauses = first_pauses(channel, in, &channel->out[source]);
  while (--spins > 0 && adr_mpsc_peek(&channel->view, channel->receive_queue) == 0) {
    adr_cadence_pause(pauses);
    int64_t header = adr_inbox_poll(&in->box, in->expected);
    if (header != 0) { return header; }
    pauses = channel->pauses;
  }
  return 0;
}

/* A message that was waited for is likely to be answered: what the answer will be written to first is fetched while the
 * program reads the message. The peer has polled it since it was written last. Only one line, unless the last message
 * there crossed lines: the peer would look at the second one for the answer after this, and take it away again. */
static inline void expect_answer(const adr_channel *channel, uint32_t source) {
  struct adr_outbox *box = &channel->out[source].box;
  if (box->ring != NULL) {
    box->stream = box->position + ADR_BOX_ANSWERED;
    adr_prefetch_write(adr_box_message_at(box->ring, box->mask, box->position));
    if (adr_outbox_is_long(box)) {
      adr_prefetch_write(adr_box_message_at(box->ring, box->mask, box->position + ADR_LINE));
    }
  }
}

/* Whatever is not a message of one source that is there. Out of line, so that those need few registers. */
static __attribute__((noinline)) int32_t receive_any(adr_channel *channel, int64_t match, int64_t mask, int32_t source,
                                                     uint8_t *to, int64_t capacity, int32_t spins,
                                                     adr_inbound *inbound) {
  if (source >= (int32_t)channel->rank_count) { return ADR_INVALID; }
  if (source >= 0 && channel->in[source].box.ring != NULL && channel->place == ADR_PLACE_NONE
      && channel->early_count == 0) {
    struct adr_inflow *in = &channel->in[source];
    int64_t header = adr_inbox_poll(&in->box, in->expected);
    if (header == 0) {
      header = await_box(channel, (uint32_t)source, spins);
      expect_answer(channel, (uint32_t)source);
    }
    if (header != 0) {
      return header < 0
                 ? ADR_CORRUPT
                 : receive_box(in, (uint32_t)source, (uint64_t)header, match, mask, to, capacity, inbound, false);
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
    if (ADR_LIKELY(in->box.ring != NULL && adr_inbox_peek_usual(&in->box, in->expected, &header))) {
      return receive_box(in, from, header, match, mask, to, capacity, inbound, true);
    }
  }
  return receive_any(channel, match, mask, source, to, capacity, spins, inbound);
}

int32_t adr_channel_receive_elements(adr_channel *channel, int64_t match, int64_t mask, int32_t source,
                                     const void *program, void *memory, int64_t offset, int64_t count, int64_t capacity,
                                     int32_t spins, adr_inbound *inbound) {
  /* With room for no bytes it waits, and leaves what came where it lies. */
  int32_t status = adr_channel_receive(channel, match, mask, source, NULL, 0, 0, spins, inbound);
  if (status != ADR_NOMSG) { return status; }
  status = adr_channel_next_piece(channel, source);
  if (status != 1) { return status == ADR_POLL_WANTED ? ADR_NOMSG : status; }
  const adr_inbound *in = &channel->inbound;
  if (!wanted(in, match, mask, source, capacity)) { return ADR_NOMSG; }
  inbound->source = in->source;
  inbound->match = in->match;
  int64_t cursor[ADR_DATATYPE_CURSOR_WORDS];
  adr_datatype_seek(program, cursor, count, 0);
  adr_datatype_unpack(program, cursor, memory, offset, channel->view.base, in->payload, in->length);
  status = end_piece(channel);
  return status < 0 ? status : (int32_t)in->length;
}
