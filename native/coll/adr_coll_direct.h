/* A member's moves straight from the others' memory, where all can reach it. */
#pragma once

#include "coll/adr_coll.h"

/* A part of a buffer. */
struct adr_stretch {
  int64_t at;
  int64_t bytes;
};

/* Blocks of an exchange are brought, one after the other. */
static inline void adr_direct_begin_blocks(struct adr_collective *coll) { coll->direct.position = 0; }

/* Whether all of such a block is there; then the next one begins. */
static inline bool adr_direct_has_fetched(struct adr_collective *coll, int64_t bytes) {
  const bool all = coll->direct.position >= bytes;
  if (all) { coll->direct.position = 0; }
  return all;
}

/* Brings the next bytes of a block of a member's input, which is shared, to the output: NEXT, also when more are left
 * (`position`), or what is to be done first. adr_direct_has_fetched is asked after each. */
int32_t adr_direct_fetch_block(struct adr_collective *coll, uint32_t member, int64_t from, int64_t out, int64_t bytes);

/* Brings the next bytes of a block of the input to a member's output, which has been told of: NEXT, also when more are
 * left (`position`), what is to be done first, or BROKEN. */
int32_t adr_direct_put_block(struct adr_collective *coll, uint32_t member, int64_t from, int64_t to, int64_t bytes);

/* Whether what was read of a member is what it gave: NEXT, or BROKEN. */
int32_t adr_direct_trust_block(struct adr_collective *coll, uint32_t member);

/* Every member's line was read: whether all can reach what they need. */
bool adr_direct_is_possible(struct adr_collective *coll);

int32_t adr_direct_advance(struct adr_collective *coll);

/* Where in this member's input, or output, another one may have it copy. */
struct adr_stretch adr_direct_stretch(const struct adr_collective *coll, bool is_input);
