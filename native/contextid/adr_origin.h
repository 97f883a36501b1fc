/* A communicator that another one was made out of, by its collectives, as the members of the new one see it: it tells
 * of a member that has not come in whether it has given up. What it says may be old, and the member may come in all the
 * same: whoever keeps it out finds that by the CAS. Twin of io.adrastea.contextid.Origin. Private to its rank, which
 * has one thread here. */
#pragma once

#include "contextid/adr_communicator_slot.h"

struct adr_origin {
  uint32_t users;                      /* communicators and slots that refer to it */
  struct adr_communicator_slot parent; /* as it was when the other was made */
  uint32_t members;
  uint32_t local_ranks[]; /* of the parent's members, in their order */
};

/* The part of a parent in the making, with one user. NULL: there is no memory. */
struct adr_origin *adr_origin_of(const struct adr_communicator_slot *parent, const uint32_t *local_ranks);

/* Adds a user. NULL is allowed, here and below. */
void adr_origin_use(struct adr_origin *origin);

/* Takes a user away; without one it is freed. */
void adr_origin_release(struct adr_origin *origin);

/* Whether a rank is a member, and makes no communicator out of this one any more. */
bool adr_origin_has_given_up(const struct adr_origin *origin, uint32_t local_rank);
