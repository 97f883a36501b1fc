/* Which way a collective takes: one function of what all members know, so that all take the same. Twin of
 * io.adrastea.coll.Choice; tests/coll/choices.golden has what both choose. */
#pragma once

#include <stdint.h>

#include "adrastea/coll.h"
#include "layout/adr_layout_slot.h"

enum {
  ADR_COLL_LINES_ALL = 1,    /* every member posts a line, and every member reads all lines */
  ADR_COLL_LINES_ROOT = 2,   /* every member posts a line; the lowest reads all, the others what it has made of them */
  ADR_COLL_LINES_BCAST = 3,  /* the root posts a line, and the others read that one */
  ADR_COLL_LINES_NEEDED = 4, /* every member posts a line, and reads those of which it needs what they carry */
  ADR_COLL_STAGES = 5,       /* through the members' stages, in rounds; of an allreduce each member combines a part */
  ADR_COLL_DIRECT = 6,       /* where all members can reach it, straight from the others' memory; else through stages */
};

/* Ways of an exchange, of each giver for itself. */
enum {
  ADR_COLL_GIVER_LINE = 7,   /* its blocks are in its line */
  ADR_COLL_GIVER_STAGE = 8,  /* through its stage, in rounds */
  ADR_COLL_GIVER_DIRECT = 9, /* straight from its memory where its readers reach that, else through its stage */
};

/* As many lines as a member reads while it would wait for the lowest to have read as many. */
enum { ADR_COLL_MOST_LINES = 16 };

/* Bytes from which on one copy is cheaper than two through stages. It begins when all have told of their memory: more
 * than two members, which may share CPUs, wait longer for that. */
enum {
  ADR_COLL_DIRECT_FROM = 262144, /* of a reduce_scatter all parts together */
  ADR_COLL_DIRECT_OF_TWO = 65536,
  ADR_COLL_DIRECT_ALLGATHER = 32768,
  ADR_COLL_DIRECT_EXCHANGE = 32768,
  ADR_COLL_DIRECT_BY_SYSTEM = 131072, /* of an exchange: two copies through stages in caches take no longer */
  ADR_COLL_DIRECT_EARLY = 4096,       /* where a setting says so: fewer bytes than a page gain by it nowhere */
};

/* The limit of the slot's choices in the place of one that is learnt or set here. */
static inline int64_t adr_coll_limit(int64_t bytes, uint32_t choices) {
  if ((choices & ADR_SLOT_STAGES_ALONE) != 0) { return INT64_MAX; }
  return (choices & ADR_SLOT_DIRECT_EARLY) != 0 ? ADR_COLL_DIRECT_EARLY : bytes;
}

static inline int64_t adr_coll_least_direct(int32_t kind, uint32_t ranks, uint32_t choices) {
  switch (kind) {
  case ADR_COLL_BCAST:
  case ADR_COLL_ALLREDUCE:
  case ADR_COLL_REDUCE:
  case ADR_COLL_REDUCE_SCATTER:
    return adr_coll_limit(ranks == 2 ? ADR_COLL_DIRECT_OF_TWO : ADR_COLL_DIRECT_FROM, choices);
  case ADR_COLL_EXSCAN: /* of more than two, each has another result */
    return ranks == 2 ? adr_coll_limit(ADR_COLL_DIRECT_OF_TWO, choices) : INT64_MAX;
  case ADR_COLL_ALLGATHER:
    return adr_coll_limit(ADR_COLL_DIRECT_ALLGATHER, choices);
  default:
    return INT64_MAX;
  }
}

/* Whether each member gives a block of bytes to each that reads it. */
static inline int adr_coll_is_exchange(int32_t kind) { return kind >= ADR_COLL_GATHER && kind <= ADR_COLL_ALLGATHERV; }

/* Whether a giver in an exchange has another block for each reader. */
static inline int adr_coll_has_several_blocks(int32_t kind) {
  return kind == ADR_COLL_SCATTER || kind == ADR_COLL_ALLTOALL;
}

/* The way of what one member gives in an exchange: a block for each, or one for all. */
static inline int32_t adr_coll_choice_of_giver(int32_t kind, uint32_t ranks, int64_t bytes, int by_parts,
                                               uint32_t choices) {
  const int several = adr_coll_has_several_blocks(kind);
  const int64_t in_line = !several ? bytes : by_parts ? bytes + ranks : bytes * ranks; /* a length of each part */
  if (in_line <= (int64_t)ADR_SLOT_PAYLOAD) { return ADR_COLL_GIVER_LINE; }
  const int64_t block = several && by_parts ? bytes / ranks : bytes;
  const int64_t least = adr_coll_limit(ADR_COLL_DIRECT_EXCHANGE, choices);
  return ranks > 1 && block >= least ? ADR_COLL_GIVER_DIRECT : ADR_COLL_GIVER_STAGE;
}

/* Bytes of a block from which on one copy by the system is cheaper than two through stages. With many blocks a round
 * takes little of each, and each round waits for all readers; in an alltoall of two both members write at once. */
static inline int64_t adr_coll_least_by_system(int32_t kind, uint32_t ranks, uint32_t choices) {
  const int early = kind == ADR_COLL_ALLTOALL || (kind == ADR_COLL_SCATTER && ranks > 2);
  return adr_coll_limit(early ? ADR_COLL_DIRECT_EXCHANGE : ADR_COLL_DIRECT_BY_SYSTEM, choices);
}

/* `bytes`: of each member's part; `choices`: of the slot. */
static inline int32_t adr_coll_choice(int32_t kind, uint32_t ranks, int64_t bytes, uint32_t choices) {
  if (adr_coll_is_exchange(kind)) { return adr_coll_choice_of_giver(kind, ranks, bytes, 0, choices); }
  const int checked = (choices & ADR_SLOT_CHECKED) != 0;
  if (bytes > (int64_t)ADR_SLOT_PAYLOAD) {
    return ranks > 1 && bytes >= adr_coll_least_direct(kind, ranks, choices) ? ADR_COLL_DIRECT : ADR_COLL_STAGES;
  }
  if (kind == ADR_COLL_BCAST) { return checked ? ADR_COLL_LINES_ALL : ADR_COLL_LINES_BCAST; }
  if (kind >= ADR_COLL_REDUCE && kind <= ADR_COLL_EXSCAN) {
    return checked ? ADR_COLL_LINES_ALL : ADR_COLL_LINES_NEEDED;
  }
  return kind == ADR_COLL_ALLGATHER || ranks <= ADR_COLL_MOST_LINES || checked ? ADR_COLL_LINES_ALL
                                                                               : ADR_COLL_LINES_ROOT;
}
