#include "pool/adr_pool_cells.h"

#include <stdlib.h>

#include "counts/adr_counts_job.h"

enum { RANKS = 2, MATCH = 7 };

struct cells {
  struct counts_job job;
  adr_channel *channel; /* of this side, once it was needed */
};

static adr_channel *channel_of(struct cells *cells, int side) {
  if (ADR_UNLIKELY(cells->channel == NULL)) { cells->channel = counts_job_channel(&cells->job, (uint32_t)side); }
  return cells->channel;
}

static void send(void *state, const struct floor_pair *pair, uint8_t *message, uint64_t bytes) {
  adr_channel *channel = channel_of(state, pair->side);
  int64_t length = (int64_t)bytes;
  int64_t sent = 0;
  uint32_t waited = 0;
  while (sent < length) {
    int32_t kind = sent == 0 ? ADR_PIECE_FIRST : ADR_PIECE_NEXT;
    int32_t taken = adr_channel_try_send(channel, 1 - pair->side, kind, MATCH, length, message, sent, length - sent);
    if (ADR_LIKELY(taken >= 0)) {
      sent += taken;
    } else if (taken == ADR_AGAIN) {
      pool_pause(pair, &waited);
    } else {
      pool_fail("cannot send", taken);
    }
  }
}

static void check(const adr_inbound *inbound, int64_t received, int64_t length) {
  if (inbound->total_length != length || received + inbound->length > length
      || (inbound->kind == ADR_PIECE_FIRST) != (received == 0)) {
    pool_fail("a piece of another message", inbound->length);
  }
}

static void receive(void *state, const struct floor_pair *pair, uint8_t *message, uint64_t bytes) {
  adr_channel *channel = channel_of(state, pair->side);
  int64_t length = (int64_t)bytes;
  int64_t received = 0;
  uint32_t waited = 0;
  while (received < length) {
    adr_inbound inbound;
    int32_t status = adr_channel_poll(channel, 1 - pair->side, &inbound);
    if (ADR_LIKELY(status == ADR_POLL_PIECE)) {
      check(&inbound, received, length);
      adr_channel_take(channel, message, received, inbound.length);
      received += inbound.length;
    } else if (status == ADR_AGAIN) {
      pool_pause(pair, &waited);
    } else {
      pool_fail("cannot receive", status);
    }
  }
}

struct pool_way pool_cells_way(const char *name, uint32_t cell_bytes, bool boxes) {
  struct cells *cells = calloc(1, sizeof *cells);
  if (cells == NULL) { pool_fail("no memory", sizeof *cells); }
  struct adr_box_settings settings = ADR_BOX_DEFAULTS;
  if (!boxes) { settings = (struct adr_box_settings){0}; }
  counts_job_open(&cells->job, RANKS, COUNTS_CELLS, cell_bytes, settings);
  return (struct pool_way){name, cells, POOL_MAX_BYTES, send, receive};
}
