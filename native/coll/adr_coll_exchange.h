/* A member's moves in an exchange: each member gives a block to each that reads it. */
#pragma once

#include "coll/adr_coll_direct.h"

/* Takes this member's parts, of which a copy is made; NULL: there were none. Returns whether a collective can begin
 * with them, in which this member gives so many bytes. */
bool adr_exchange_allows(struct adr_collective *coll, const int64_t *given, int32_t kind, int32_t root, int32_t element,
                         int64_t bytes);

/* Whether it goes on between two groups, of which the root tells how many members the first one has. */
static inline bool adr_exchange_is_across(int32_t kind, int32_t element) {
  return kind == ADR_COLL_ALLGATHERV && element >= ADR_COLL_FOR_GROUPS;
}

/* Begins; `stays`: this member's own block is where it is to be. */
void adr_exchange_begin(struct adr_collective *coll, bool by_parts, bool stays);

/* Whether this member shows a line: one that only reads another's line need not. */
bool adr_exchange_posts(const struct adr_collective *coll);

/* Whether the caller is to tell of its buffers: others may read this member's where it lies. */
bool adr_exchange_tells_output(const struct adr_collective *coll);
bool adr_exchange_exposes(const struct adr_collective *coll);

/*
 * Whether this member is to have the stages made before it posts its line: it makes those of all, and may end its part
 * here without having seen that others need them.
 */
bool adr_exchange_makes_stages(const struct adr_collective *coll);

/* Where in the input the block lies that goes to all; 0: there is one for each, and readers find theirs. */
int64_t adr_exchange_one_block_at(const struct adr_collective *coll);

/* Whether what this member takes goes over what it gives: nobody can read that where it lies. */
bool adr_exchange_is_over_input(const struct adr_collective *coll);

/* This member's line is about to be posted, and has told of its buffers where it is to. */
void adr_exchange_decide(struct adr_collective *coll);

/* Puts what this member gives into its line, where it fits: NEXT, or FILL. */
int32_t adr_exchange_fill_line(struct adr_collective *coll);

/* Whether nothing is to be waited for but lines, and nothing to be asked of the caller. */
bool adr_exchange_goes_straight(const struct adr_collective *coll);

/* The straight path: blocks of one length, by lines alone, or by what fits one buffer. Whether it was gone to the
 * end; else moves go on. */
bool adr_exchange_go_straight(struct adr_collective *coll, int32_t spins);

int32_t adr_exchange_advance(struct adr_collective *coll);

/* Fetches as adr_stages_fetch_next does. */
void adr_exchange_fetch_next(struct adr_collective *coll);

/* Where in this member's input, or output, another one may have it copy. */
struct adr_stretch adr_exchange_stretch(const struct adr_collective *coll, uint32_t member, bool is_input);
