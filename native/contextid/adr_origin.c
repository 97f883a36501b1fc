#include "contextid/adr_origin.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 64 }; /* communicators that were made one out of the other */

/* Forgets what a parent was made out of. */
static void forget(struct adr_origin *origin) {
  adr_origin_release(origin->parent.origin);
  origin->parent.origin = NULL;
}

/* Forgets what the farthest one was made out of that all have come in to. */
static void forget_old(struct adr_origin *origin) {
  struct adr_origin *farther = origin;
  uint32_t steps = 0;
  while (farther->parent.origin != NULL && !adr_communicator_slot_have_all_come(&farther->parent)) {
    farther = farther->parent.origin;
    steps++;
  }
  forget(farther);
  origin->depth = steps;
  origin->most_depth = 2 * steps < FEW ? FEW : 2 * steps;
}

struct adr_origin *adr_origin_of(const struct adr_communicator_slot *parent, const uint32_t *local_ranks) {
  struct adr_origin *origin = malloc(sizeof *origin + parent->ranks * sizeof *local_ranks);
  if (origin == NULL) { return NULL; }
  origin->users = 1;
  origin->parent = *parent;
  origin->members = parent->ranks;
  memcpy(origin->local_ranks, local_ranks, parent->ranks * sizeof *local_ranks);
  adr_origin_use(parent->origin);
  origin->depth = 0;
  origin->most_depth = FEW;
  if (parent->origin == NULL) { return origin; }
  origin->depth = parent->origin->depth + 1;
  origin->most_depth = parent->origin->most_depth;
  if (parent->settled || adr_communicator_slot_have_all_come(parent)) {
    forget(origin);
    origin->depth = 0;
  } else if (origin->depth >= origin->most_depth) {
    forget_old(origin);
  }
  return origin;
}

void adr_origin_use(struct adr_origin *origin) {
  if (origin != NULL) { origin->users++; }
}

void adr_origin_release(struct adr_origin *origin) {
  while (origin != NULL && --origin->users == 0) {
    struct adr_origin *before = origin->parent.origin;
    free(origin);
    origin = before;
  }
}

/* The number of a rank among the members; their count where it is not among them. */
static uint32_t member_of(const struct adr_origin *origin, uint32_t local_rank) {
  uint32_t member = 0;
  while (member < origin->members && origin->local_ranks[member] != local_rank) { member++; }
  return member;
}

static bool has_not_come(const struct adr_origin *origin, uint32_t local_rank) {
  const uint32_t member = member_of(origin, local_rank);
  return member < origin->members && adr_communicator_slot_has_not_come(&origin->parent, member);
}

static bool makes_no_more(const struct adr_origin *origin, uint32_t local_rank) {
  const uint32_t member = member_of(origin, local_rank);
  return member < origin->members && adr_communicator_slot_makes_no_more(&origin->parent, member);
}

bool adr_origin_has_given_up(const struct adr_origin *origin, uint32_t local_rank) {
  const struct adr_origin *below = NULL;
  while (origin != NULL) {
    if (makes_no_more(origin, local_rank)) {
      /* It may have come in below, in the meantime, before it has given up here. */
      return below == NULL || has_not_come(below, local_rank);
    }
    below = origin;
    origin = has_not_come(origin, local_rank) ? origin->parent.origin : NULL;
  }
  return false;
}
