/* Sending: by fastbox where it fits, by cell otherwise; and room that the caller fills in (claims). Twin of
 * io.adrastea.core.pure.PureSender. */
#include "adrastea/datatype.h"
#include "channel/adr_channel_state.h"
#include "copy/adr_copy.h"
#include "wait/adr_doorbell.h"

static inline bool packs(const struct adr_outflow *out) { return out->box.behind || out->burst; }

/* Whether the receiver has sent something since a next message was last prepared for: it is likely to wait. */
static inline bool is_heard(const adr_channel *channel, const struct adr_outflow *out, uint32_t to) {
  return channel->in[to].expected != out->heard;
}

/* Whether a long message that is likely to be waited for goes by fastbox, as its class costs less so. */
static inline bool box_pays(const adr_channel *channel, struct adr_outflow *out, uint32_t to, uint32_t length) {
  struct adr_box_costs *costs = &out->costs[adr_box_costs_class(length, ADR_BOX_STREAM)];
  bool by_cells = channel->box_learns
                  && adr_box_costs_by_cells(costs, channel->rank > to, out->sequence, length, channel->cell_payload);
  if (by_cells) { out->heard = channel->in[to].expected; /* a stream behind it does not count as heard */ }
  return !by_cells;
}

/* Whether a long message is likely to be waited for: the receiver has sent something since the last one, and had done
 * so before that. Behind an answer, the first message of a window is followed by others, as those of the last one were.
 */
static inline bool is_awaited(const adr_channel *channel, struct adr_outflow *out, uint32_t to) {
  bool heard = is_heard(channel, out, to);
  bool awaited = heard && !out->streams;
  if (heard && !awaited) { out->heard = channel->in[to].expected; /* a stream behind it does not count as heard */ }
  out->streams = !heard;
  return awaited;
}

/* Whether a message may go this way, if there is room. A long one only while it is likely to be waited for: of a stream
 * of them the cells, which are many, hold more than the ring, so that both ends copy all the time. */
static inline bool box_fits(const adr_channel *channel, struct adr_outflow *out, uint32_t to, int32_t kind,
                            int64_t total_length, int64_t length) {
  return out->box.ring != NULL && kind == ADR_KIND_FIRST && length == total_length && length <= channel->box_limit
         && (length <= ADR_BOX_STREAM || out->burst
             || (is_awaited(channel, out, to) && !out->box.behind && box_pays(channel, out, to, (uint32_t)length)));
}

/* When there is no room for a line, the receiver may have turned out to be behind: then the rest is for packed
 * messages. */
static inline bool find_box_room(struct adr_outflow *out, uint32_t length, struct adr_box_room *room) {
  bool packed = packs(out);
  return adr_outbox_find(&out->box, length, packed, room)
         || (!packed && packs(out) && adr_outbox_find(&out->box, length, true, room));
}

/* Hands `taken` on: the last call of a send, so that the usual one needs no stack. */
static __attribute__((noinline)) int32_t mark_and_ring(const adr_channel *channel, const struct adr_outflow *out,
                                                       int32_t taken) {
  /* SYNC box-active: acq_rel. Release: a rank that takes this mark away sees our header. Acquire: where it reads what a
   * sleeper's AND left, the check whether the receiver sleeps comes after it. */
  adr_or_acq_rel_u64(out->doorbell, channel->bit);
  ADR_STOP(doorbell_marked);
  adr_doorbell_ring(out->entry);
  return taken;
}

/* Tells the receiver that it has to poll this box, unless it knows. The load
 * may be early (no fence between our header and it, docs/design.md): a mark that is missed so is made up for by the
 * receiver's scan; a receiver that sleeps has taken its marks away before its barrier, see wait/adr_doorbell.h, so the
 * compiler must not move the load up. */
static inline int32_t ring_doorbell(const adr_channel *channel, const struct adr_outflow *out, int32_t taken) {
  adr_compiler_fence();
  bool marked = (adr_load_relaxed_u64(out->doorbell) & channel->bit) != 0;
  return ADR_UNLIKELY(!marked) ? mark_and_ring(channel, out, taken) : taken;
}

/* Does as ring_doorbell, for a rank that may fence what it gives. */
static inline void order_and_ring(const adr_channel *channel, const struct adr_outflow *out) {
  adr_doorbell_order();
  ring_doorbell(channel, out, 0);
}

/* Sends what was put into `room`. */
static inline void commit_box(const adr_channel *channel, uint32_t to, const struct adr_box_room *room,
                              uint32_t length) {
  struct adr_outflow *out = &channel->out[to];
  adr_outbox_commit(&out->box, room, out->sequence++, length, out->burst);
  order_and_ring(channel, out);
  if (!room->packed && is_heard(channel, out, to)) { /* in a stream it would only be in the way */
    out->heard = channel->in[to].expected;
    adr_outbox_prepare(&out->box, room);
  }
  adr_channel_allow_lines(channel, out);
}

/* What was withheld shows before this rank waits, or sends by another way: it could be waited for. */
static inline void show_withheld(const adr_channel *channel, struct adr_outflow *out) {
  if (out->box.withheld != NULL) {
    adr_outbox_show(&out->box);
    order_and_ring(channel, out); /* the mark may have been taken away while there was nothing to see */
  }
}

/* Sends a whole message by `room`. */
static inline int32_t send_by_box(const adr_channel *channel, uint32_t to, const struct adr_box_room *room,
                                  int64_t match, const uint8_t *source, uint32_t length) {
  adr_outbox_fill(room, (uint64_t)match, source, length);
  commit_box(channel, to, room, length);
  return (int32_t)length;
}

/* A cell with all but the payload and its number written; below zero: what keeps it from being had. */
static inline int64_t take_cell(adr_channel *channel, struct adr_outflow *out, uint32_t to, int32_t kind, int64_t match,
                                int64_t total_length, uint32_t length) {
  show_withheld(channel, out);
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
static inline int commit_cell(adr_channel *channel, struct adr_outflow *out, uint64_t element) {
  adr_view_cell(&channel->view, element)->sequence = out->sequence++;
  ADR_STOP(cell_numbered);
  int status = adr_mpsc_enqueue(&channel->view, out->receive_queue, channel->self, element);
  adr_doorbell_ring(out->entry);
  adr_cell_pool_warm(&channel->view, &channel->pool);
  return status;
}

/* Sends as much of a message as a cell holds: so many bytes. */
static inline int32_t send_by_cell(adr_channel *channel, uint32_t to, int32_t kind, int64_t match, int64_t total_length,
                                   const uint8_t *source, int64_t length) {
  struct adr_outflow *out = &channel->out[to];
  uint32_t taken = length < channel->cell_payload ? (uint32_t)length : channel->cell_payload;
  int64_t element = take_cell(channel, out, to, kind, match, total_length, taken);
  if (ADR_UNLIKELY(element < 0)) { return (int32_t)element; }
  adr_copy_piece(adr_view_cell(&channel->view, (uint64_t)element) + 1, source, taken);
  int status = commit_cell(channel, out, (uint64_t)element);
  return status < 0 ? status : (int32_t)taken;
}

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
    return is_control(match) ? send_by_cell(channel, to, kind, match, total_length, from, length) : ADR_BUSY;
  }
  if (ADR_LIKELY(box_fits(channel, out, to, kind, total_length, length))) {
    struct adr_box_room room;
    if (ADR_LIKELY(find_box_room(out, (uint32_t)length, &room))) {
      out->full = 0;
      return send_by_box(channel, to, &room, match, from, (uint32_t)length);
    }
    if (length <= ADR_BOX_WAIT && ++out->full < ADR_BOX_TRIES) {
      show_withheld(channel, out);
      return ADR_AGAIN;
    }
  }
  return send_by_cell(channel, to, kind, match, total_length, from, length);
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
  return ring_doorbell(channel, out, (int32_t)length);
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
  show_withheld(channel, &channel->out[destination]);
  return 0;
}

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

/* Claims the room that was found. */
static int64_t claim_box(const adr_channel *channel, struct adr_outflow *out, int64_t match, uint32_t length) {
  out->claimed_room.message->match = (uint64_t)match;
  ADR_STOP(claimed_box);
  out->claimed_length = length;
  bar(out, 0);
  return (uint8_t *)(out->claimed_room.message + 1) - channel->view.base;
}

static int64_t claim_cell(adr_channel *channel, uint32_t to, int32_t kind, int64_t match, int64_t total_length,
                          uint32_t length) {
  struct adr_outflow *out = &channel->out[to];
  int64_t element = take_cell(channel, out, to, kind, match, total_length, length);
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
  if (box_fits(channel, out, to, kind, total_length, length)
      && find_box_room(out, (uint32_t)length, &out->claimed_room)) {
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
  if (out->claimed_cell != 0) { return commit_cell(channel, out, out->claimed_cell); }
  commit_box(channel, (uint32_t)destination, &out->claimed_room, out->claimed_length);
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

int32_t adr_channel_way(adr_channel *channel, int32_t destination, int64_t length) {
  if ((uint32_t)destination >= channel->rank_count || length < 0) { return ADR_INVALID; }
  const struct adr_outflow *out = &channel->out[destination];
  if (out->box.ring == NULL || length > channel->box_limit) { return ADR_WAY_CELLS; }
  bool learnt = channel->box_learns && length > ADR_BOX_STREAM;
  return learnt && out->costs[adr_box_costs_class((uint32_t)length, ADR_BOX_STREAM)].by_cells ? ADR_WAY_CELLS
                                                                                              : ADR_WAY_BOX;
}

int32_t adr_channel_try_send_elements(adr_channel *channel, int32_t destination, int64_t match, const void *program,
                                      const void *memory, int64_t offset, int64_t count, int64_t length) {
  int64_t room = adr_channel_claim(channel, destination, ADR_KIND_FIRST, match, length, length);
  if (ADR_UNLIKELY(room < 0)) { return (int32_t)room; }
  int64_t cursor[ADR_DATATYPE_CURSOR_WORDS];
  adr_datatype_seek(program, cursor, count, 0);
  adr_datatype_pack(program, cursor, memory, offset, channel->view.base, room, length);
  int32_t status = adr_channel_commit(channel, destination);
  return status < 0 ? status : (int32_t)length;
}
