/* Room for a piece that the caller fills in. Twin of io.adrastea.core.pure.PureClaims. */
#include "channel/adr_box_path.h"
#include "channel/adr_cell_path.h"

/* A claim is open: nothing else goes there. */
static void bar(struct adr_outflow *out, uint64_t cell) {
  out->claimed_cell = cell;
  out->barred = ADR_BARRED_CLAIM;
  out->line_end = 0;
}

static void unbar(const adr_channel *channel, struct adr_outflow *out) {
  out->barred &= (uint8_t)~ADR_BARRED_CLAIM;
  adr_channel_allow_lines(channel, out);
}

/* In the room found. */
static int64_t claim_box(const adr_channel *channel, struct adr_outflow *out, int64_t match, uint32_t length) {
  out->claimed_room.slot->match = (uint64_t)match;
  ADR_STOP(claimed_box);
  out->claimed_length = length;
  bar(out, 0);
  return (uint8_t *)(out->claimed_room.slot + 1) - channel->view.base;
}

static int64_t claim_cell(adr_channel *channel, uint32_t to, int32_t kind, int64_t match, int64_t total_length,
                          uint32_t length) {
  struct adr_outflow *out = &channel->out[to];
  int64_t element = adr_cell_path_take(channel, out, to, kind, match, total_length, length);
  if (element < 0) { return element; }
  ADR_STOP(claimed_cell);
  bar(out, (uint64_t)element);
  return element + ADR_CELL_BYTES;
}

int64_t adr_channel_claim(adr_channel *channel, int32_t destination, int32_t kind, int64_t match, int64_t total_length,
                          int64_t length) {
  uint32_t to = (uint32_t)destination;
  if (to >= channel->rank_count || length < 0) { return ADR_INVALID; }
  struct adr_outflow *out = &channel->out[to];
  if (out->barred != 0) { return out->barred & ADR_BARRED_GONE ? ADR_GONE : ADR_BUSY; }
  if (adr_box_path_fits(channel, out, kind, total_length, length)
      && adr_box_path_find_room(out, (uint32_t)length, &out->claimed_room)) {
    return claim_box(channel, out, match, (uint32_t)length);
  }
  if (length > channel->cell_payload) { return ADR_TOO_LONG; }
  return claim_cell(channel, to, kind, match, total_length, (uint32_t)length);
}

int32_t adr_channel_commit(adr_channel *channel, int32_t destination) {
  struct adr_outflow *out = &channel->out[destination];
  if ((uint32_t)destination >= channel->rank_count || !(out->barred & ADR_BARRED_CLAIM)) { return ADR_INVALID; }
  if (ADR_UNLIKELY(out->barred & ADR_BARRED_GONE)) {
    adr_channel_abort(channel, destination);
    return ADR_GONE;
  }
  unbar(channel, out);
  if (out->claimed_cell != 0) { return adr_cell_path_commit(channel, out, out->claimed_cell); }
  adr_box_path_commit(channel, (uint32_t)destination, &out->claimed_room, out->claimed_length);
  return 0;
}

int32_t adr_channel_abort(adr_channel *channel, int32_t destination) {
  struct adr_outflow *out = &channel->out[destination];
  if ((uint32_t)destination >= channel->rank_count || !(out->barred & ADR_BARRED_CLAIM)) { return ADR_INVALID; }
  unbar(channel, out);
  if (out->claimed_cell != 0) {
    adr_cell_pool_put_back(&channel->pool, out->claimed_cell, (uint32_t)destination);
    return 0;
  }
  adr_outbox_abort(&out->box, &out->claimed_room);
  return 0;
}
