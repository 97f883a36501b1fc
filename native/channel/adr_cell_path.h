/* The way of a piece through a cell and the receiver's queue. Twin of io.adrastea.core.pure.CellPath. */
#ifndef ADR_CELL_PATH_H
#define ADR_CELL_PATH_H

#include "channel/adr_box_path.h"

/* A cell with all but the payload and its number written; below zero: what keeps it from being had. */
static inline int64_t adr_cell_path_take(adr_channel *channel, struct adr_outflow *out, uint32_t to, int32_t kind,
                                         int64_t match, int64_t total_length, uint32_t length) {
  adr_box_path_show(channel, out);
  if (out->box.ring == NULL && kind == ADR_KIND_FIRST && length <= channel->box_limit) {
    adr_channel_seek_box(channel, out, to);
  }
  int64_t element = adr_cell_pool_take(&channel->view, &channel->pool, to);
  if (ADR_UNLIKELY(element < 0)) { return element; }
  ADR_STOP(cell_taken);
  struct adr_cell *cell = adr_view_cell(&channel->view, (uint64_t)element);
  cell->match = (uint64_t)match;
  cell->total_length = (uint64_t)total_length;
  cell->length = length;
  cell->source = channel->rank;
  cell->kind = (uint32_t)kind;
  return element;
}

/* Sends what was put into a cell. */
static inline int adr_cell_path_commit(adr_channel *channel, struct adr_outflow *out, uint64_t element) {
  adr_view_cell(&channel->view, element)->sequence = out->sequence++;
  ADR_STOP(cell_numbered);
  int status = adr_mpsc_enqueue(&channel->view, out->receive_queue, channel->self, element);
  adr_doorbell_ring(out->entry);
  adr_cell_pool_warm(&channel->view, &channel->pool);
  return status;
}

/* Sends as much of a message as a cell holds: so many bytes. */
static inline int32_t adr_cell_path_send(adr_channel *channel, uint32_t to, int32_t kind, int64_t match,
                                         int64_t total_length, const uint8_t *source, int64_t length) {
  struct adr_outflow *out = &channel->out[to];
  uint32_t taken = length < channel->cell_payload ? (uint32_t)length : channel->cell_payload;
  int64_t element = adr_cell_path_take(channel, out, to, kind, match, total_length, taken);
  if (ADR_UNLIKELY(element < 0)) { return (int32_t)element; }
  memcpy(adr_view_cell(&channel->view, (uint64_t)element) + 1, source, taken);
  int status = adr_cell_path_commit(channel, out, (uint64_t)element);
  return status < 0 ? status : (int32_t)taken;
}

#endif
