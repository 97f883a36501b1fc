/* Finding the next piece in the fastboxes: those with a mark, and now and then all. Twin of
 * io.adrastea.core.pure.PureLookBoxes. What every look passes through is here, to be inlined; the rest is called.
 *
 * A look finds 1: a piece, which is at hand now; ADR_POLL_WANTED, ADR_AGAIN or ADR_CORRUPT. */
#ifndef ADR_CHANNEL_LOOK_BOXES_H
#define ADR_CHANNEL_LOOK_BOXES_H

#include "channel/adr_channel_state.h"

/* Looks at an active fastbox that find nothing before it counts as idle. */
#define ADR_IDLE_LOOKS 1024

/* General looks from one scan of all fastboxes to the next. */
#define ADR_SCAN_LOOKS 4096

/* Looks at the fastboxes whose bits are set, from rank `from` up to, not including, `to`: the others are not touched.
 */
int adr_channel_look_active(adr_channel *channel, uint32_t from, uint32_t to);

/* Looks at all fastboxes, and marks those in which something came without a mark. */
void adr_channel_scan(adr_channel *channel);

/* Puts the message that an inbox shows at hand. */
static inline int adr_channel_accept_box(adr_channel *channel, uint32_t source, uint64_t header) {
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

/* Looks at the fastbox of one source, which is open. */
static inline int adr_channel_look_box(adr_channel *channel, uint32_t source) {
  struct adr_inflow *in = &channel->in[source];
  int64_t header = adr_inbox_look(&in->box, in->expected);
  if (header > 0) { return adr_channel_accept_box(channel, source, (uint64_t)header); }
  return header == 0 ? ADR_AGAIN : ADR_CORRUPT;
}

/* Looks at the fastboxes in turn. */
static inline int adr_channel_look_boxes(adr_channel *channel) {
  if (ADR_UNLIKELY((int32_t)(channel->looks - channel->scan_at) >= 0)) {
    channel->scan_at = channel->looks + ADR_SCAN_LOOKS;
    adr_channel_scan(channel);
  }
  uint32_t turn = channel->turn; /* the one behind the last that had something: all get their turn */
  int status = adr_channel_look_active(channel, turn, channel->rank_count);
  return status == ADR_AGAIN && turn != 0 ? adr_channel_look_active(channel, 0, turn) : status;
}

#endif
