/* Finding the next piece in cells: at the queue's front, and among those that came before their turn. Twin of
 * io.adrastea.core.pure.PureLookCells. What every look passes through is here, to be inlined; the rest is called.
 *
 * A look finds 1: a piece, which is at hand now; ADR_AGAIN or ADR_CORRUPT. */
#ifndef ADR_CHANNEL_LOOK_CELLS_H
#define ADR_CHANNEL_LOOK_CELLS_H

#include "channel/adr_channel_state.h"

/* Looks for a cell set aside whose turn it is. */
int adr_channel_look_early(adr_channel *channel);

/* Puts the piece in the cell at the queue's front at hand, as adr_mpsc_peek has told it, or goes on to the cells behind
 * it. */
int adr_channel_accept_front(adr_channel *channel, int64_t element);

/* Looks at the queue, once the spent cell has left it. */
static inline int adr_channel_look_queue(adr_channel *channel) {
  int retired = ADR_UNLIKELY(channel->spent != 0) ? adr_channel_retire(channel) : 0;
  if (ADR_UNLIKELY(retired < 0)) { return retired; }
  int64_t element = adr_mpsc_peek(&channel->view, channel->receive_queue);
  return ADR_LIKELY(element == 0) ? ADR_AGAIN : adr_channel_accept_front(channel, element);
}

#endif
