/* A communicator that another one was made out of, by its collectives, as the members of the new one see it: it tells
 * of a member that has not come in whether it has given up. What it says may be old, and the member may come in all the
 * same: whoever keeps it out finds that by the CAS. Twin of io.adrastea.contextid.Origin. Private to its rank, which
 * has one thread here. */
#pragma once

#include "contextid/adr_communicator_slot.h"

struct adr_origin {
  uint32_t users;                      /* communicators and slots that refer to it */
  uint32_t depth;                      /* so many were made one out of the other, as far as they are remembered */
  uint32_t most_depth;                 /* from which on those are looked for that nothing is to be remembered of */
  struct adr_communicator_slot parent; /* as it was when the other was made */
  uint32_t members;
  uint32_t local_ranks[]; /* of the parent's members, in their order */
};

/* The part of a parent in the making, with one user. What the parent was made out of is forgotten once that tells
 * nothing any more, since each member has come in. Where one of them is late, that is looked for farther up from time
 * to time: so a chain of communicators whose parents are closed takes no more memory than ranks are behind each
 * other. NULL: there is no memory. */
struct adr_origin *adr_origin_of(const struct adr_communicator_slot *parent, const uint32_t *local_ranks);

/* Adds a user. NULL is allowed, here and below. */
void adr_origin_use(struct adr_origin *origin);

/* Takes a user away; without one it is freed. */
void adr_origin_release(struct adr_origin *origin);

/* Whether a member that has not come in never does, as what the communicator was made out of tells. It may have given
 * up one of those without having come in to those made out of that. */
bool adr_origin_has_given_up(const struct adr_origin *origin, uint32_t local_rank);
