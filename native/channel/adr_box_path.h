/* The way of a message through a fastbox. Twin of io.adrastea.core.pure.BoxPath. */
#ifndef ADR_BOX_PATH_H
#define ADR_BOX_PATH_H

#include "channel/adr_channel_state.h"
#include "wait/adr_doorbell.h"

/* Whether a message may go this way, if there is room. */
static inline bool adr_box_path_fits(const adr_channel *channel, const struct adr_outflow *out, int32_t kind,
                                     int64_t total_length, int64_t length) {
  return out->box.ring != NULL && kind == ADR_KIND_FIRST && length == total_length && length <= channel->box_limit;
}

static inline bool adr_box_path_packs(const struct adr_outflow *out) { return out->box.behind || out->burst; }

/* When there is no room for a line, the receiver may have turned out to be behind: then the rest is for packed
 * messages. */
static inline bool adr_box_path_find_room(struct adr_outflow *out, uint32_t length, struct adr_box_room *room) {
  bool packed = adr_box_path_packs(out);
  return adr_outbox_find(&out->box, length, packed, room)
         || (!packed && adr_box_path_packs(out) && adr_outbox_find(&out->box, length, true, room));
}

/* Hands `taken` on: the last call of a send, so that the usual one needs no stack. */
static __attribute__((noinline)) int32_t adr_box_path_mark_and_ring(const adr_channel *channel,
                                                                    const struct adr_outflow *out, int32_t taken) {
  /* SYNC box-active: acq_rel. Release: who takes this mark away sees our header. Acquire: where it reads what a
   * sleeper's AND left, the look who sleeps comes after it. */
  adr_or_acq_rel_u64(out->doorbell, channel->bit);
  ADR_STOP(doorbell_marked);
  adr_doorbell_ring(out->entry);
  return taken;
}

/* Tells the receiver that this box is to be looked at, unless it knows. The load
 * may be early (no fence between our header and it, docs/design.md): a mark that is missed so is made up for by the
 * receiver's scan; one who sleeps has taken its marks away before its barrier, see wait/adr_doorbell.h, so the compiler
 * must not move the load up. */
static inline int32_t adr_box_path_ring(const adr_channel *channel, const struct adr_outflow *out, int32_t taken) {
  adr_compiler_fence();
  bool marked = (adr_load_relaxed_u64(out->doorbell) & channel->bit) != 0;
  return ADR_UNLIKELY(!marked) ? adr_box_path_mark_and_ring(channel, out, taken) : taken;
}

/* The same for a rank that may fence what it gives. */
static inline void adr_box_path_order_and_ring(const adr_channel *channel, const struct adr_outflow *out) {
  adr_doorbell_order();
  adr_box_path_ring(channel, out, 0);
}

/* Sends what was put into `room`. */
static inline void adr_box_path_commit(const adr_channel *channel, uint32_t to, const struct adr_box_room *room,
                                       uint32_t length) {
  struct adr_outflow *out = &channel->out[to];
  adr_outbox_commit(&out->box, room, out->sequence++, length, out->burst);
  adr_box_path_order_and_ring(channel, out);
  uint64_t heard = channel->in[to].expected;
  if (!room->packed && heard != out->heard) { /* in a stream it would only be in the way */
    out->heard = heard;
    adr_outbox_prepare(&out->box, room);
  }
  adr_channel_allow_lines(channel, out);
}

/* What was withheld shows before this rank waits, or sends by another way: it could be waited for. */
static inline void adr_box_path_show(const adr_channel *channel, struct adr_outflow *out) {
  if (out->box.withheld != NULL) {
    adr_outbox_show(&out->box);
    adr_box_path_order_and_ring(channel, out); /* the mark may have been taken away while there was nothing to see */
  }
}

/* Sends a whole message by `room`. */
static inline int32_t adr_box_path_send(const adr_channel *channel, uint32_t to, const struct adr_box_room *room,
                                        int64_t match, const uint8_t *source, uint32_t length) {
  adr_outbox_fill(room, (uint64_t)match, source, length);
  adr_box_path_commit(channel, to, room, length);
  return (int32_t)length;
}

#endif
