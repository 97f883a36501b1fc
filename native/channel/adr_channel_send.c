/* Sending: by fastbox where it fits, by cell otherwise. Twin of io.adrastea.core.pure.PureSender. */
#include "channel/adr_box_path.h"
#include "channel/adr_cell_path.h"

/* Whether it is about a large message, and of no communicator: it may pass an open claim, which could wait for what it
 * brings about. The claim has its place in the order when it is committed. */
static bool is_control(int64_t match) { return match >> 31 == -1; }

/* Whatever is not a short message with nothing in its way. Out of line, so that those need few registers. */
static __attribute__((noinline)) int32_t send_any(adr_channel *channel, uint32_t to, int32_t kind, int64_t match,
                                                  int64_t total_length, const uint8_t *from, int64_t length) {
  struct adr_outflow *out = &channel->out[to];
  if (length < 0) { return ADR_INVALID; }
  if (ADR_UNLIKELY(out->barred != 0)) {
    if (out->barred & ADR_BARRED_GONE) { return ADR_GONE; }
    return is_control(match) ? adr_cell_path_send(channel, to, kind, match, total_length, from, length) : ADR_BUSY;
  }
  if (ADR_LIKELY(adr_box_path_fits(channel, out, kind, total_length, length))) {
    struct adr_box_room room;
    if (ADR_LIKELY(adr_box_path_find_room(out, (uint32_t)length, &room))) {
      out->full = 0;
      return adr_box_path_send(channel, to, &room, match, from, (uint32_t)length);
    }
    if (length <= ADR_BOX_WAIT && ++out->full < ADR_BOX_TRIES) {
      adr_box_path_show(channel, out);
      return ADR_AGAIN;
    }
  }
  return adr_cell_path_send(channel, to, kind, match, total_length, from, length);
}

int32_t adr_channel_try_send(adr_channel *channel, int32_t destination, int32_t kind, int64_t match,
                             int64_t total_length, const void *source, int64_t offset, int64_t length) {
  uint32_t to = (uint32_t)destination;
  if (ADR_UNLIKELY(to >= channel->rank_count)) { return ADR_INVALID; }
  struct adr_outflow *out = &channel->out[to];
  const uint8_t *from = (const uint8_t *)source + offset;
  if (ADR_UNLIKELY((uint64_t)length >= out->line_end || length != total_length || kind != ADR_KIND_FIRST
                   || !adr_outbox_put_line(&out->box, out->sequence, (uint64_t)match, from, (uint32_t)length))) {
    return send_any(channel, to, kind, match, total_length, from, length);
  }
  out->sequence++;
  return adr_box_path_ring(channel, out, (int32_t)length);
}

int32_t adr_channel_begin_burst(adr_channel *channel, int32_t destination) {
  if ((uint32_t)destination >= channel->rank_count || channel->out[destination].burst) { return ADR_INVALID; }
  channel->out[destination].burst = true;
  channel->out[destination].line_end = 0;
  return 0;
}

int32_t adr_channel_end_burst(adr_channel *channel, int32_t destination) {
  if ((uint32_t)destination >= channel->rank_count || !channel->out[destination].burst) { return ADR_INVALID; }
  channel->out[destination].burst = false;
  adr_channel_allow_lines(channel, &channel->out[destination]);
  adr_box_path_show(channel, &channel->out[destination]);
  return 0;
}
