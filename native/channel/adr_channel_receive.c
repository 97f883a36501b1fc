/* Receiving in one call: a whole small message, waited for, looked at and taken. Twin of
 * io.adrastea.core.pure.PureReceiver. */
#include "channel/adr_cadence.h"
#include "channel/adr_channel_look.h"
#include "wait/adr_doorbell.h"

static inline bool matches(int64_t found, int64_t match, int64_t mask) { return ((found ^ match) & mask) == 0; }

/* As adr_channel_ring_writer, and hands `length` on: the last call of a receive, so that the usual one needs no stack.
 */
static __attribute__((noinline, cold)) int32_t ring_writer_after(int32_t length, const struct adr_inflow *in) {
  adr_doorbell_ring(in->entry);
  return length;
}

/* Receives the message that the fastbox of `source` shows, if it is the one asked for. `few`: it has at most
 * ADR_COPY_INLINE bytes, so no call is needed. */
static inline int32_t receive_box(struct adr_inflow *in, uint32_t source, uint64_t header, int64_t match, int64_t mask,
                                  uint8_t *destination, int64_t capacity, adr_inbound *inbound, bool few) {
  const struct adr_box_slot *slot = adr_box_slot_at(in->box.ring, in->box.mask, in->box.position);
  int64_t found = (int64_t)adr_load_once_u64(&slot->match);
  uint32_t length = (uint32_t)(header & ADR_BOX_LENGTH_MASK);
  if (ADR_UNLIKELY(!matches(found, match, mask) || length > capacity)) { return ADR_NOMSG; }
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
  int status = adr_channel_next_piece(channel, source);
  if (status != 1) { return status == ADR_POLL_WANTED ? ADR_NOMSG : status; }
  const adr_inbound *in = &channel->inbound;
  if (!wanted(in, match, mask, source, capacity)) { return ADR_NOMSG; }
  inbound->source = in->source;
  inbound->match = in->match;
  status = adr_channel_take(channel, destination, 0, in->length);
  return status < 0 ? status : (int32_t)in->length;
}

/* Waits for the next message of one source, looking at its fastbox and at the queue's front. Returns a header,
 * ADR_CORRUPT, or 0: a general look is to decide. */
static int64_t await_box(adr_channel *channel, uint32_t source, int32_t spins) {
  struct adr_inflow *in = &channel->in[source];
  if (adr_inbox_tell(&in->box)) { adr_channel_ring_writer(channel, source); }
  while (--spins > 0 && adr_mpsc_peek(&channel->view, channel->receive_queue) == 0) {
    adr_cadence_pause(channel->pauses);
    int64_t header = adr_inbox_look(&in->box, in->expected);
    if (header != 0) { return header; }
  }
  return 0;
}

/* A message that was waited for is likely to be answered: the first lines of the answer are fetched while the program
 * reads the message. The peer has looked at them since they were written last. */
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
  if (source >= (int32_t)channel->rank_count) { return ADR_INVALID; }
  if (source >= 0 && channel->in[source].box.ring != NULL && channel->place == ADR_PLACE_NONE
      && channel->early_count == 0) {
    struct adr_inflow *in = &channel->in[source];
    int64_t header = adr_inbox_look(&in->box, in->expected);
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
    if (ADR_LIKELY(in->box.ring != NULL && adr_inbox_see(&in->box, in->expected, &header))) {
      return receive_box(in, from, header, match, mask, to, capacity, inbound, true);
    }
  }
  return receive_any(channel, match, mask, source, to, capacity, spins, inbound);
}
