/* What a member's moves through stages have: of all its collectives, and of one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
  /* So many collectives later memory is written again: to write over what others have just read takes longer. */
  ADR_COLL_QUARTERS = 4,
  ADR_COLL_QUARTER = 90112, /* holds 64 KiB, and the part of it that one of three members or more combines */
  ADR_COLL_STAGE = ADR_COLL_QUARTERS * ADR_COLL_QUARTER, /* of one member */
  ADR_COLL_BCAST_BUFFERS = 8,
  ADR_COLL_BCAST_BUFFER = 8192, /* smaller, so that the others can follow a root closely */
  ADR_COLL_GATHER_BUFFERS = 4,
  ADR_COLL_GATHER_BUFFER = 16384,
  ADR_COLL_OPERANDS = 4, /* that each combines all of; behind them in the quarter lies what it has combined */
  ADR_COLL_OPERAND = 16384,
  ADR_COLL_LEAST_PART = 256,       /* of an allreduce: few members do not wait for many */
  ADR_COLL_COMBINED_BY_ALL = 2048, /* up to so many bytes: cheaper than to wait for each other once more */
  ADR_COLL_MOST_UNIT = 8192,       /* elements can be no longer */
  ADR_COLL_PREPARED = 2048,        /* up to so many bytes lines are fetched ahead: as many as a CPU fetches at once */
};

/* The members' stages as this member has them, beyond one collective. Quarters are given in turn to the collectives
 * that may go through stages, when they begin, whether they need them in the end or not: so all members give the same
 * quarter to the same collective, in whichever order they go on with them. */
struct adr_stages {
  int64_t users[ADR_COLL_QUARTERS]; /* the last collective that a quarter was given to */
  uint8_t *memory;                  /* of all stages; NULL: not given yet */
  int64_t count;                    /* collectives that a quarter was given to */
};

/* In one collective. Reductions, and moves straight from memory, go by the unit, the quarter and the memory, too. */
struct adr_stage_moves {
  uint8_t *memory; /* of all stages, once the quarter is ready */
  bool ready;      /* the quarter is free for this one */
  uint32_t quarter;
  int64_t before; /* the collective that this quarter was given to before */
  int64_t round;
  int64_t filled;       /* rounds whose buffer of ours is filled */
  int64_t buffer_bytes; /* of a round's buffer */
  int64_t buffers;      /* of a quarter */
  uint32_t phase;       /* of a round */
  uint32_t at;          /* member that is looked at next */
  int64_t unit;         /* bytes of an element */
  int64_t room;         /* bytes of each member that go in a round */
  uint32_t owners;      /* members that combine a part; 0: each combines all */
  int64_t folded_at;    /* where in the stages lies what was combined so far; below zero: in the caller's output */
  bool seen;            /* what that member has to have done is done */
};
