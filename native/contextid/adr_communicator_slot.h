/* The slot of one communicator, as it is mapped here: of its members' parts only which members are there. Twin of
 * io.adrastea.contextid.CommunicatorSlot. */
#pragma once

#include "base/adr_stop.h"
#include "layout/adr_layout.h"

struct adr_origin;

struct adr_communicator_slot {
  int32_t id;      /* number and generation of the communicator */
  uint32_t owner;  /* local rank of the member that has made it, whose memory it is */
  uint64_t offset; /* in the segment's file */
  struct adr_slot *memory;
  uint32_t ranks;            /* members */
  void *stages;              /* what this rank has allocated for longer data; NULL: nothing */
  void *kept[2];             /* what else it has allocated for the members; NULL: nothing */
  uint32_t kept_region;      /* index plus 1 of a region that a member has added for all; 0: none, or not this one's */
  uint32_t kept_region_of;   /* local rank of that member: this one, or one that was gone when this one closed it */
  struct adr_origin *origin; /* what it was made out of; NULL: nothing that tells of members that give up */
  bool settled;              /* each member is in or out, as far as this rank knows */
};

static inline const uint32_t *adr_communicator_slot_local_ranks(const struct adr_communicator_slot *slot) {
  return (const uint32_t *)(slot->memory + 1);
}

static inline struct adr_slot_member *adr_communicator_slot_member(const struct adr_communicator_slot *slot,
                                                                   uint32_t member) {
  struct adr_slot_member *members = (void *)((uint8_t *)slot->memory + adr_slot_members_offset(slot->ranks));
  return &members[member];
}

/* A member comes in. Returns whether it may: it is kept out once the owner has given up. */
static inline bool adr_communicator_slot_enter(const struct adr_communicator_slot *slot, uint32_t member) {
  /* SYNC member-presence: acq_rel; either we come in, or the rank that keeps us out was before us. */
  return adr_cas_acq_rel_u32(&adr_communicator_slot_member(slot, member)->presence, ADR_PRESENCE_NONE, ADR_PRESENCE_IN);
}

/* The owner has given up, or is gone: keeps those out that have not come in, which may never hear of the slot. */
void adr_communicator_slot_bar(const struct adr_communicator_slot *slot);

/* Keeps those members out that have given up the making: nobody waits for them any more. To be called while this rank
 * is in, or has the slot's memory for itself, every now and then until adr_communicator_slot_is_settled. */
void adr_communicator_slot_settle(struct adr_communicator_slot *slot);

/* Whether each member has come in, or never comes. */
static inline bool adr_communicator_slot_is_settled(const struct adr_communicator_slot *slot) {
  return slot->settled || slot->origin == NULL;
}

/* A member gives up the making of a communicator out of this one, and makes no more: nobody is to wait for it. */
void adr_communicator_slot_decline(const struct adr_communicator_slot *slot, uint32_t member);

/* Whether a member makes no communicators out of this one any more. */
bool adr_communicator_slot_has_declined(const struct adr_communicator_slot *slot, uint32_t member);

/* Whether a member can make no communicator out of this one any more, as far as it has said so. One that has not come
 * in here, and has given up that, has not said it here. */
bool adr_communicator_slot_makes_no_more(const struct adr_communicator_slot *slot, uint32_t member);

/* Whether a member has neither come in, nor is kept out. */
bool adr_communicator_slot_has_not_come(const struct adr_communicator_slot *slot, uint32_t member);

/* Whether each member has come in, or is kept out. */
bool adr_communicator_slot_have_all_come(const struct adr_communicator_slot *slot);

/* A member, which has said that it has closed the communicator, does nothing in the slot any more but look. */
static inline void adr_communicator_slot_close(const struct adr_communicator_slot *slot, uint32_t member) {
  struct adr_slot_member *own = adr_communicator_slot_member(slot, member);
  /* SYNC member-presence: acq_rel, pairs with adr_communicator_slot_is_over: a member that has looked at us before, and
   * found us in, has said before that it is out, which we see when we look. */
  adr_swap_acq_rel_u32(&own->presence, ADR_PRESENCE_OUT);
}

/* Whether each member has closed the communicator or is gone. */
static inline bool adr_communicator_slot_is_over(const struct adr_communicator_slot *slot, const void *base,
                                                 bool (*is_gone)(const void *base, uint32_t rank)) {
  for (uint32_t member = 0; member < slot->ranks; member++) {
    /* SYNC member-presence: acq_rel, pairs with adr_communicator_slot_close; a read-modify-write, though nothing is
     * changed: a member that closes after it sees that we are out. */
    uint32_t presence = adr_or_acq_rel_u32(&adr_communicator_slot_member(slot, member)->presence, 0);
    if (presence != ADR_PRESENCE_OUT
        && !is_gone(base, adr_load_once_u32(&adr_communicator_slot_local_ranks(slot)[member]))) {
      return false;
    }
  }
  return true;
}
