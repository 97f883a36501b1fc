/* What a channel consists of, private to its rank. */
#pragma once

#include "adrastea/channel.h"
#include "barrier/adr_barrier.h"
#include "channel/adr_box_costs.h"
#include "channel/adr_cell_pool.h"
#include "fastbox/adr_inbox.h"
#include "fastbox/adr_outbox.h"
#include "segment/adr_geometry.h"
#include "wait/adr_doorbell.h"

/* Why nothing goes to a destination. */
enum {
  ADR_BARRED_CLAIM = 1, /* a claim is open */
  ADR_BARRED_GONE = 2,  /* the rank has left or failed */
};

/* How far it has come with the cells that a rank that is gone has of this one. */
enum adr_burial {
  ADR_BURIAL_NONE,     /* it is there, or not known to be gone */
  ADR_BURIAL_POISONED, /* nobody finds a cell of this rank in the tail of its queue any more */
  ADR_BURIAL_QUIET,    /* and no rank that did can still write to one */
  ADR_BURIAL_DONE,     /* all have come back */
};

/* Up to so many bytes a full fastbox is waited for: it drains soon. Longer messages go by cells then. */
#define ADR_BOX_WAIT 64

/* Messages of more bytes take the fastbox only while the receiver is likely to wait for them. */
#define ADR_BOX_STREAM 1024

/* A short message waits for room in a full fastbox for so many tries only: a receiver may hold messages in it for long.
 */
#define ADR_BOX_TRIES 1024

/* The way to one destination. */
struct adr_outflow {
  struct adr_outbox box;
  uint64_t sequence; /* of the next piece */
  uint64_t line_end; /* messages of fewer bytes may be put on a line at once; 0: none */
  uint8_t barred;    /* why nothing goes there now: ADR_BARRED_...; 0: it does */
  uint8_t burial;    /* of a rank that is gone: enum adr_burial */
  bool burst;
  bool streams;   /* long messages have followed one another, and nothing has come in between */
  bool asked;     /* for a fastbox */
  uint32_t full;  /* tries in a row that found the fastbox full */
  uint64_t heard; /* pieces that had come from there when a next message was last prepared for */
  uint64_t receive_queue;
  adr_atomic_u64 *doorbell;     /* the word of its bitmap that this rank's bit is in */
  struct adr_rank_entry *entry; /* the destination's, where it sleeps */
  uint32_t by_queue;            /* messages that could have gone by fastbox, had there been one */
  /* while a claim is open */
  uint32_t claimed_length;
  uint64_t claimed_cell; /* 0: the claim is in the fastbox */
  struct adr_box_room claimed_room;
  struct adr_box_costs costs[ADR_BOX_COSTS_CLASSES]; /* by size class */
};

/* The way from one source. */
struct adr_inflow {
  struct adr_inbox box;
  uint64_t expected;            /* sequence of the next piece in order */
  uint64_t early;               /* cells that came before their turn, by sequence; linked through `next` */
  struct adr_rank_entry *entry; /* the source's, where it sleeps */
  uint64_t asked;               /* pieces that had gone there when a wait for an answer began last */
};

/* Where the piece at hand lies. */
enum adr_place {
  ADR_PLACE_NONE,
  ADR_PLACE_BOX,
  ADR_PLACE_QUEUE, /* a cell at the front of the receive queue, still in it */
  ADR_PLACE_SPENT, /* the same, but its piece was taken: the next poll makes it the spent cell */
  ADR_PLACE_EARLY, /* a cell that had come early, out of the queue */
};

struct adr_channel {
  struct adr_view view;
  enum adr_place place;
  uint32_t rank;
  uint32_t rank_count;
  uint32_t cell_payload;
  uint32_t box_limit;
  bool box_learns; /* which messages above ADR_BOX_STREAM bytes go by fastbox is found out; else all up to box_limit */
  uint32_t box_threshold;
  uint32_t turn;               /* source whose fastbox is polled first in a general poll */
  uint32_t pauses;             /* from one poll of a fastbox to the next */
  uint64_t bit;                /* of this rank in a doorbell */
  uint32_t polls;              /* general ones, counted */
  uint32_t scan_at;            /* from which of them on all fastboxes are to be scanned */
  uint32_t most_early;         /* pieces by which a cell can be before its turn */
  uint32_t early_count;        /* cells set aside, of all sources */
  uint32_t retained_count;     /* cells held */
  bool batch_found;            /* the last poll for a batch found something */
  int32_t told;                /* pieces of the batch at hand, that at hand first; 0: there is none */
  uint64_t told_end;           /* where the fastbox goes on behind them */
  uint64_t told_header;        /* of the last one */
  struct adr_rank_entry *self; /* this rank's, for its intents */
  uint64_t receive_queue;
  adr_atomic_u64 *active; /* this rank's bitmap */
  bool fences;            /* this rank fences what it gives */
  uint32_t fenced;        /* ranks below it do */
  uint64_t *opened;       /* as there: bit s: the fastbox of source s is open */
  uint64_t header;        /* of the message at hand, when it is in a fastbox */
  uint32_t owner;         /* of the cell at hand, when it is in one */
  uint64_t spent; /* the cell at the front of the receive queue, when its piece was taken; it leaves when its successor
                     is linked */
  uint32_t spent_owner; /* whose it is */
  adr_inbound inbound;  /* the piece at hand, read once */
  struct adr_outflow *out;
  struct adr_inflow *in;
  struct adr_cell_pool pool;
  struct adr_barrier_place barrier;
  struct adr_segment_header
      geometry; /* as it was when the channel was opened, and checked then: the shared one may change */
};

/* A rank's bit in its word of a bitmap. */
static inline uint64_t adr_bit_of(uint32_t rank) { return UINT64_C(1) << rank % 64; }

static inline const struct adr_segment_header *adr_channel_header(const struct adr_channel *channel) {
  return &channel->geometry;
}

/* To be called when what it depends on has changed: box made, bar, burst, position, reader behind. A rank that fences
 * what it gives has no short way. */
static inline void adr_channel_allow_lines(const struct adr_channel *channel, struct adr_outflow *out) {
  uint32_t most = channel->box_limit < ADR_BOX_HEAD ? channel->box_limit : ADR_BOX_HEAD;
  bool allowed = out->box.ring != NULL && out->barred == 0 && !out->burst && !out->box.behind && !channel->fences
                 && out->box.position % ADR_LINE == 0;
  out->line_end = allowed ? most + 1 : 0;
}

static inline bool adr_channel_at_hand(const struct adr_channel *channel) {
  return channel->place != ADR_PLACE_NONE && channel->place != ADR_PLACE_SPENT;
}

/* Gives a cell back to its owner, which may wait for it asleep. Returns 0 or ADR_CORRUPT. */
int adr_channel_give_back(adr_channel *channel, uint32_t owner, uint64_t element);

/* The writer of a fastbox was told of room, for which it may wait asleep. */
void adr_channel_ring_writer(const adr_channel *channel, uint32_t source);

/* Takes the spent cell, if there is one, out of the queue and gives it back: 0; ADR_AGAIN: its successor is not linked
 * yet, so the queue waits, and the queue alone; ADR_CORRUPT. */
int adr_channel_retire(struct adr_channel *channel);

/* Whether a link of the receive queue is missing, behind which there may be messages. */
bool adr_channel_is_blocked(adr_channel *channel);

/* Moves on what there is to do about ranks that are gone. Returns 0: nothing is left; ADR_AGAIN: to be called again;
 * ADR_CORRUPT. */
int adr_channel_bury_step(struct adr_channel *channel);

/* Tries to attach to the fastbox to a destination, and asks for one when the pair has become busy. */
void adr_channel_seek_box(struct adr_channel *channel, struct adr_outflow *out, uint32_t destination);
