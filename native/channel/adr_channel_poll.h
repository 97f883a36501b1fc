/* Finding the next piece: in the fastboxes that are marked, and now and then in all; at the receive queue's front; and
 * among the cells that came before their turn. Twin of io.adrastea.core.pure.PurePoller. What every poll passes through
 * is here, to be inlined; the rest is called.
 *
 * A poll finds 1: a piece, which is at hand now; ADR_POLL_WANTED, ADR_AGAIN or ADR_CORRUPT. */
#pragma once

#include "channel/adr_channel_state.h"

/* Polls of an active fastbox that find nothing before it counts as idle. */
#define ADR_IDLE_POLLS 1024

/* General polls from one scan of all fastboxes to the next. */
#define ADR_SCAN_POLLS 4096

/* What pass_early found, beside 1, ADR_AGAIN and ADR_CORRUPT: the queue's front is another cell now. */
#define ADR_POLL_NEXT_CELL 3

/* Polls the fastboxes whose bits are set, from rank `from` up to, not including, `to`: the others are not touched.
 */
int adr_channel_poll_marked(adr_channel *channel, uint32_t from, uint32_t to);

/* Peeks into all fastboxes, and marks those in which something came without a mark. */
void adr_channel_scan(adr_channel *channel);

/* Puts the message that an inbox shows at hand. */
static inline int adr_channel_accept_box(adr_channel *channel, uint32_t source, uint64_t header) {
  struct adr_inbox *box = &channel->in[source].box;
  const struct adr_box_message *message = adr_box_message_at(box->ring, box->mask, box->position);
  int64_t length = (int64_t)(header & ADR_BOX_LENGTH_MASK);
  channel->place = ADR_PLACE_BOX;
  channel->header = header;
  channel->told = 0;
  box->idle = 0;
  channel->inbound = (adr_inbound){
      .source = source,
      .kind = ADR_KIND_FIRST,
      .match = (int64_t)adr_load_once_u64(&message->match),
      .length = length,
      .total_length = length,
      .payload = (const uint8_t *)(message + 1) - channel->view.base,
      .sequence = (int64_t)(channel->in[source].expected++ & ADR_BOX_SEQUENCE_MASK),
      .place = -1 - (int64_t)box->position,
  };
  return 1;
}

/* Polls the fastbox of one source, which is open. */
static inline int adr_channel_poll_box(adr_channel *channel, uint32_t source) {
  struct adr_inflow *in = &channel->in[source];
  int64_t header = adr_inbox_poll(&in->box, in->expected);
  if (header > 0) { return adr_channel_accept_box(channel, source, (uint64_t)header); }
  return header == 0 ? ADR_AGAIN : ADR_CORRUPT;
}

/* Polls the fastboxes in turn. */
static inline int adr_channel_poll_boxes(adr_channel *channel) {
  if (ADR_UNLIKELY((int32_t)(channel->polls - channel->scan_at) >= 0)) {
    channel->scan_at = channel->polls + ADR_SCAN_POLLS;
    adr_channel_scan(channel);
  }
  uint32_t turn = channel->turn; /* the one behind the last that had something: all get their turn */
  int status = adr_channel_poll_marked(channel, turn, channel->rank_count);
  return status == ADR_AGAIN && turn != 0 ? adr_channel_poll_marked(channel, 0, turn) : status;
}

/* Finds a cell set aside whose turn it is. */
int adr_channel_poll_early(adr_channel *channel);

/* Puts the piece in the cell at the queue's front at hand, as adr_mpsc_peek has told it, or goes on to the cells behind
 * it. */
int adr_channel_accept_front(adr_channel *channel, int64_t element);

/* Polls the queue, once the spent cell has left it. */
static inline int adr_channel_poll_queue(adr_channel *channel) {
  int retired = ADR_UNLIKELY(channel->spent != 0) ? adr_channel_retire(channel) : 0;
  if (ADR_UNLIKELY(retired < 0)) { return retired; }
  int64_t element = adr_mpsc_peek(&channel->view, channel->receive_queue);
  return ADR_LIKELY(element == 0) ? ADR_AGAIN : adr_channel_accept_front(channel, element);
}

/* One in so many general polls begins with the queue, so that busy fastboxes cannot keep it waiting. */
#define ADR_QUEUE_TURN 8

/* A general poll, when no piece is at hand. */
static inline int adr_channel_poll_all(adr_channel *channel, int32_t first) {
  int status = ADR_AGAIN;
  if (ADR_UNLIKELY(channel->early_count != 0)) { status = adr_channel_poll_early(channel); }
  bool queue_first = channel->polls++ % ADR_QUEUE_TURN == 0;
  if (status == ADR_AGAIN && queue_first) { status = adr_channel_poll_queue(channel); }
  if (status == ADR_AGAIN && first >= 0 && channel->in[first].box.ring != NULL) {
    status = adr_channel_poll_box(channel, (uint32_t)first);
  }
  if (status == ADR_AGAIN) { status = adr_channel_poll_boxes(channel); }
  if (status == ADR_AGAIN && !queue_first) { status = adr_channel_poll_queue(channel); }
  return status;
}

/* 1: a piece is at hand, the next one in order of some source; ADR_POLL_WANTED, ADR_AGAIN or ADR_CORRUPT. */
static inline int adr_channel_next_piece(adr_channel *channel, int32_t first) {
  if (channel->place == ADR_PLACE_SPENT) {
    int status = adr_channel_retire(channel);
    if (ADR_UNLIKELY(status == ADR_CORRUPT)) { return status; }
  }
  return channel->place != ADR_PLACE_NONE ? 1 : adr_channel_poll_all(channel, first);
}
