/* Finding the next piece: where is looked, in which order. Twin of io.adrastea.core.pure.PureLook. */
#ifndef ADR_CHANNEL_LOOK_H
#define ADR_CHANNEL_LOOK_H

#include "channel/adr_channel_look_boxes.h"
#include "channel/adr_channel_look_cells.h"

/* Of general looks, every so many begins with the queue, so that busy fastboxes cannot keep it waiting. */
#define ADR_QUEUE_TURN 8

/* A general look, when no piece is at hand. */
static inline int adr_channel_look(adr_channel *channel, int32_t first) {
  int status = ADR_AGAIN;
  if (ADR_UNLIKELY(channel->early_count != 0)) { status = adr_channel_look_early(channel); }
  bool queue_first = channel->looks++ % ADR_QUEUE_TURN == 0;
  if (status == ADR_AGAIN && queue_first) { status = adr_channel_look_queue(channel); }
  if (status == ADR_AGAIN && first >= 0 && channel->in[first].box.ring != NULL) {
    status = adr_channel_look_box(channel, (uint32_t)first);
  }
  if (status == ADR_AGAIN) { status = adr_channel_look_boxes(channel); }
  if (status == ADR_AGAIN && !queue_first) { status = adr_channel_look_queue(channel); }
  return status;
}

/* 1: a piece is at hand, the next one in order of some source; ADR_POLL_WANTED, ADR_AGAIN or ADR_CORRUPT. */
static inline int adr_channel_next_piece(adr_channel *channel, int32_t first) {
  if (channel->place == ADR_PLACE_SPENT) {
    int status = adr_channel_retire(channel);
    if (ADR_UNLIKELY(status == ADR_CORRUPT)) { return status; }
  }
  return channel->place != ADR_PLACE_NONE ? 1 : adr_channel_look(channel, first);
}

#endif
