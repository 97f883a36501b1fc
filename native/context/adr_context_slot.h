/* The slot of one communicator, as it is mapped here: of its members' parts only who is there. Twin of
 * io.adrastea.context.ContextSlot. */
#pragma once

#include "base/adr_stop.h"
#include "layout/adr_layout.h"

struct adr_context_slot {
  int32_t id;      /* number and generation of the communicator */
  uint32_t owner;  /* local rank of the member that has made it, whose memory it is */
  uint64_t offset; /* in the segment's file */
  struct adr_slot *memory;
  uint32_t ranks; /* members */
  void *cells;    /* what this rank has allocated for longer data; NULL: nothing */
};

static inline const uint32_t *adr_context_slot_local_ranks(const struct adr_context_slot *slot) {
  return (const uint32_t *)(slot->memory + 1);
}

static inline struct adr_slot_member *adr_context_slot_member(const struct adr_context_slot *slot, uint32_t member) {
  struct adr_slot_member *members = (void *)((uint8_t *)slot->memory + adr_slot_members_offset(slot->ranks));
  return &members[member];
}

/* A member comes in. Returns whether it may: it is kept out once the owner has given up. */
static inline bool adr_context_slot_enter(const struct adr_context_slot *slot, uint32_t member) {
  /* SYNC context-over: acq_rel; either we come in, or whoever keeps us out was before us. */
  return adr_cas_acq_rel_u32(&adr_context_slot_member(slot, member)->presence, ADR_PRESENCE_NONE, ADR_PRESENCE_IN);
}

/* The owner has given up, or is gone: keeps those out that have not come in, who may never hear of the slot. */
static inline void adr_context_slot_bar(const struct adr_context_slot *slot) {
  for (uint32_t member = 0; member < slot->ranks; member++) {
    /* SYNC context-over: acq_rel, pairs with adr_context_slot_enter. */
    adr_cas_acq_rel_u32(&adr_context_slot_member(slot, member)->presence, ADR_PRESENCE_NONE, ADR_PRESENCE_OUT);
  }
}

/* A member, which has said that it has closed the communicator, does nothing in the slot any more but look. */
static inline void adr_context_slot_close(const struct adr_context_slot *slot, uint32_t member) {
  struct adr_slot_member *own = adr_context_slot_member(slot, member);
  /* SYNC context-over: acq_rel, pairs with adr_context_slot_is_over: whoever has looked at us before, and found us in,
   * has said before that it is out, which we see when we look. */
  adr_swap_acq_rel_u32(&own->presence, ADR_PRESENCE_OUT);
}

/* Whether each member has closed the communicator or is gone. */
static inline bool adr_context_slot_is_over(const struct adr_context_slot *slot, const void *base,
                                            bool (*is_gone)(const void *base, uint32_t rank)) {
  for (uint32_t member = 0; member < slot->ranks; member++) {
    /* SYNC context-over: acq_rel, pairs with adr_context_slot_close; a read-modify-write, though nothing is changed: a
     * member that closes after it sees that we are out. */
    uint32_t presence = adr_or_acq_rel_u32(&adr_context_slot_member(slot, member)->presence, 0);
    if (presence != ADR_PRESENCE_OUT
        && !is_gone(base, adr_load_once_u32(&adr_context_slot_local_ranks(slot)[member]))) {
      return false;
    }
  }
  return true;
}
