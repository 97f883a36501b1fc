/* Bytes that a member cannot copy, against what the lines tell. */
#pragma once

#include "coll/adr_coll.h"

/* Whether this member has asked another one to copy, and goes on with that first. */
static inline bool adr_relay_is_under_way(const struct adr_collective *coll) {
  return coll->relay.phase != 0 || coll->relay.copies;
}

int32_t adr_relay_advance(struct adr_collective *coll);

/* Where this member has nothing else to do: AGAIN, or what is to be copied for another one. */
int32_t adr_relay_serve(struct adr_collective *coll);
