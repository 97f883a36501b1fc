#include "contextid/adr_origin.h"

#include <stdlib.h>
#include <string.h>

struct adr_origin *adr_origin_of(const struct adr_communicator_slot *parent, const uint32_t *local_ranks) {
  struct adr_origin *origin = malloc(sizeof *origin + parent->ranks * sizeof *local_ranks);
  if (origin == NULL) { return NULL; }
  origin->users = 1;
  origin->parent = *parent;
  origin->members = parent->ranks;
  memcpy(origin->local_ranks, local_ranks, parent->ranks * sizeof *local_ranks);
  adr_origin_use(parent->origin);
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

bool adr_origin_has_given_up(const struct adr_origin *origin, uint32_t local_rank) {
  uint32_t member = 0;
  while (member < origin->members && origin->local_ranks[member] != local_rank) { member++; }
  return member < origin->members && adr_communicator_slot_makes_no_more(&origin->parent, member, local_rank);
}
