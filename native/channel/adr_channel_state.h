/* What a channel consists of, private to its rank. */
#ifndef ADR_CHANNEL_STATE_H
#define ADR_CHANNEL_STATE_H

#include "adrastea/channel.h"
#include "barrier/adr_barrier.h"
#include "channel/adr_cell_pool.h"
#include "fastbox/adr_fastbox.h"
#include "segment/adr_geometry.h"

/* The way to one destination. */
struct adr_outflow {
  struct adr_outbox box;
  uint64_t sequence; /* of the next piece */
  uint64_t line_end; /* messages of fewer bytes may be put on a line at once; 0: none */
  bool claimed;
  bool burst;
  bool asked;        /* for a fastbox */
  uint64_t heard; /* pieces that had come from there when a next message was last prepared for */
  uint32_t full; /* tries in a row that found the fastbox full */
  uint32_t by_queue; /* messages that could have gone by fastbox, had there been one */
  uint64_t receive_queue;
  adr_atomic_u64 *doorbell; /* the word of its bitmap that this rank's bit is in */
  /* while `claimed` */
  uint64_t claimed_cell; /* 0: the claim is in the fastbox */
  uint32_t claimed_length;
  struct adr_box_room claimed_room;
};

/* The way from one source. */
struct adr_inflow {
  struct adr_inbox box;
  uint64_t expected; /* sequence of the next piece in order */
  uint64_t early;    /* cells that came before their turn, by sequence; linked through `next` */
};

/* Where the piece at hand lies. */
enum adr_place {
  ADR_PLACE_NONE,
  ADR_PLACE_BOX,
  ADR_PLACE_QUEUE, /* a cell at the front of the receive queue, still in it */
  ADR_PLACE_SPENT, /* the same, but its piece was taken: it leaves the queue at the next look */
  ADR_PLACE_EARLY, /* a cell that had come early, out of the queue */
};

struct adr_channel {
  struct adr_view view;
  enum adr_place place;
  uint32_t rank;
  uint32_t rank_count;
  uint32_t cell_payload;
  uint32_t box_limit;
  uint32_t box_threshold;
  uint32_t turn;        /* source whose fastbox is looked at first in a general look */
  uint32_t pauses;      /* from one look at a fastbox to the next */
  uint64_t bit;         /* of this rank in a doorbell */
  uint32_t looks;       /* general ones, counted */
  uint32_t most_early;  /* pieces by which a cell can be before its turn */
  uint32_t early_count; /* cells set aside, of all sources */
  uint32_t held_count;  /* cells held */
  uint64_t receive_queue;
  adr_atomic_u64 *active; /* this rank's bitmap */
  uint64_t header;      /* of the message at hand, when it is in a fastbox */
  uint64_t home;        /* free queue of the cell at hand, when it is in one */
  adr_inbound inbound;  /* the piece at hand, read once */
  struct adr_outflow *out;
  struct adr_inflow *in;
  struct adr_cell_pool pool;
  struct adr_barrier_place barrier;
};

static inline struct adr_segment_header *adr_channel_header(const struct adr_channel *channel) {
  return (struct adr_segment_header *)(void *)channel->view.base;
}

/* To be called when what it depends on has changed: box made, claim, burst, position, reader behind. */
static inline void adr_channel_allow_lines(const struct adr_channel *channel, struct adr_outflow *out) {
  uint32_t most = channel->box_limit < ADR_BOX_HEAD ? channel->box_limit : ADR_BOX_HEAD;
  bool allowed = out->box.ring != NULL && !out->claimed && !out->burst && !out->box.behind
                 && out->box.position % ADR_LINE == 0;
  out->line_end = allowed ? most + 1 : 0;
}

static inline bool adr_channel_at_hand(const struct adr_channel *channel) {
  return channel->place != ADR_PLACE_NONE && channel->place != ADR_PLACE_SPENT;
}

/* Takes the spent cell out of the queue and gives it back: 0, ADR_AGAIN or ADR_CORRUPT. */
int adr_channel_retire(struct adr_channel *channel);

/* Tries to attach to the fastbox to a destination, and asks for one when the pair has become busy. */
void adr_channel_seek_box(struct adr_channel *channel, struct adr_outflow *out, uint32_t destination);

#endif
