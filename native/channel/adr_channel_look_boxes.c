/* Looking at the fastboxes one after the other, and what marks them. Twin of io.adrastea.core.pure.PureLookBoxes. */
#include "channel/adr_channel_look_boxes.h"

static int take_mark_away(adr_channel *channel, uint32_t source) {
  channel->in[source].box.idle = 0;
  uint64_t bit = UINT64_C(1) << source % 64;
  /* SYNC box-active: acq_rel, a read-modify-write so that rings of others are not lost; the look below is not moved
   * before it. */
  adr_and_acq_rel_u64(&channel->active[source / 64], ~bit);
  ADR_STOP(idle_unmarked);
  int status = adr_channel_look_box(channel, source);
  if (status != ADR_AGAIN) {
    /* Relaxed: our own mark, which only we take for a sign that something is there. */
    adr_or_relaxed_u64(&channel->active[source / 64], bit);
    ADR_STOP(idle_marked);
  }
  return status;
}

/* An active box with nothing in it. After a while its mark is taken away; a message that came in between is seen by the
 * look after that, or by the next scan. */
static int note_idle(adr_channel *channel, uint32_t source) {
  struct adr_inbox *box = &channel->in[source].box;
  if (adr_inbox_tell(box)) { adr_channel_ring_writer(channel, source); }
  return ADR_LIKELY(++box->idle < ADR_IDLE_LOOKS) ? ADR_AGAIN : take_mark_away(channel, source);
}

static int look_marked(adr_channel *channel, uint32_t source) {
  if (ADR_UNLIKELY(channel->in[source].box.ring == NULL)) {
    channel->inbound.source = source;
    return ADR_POLL_WANTED;
  }
  int status = adr_channel_look_box(channel, source);
  return status == ADR_AGAIN ? note_idle(channel, source) : status;
}

int adr_channel_look_active(adr_channel *channel, uint32_t from, uint32_t to) {
  for (uint32_t word = from / 64; word * 64 < to; word++) {
    /* Relaxed: a bit is a hint where to look; what is found there is acquired. */
    uint64_t bits = adr_load_relaxed_u64(&channel->active[word]);
    bits &= word == from / 64 ? ~UINT64_C(0) << from % 64 : ~UINT64_C(0);
    for (; bits != 0; bits &= bits - 1) {
      uint32_t source = word * 64 + (uint32_t)__builtin_ctzll(bits);
      if (source >= to) { return ADR_AGAIN; }
      int status = look_marked(channel, source);
      if (status != ADR_AGAIN) {
        channel->turn = source + 1 < channel->rank_count ? source + 1 : 0;
        return status;
      }
    }
  }
  return ADR_AGAIN;
}

void adr_channel_scan(adr_channel *channel) {
  for (uint32_t source = 0; source < channel->rank_count; source++) {
    struct adr_inflow *in = &channel->in[source];
    if (in->box.ring != NULL && adr_inbox_peek(&in->box, in->expected) != 0) {
      /* Relaxed: our own mark; its message was acquired above. By a read-modify-write no mark of others is lost. */
      adr_or_relaxed_u64(&channel->active[source / 64], UINT64_C(1) << source % 64);
      ADR_STOP(scan_marked);
    }
  }
}
