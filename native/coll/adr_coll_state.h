/* A member's side of the collectives of a communicator, private to its rank: the fields of adr_coll.c, and those of
 * adr_coll_cells.c with the calls between the two. */
#pragma once

#include <stddef.h>

#include "adrastea/coll.h"
#include "base/adr_base.h"
#include "coll/adr_slot.h"

/* A move went well, the next one can be made. */
enum { ADR_COLL_NEXT = 100 };

enum {
  ADR_COLL_CELL = 131072, /* of one member */
  ADR_COLL_HALVES = 2,
  ADR_COLL_HALF = ADR_COLL_CELL / ADR_COLL_HALVES,
  ADR_COLL_BCAST_BUFFER = ADR_COLL_HALF / 8, /* smaller, so that the others can follow a root closely */
  ADR_COLL_GATHER_BUFFER = ADR_COLL_HALF / 4,
  ADR_COLL_OPERANDS = 4, /* that each combines all of; behind them in the half lies what it has combined */
  ADR_COLL_OPERAND = 12288,
  ADR_COLL_PARTS_BUFFER = ADR_COLL_HALF / 2,
  ADR_COLL_LEAST_PART = 256,       /* of an allreduce: few members do not wait for many */
  ADR_COLL_COMBINED_BY_ALL = 2048, /* up to so many bytes: cheaper than to wait for each other once more */
  ADR_COLL_MOST_UNIT = 8192,       /* elements can be no longer */
};

struct adr_cell_moves {
  int64_t used[ADR_COLL_HALVES]; /* the last collective that used a half */
  uint8_t *memory;               /* of all cells; NULL: not given yet */
  int64_t count;                 /* collectives through cells */
  bool ready;                    /* the half is free for this one */
  uint32_t half;
  int64_t round;
  int64_t filled;       /* rounds whose buffer of ours is filled */
  int64_t buffer_bytes; /* of a round's buffer */
  int64_t buffers;      /* of a half */
  uint32_t stage;       /* of a round */
  uint32_t at;          /* member that is looked at next */
  int64_t unit;         /* bytes of an element */
  int64_t room;         /* bytes of each member that go in a round */
  uint32_t owners;      /* members that combine a part; 0: each combines all */
  int64_t folded_at;    /* where in the cells lies what was combined so far; below zero: in the caller's output */
  bool seen;            /* what that member has to have done is done */
};

struct adr_coll {
  struct adr_slot_view slot;
  void *base; /* of the job's segment, where the others' doorbells are */
  struct adr_cell_moves cells;
  int64_t words[ADR_COLL_WORDS];
  int64_t sequence; /* of the collective under way, or of the last one */
  int64_t least;    /* what every member has done at least, as far as this one has looked */
  int32_t move;
  int32_t way;
  int32_t kind;
  int32_t root;
  int32_t element;
  int32_t operation;
  int64_t bytes;
  uint64_t head;
  uint64_t what;
  uint32_t at;              /* member whose line is read next */
  const uint8_t *folded_at; /* where in the slot lies what was combined so far */
  bool asked;               /* the caller was asked for something */
  int64_t moved;            /* bytes, in this call */
  int32_t other;
  const uint8_t *in; /* the caller's, during a call */
  uint8_t *out;
  uint32_t local_ranks[]; /* of the members */
};

/* Whether every member has done a collective; else the one who has not is waited for. */
bool adr_coll_all_have_done(adr_coll *coll, int64_t earlier);

/* Every member has begun this collective, and so has done the one before. */
void adr_coll_all_have_begun(adr_coll *coll);

/* Whether a member's line is there, and tells of the same collective as ours: NEXT, -EAGAIN or MISMATCH. */
int32_t adr_coll_look(adr_coll *coll, uint32_t member);

/* Puts the caller's bytes to `memory` + `target`: NEXT, or FILL. */
int32_t adr_coll_fill(adr_coll *coll, uint8_t *memory, int64_t target, int64_t position, int64_t length);

/* Hands bytes to the caller: NEXT, or DRAIN. */
int32_t adr_coll_drain(adr_coll *coll, const uint8_t *memory, int64_t source, int64_t position, int64_t length);

/* Asks the caller for something in the slot or, where `memory` is another, in the cells. */
int32_t adr_coll_ask(adr_coll *coll, int32_t status, const uint8_t *memory, int64_t source, int64_t target,
                     int64_t position, int64_t length);

/* All moves are made: the collective ends. */
int32_t adr_coll_ends(adr_coll *coll);

void adr_coll_wake(const adr_coll *coll, uint32_t member);
void adr_coll_wake_all(const adr_coll *coll);

/* Through cells. */
void adr_cells_begin(adr_coll *coll, int64_t unit);
int32_t adr_cells_advance(adr_coll *coll);
