#include "contextid/adr_communicator_slot.h"

#include "contextid/adr_origin.h"

static uint32_t presence_of(const struct adr_communicator_slot *slot, uint32_t member) {
  /* SYNC member-presence: acq_rel, as of adr_communicator_slot_is_over: what stands there last. */
  return adr_or_acq_rel_u32(&adr_communicator_slot_member(slot, member)->presence, 0);
}

static bool becomes(const struct adr_communicator_slot *slot, uint32_t member, uint32_t before, uint32_t after) {
  /* SYNC member-presence: acq_rel, pairs with adr_communicator_slot_enter, and with the look of a member that waits for
   * one that does not come any more. */
  return adr_cas_acq_rel_u32(&adr_communicator_slot_member(slot, member)->presence, before, after);
}

/* Keeps a member out that has not come in: to all others it is as one that has closed the communicator. */
static void keep_out(const struct adr_communicator_slot *slot, uint32_t member) {
  becomes(slot, member, ADR_PRESENCE_NONE, ADR_PRESENCE_OUT);
  if (presence_of(slot, member) == ADR_PRESENCE_OUT) {
    /* SYNC member-state: release, as of adr_slot_set_state. A member that has closed has said so before; one that is
     * kept out says nothing here any more, and it does not matter how many say it in its place. */
    adr_store_release_u32(&adr_communicator_slot_member(slot, member)->state, ADR_MEMBER_CLOSED);
  }
}

void adr_communicator_slot_bar(const struct adr_communicator_slot *slot) {
  for (uint32_t member = 0; member < slot->ranks; member++) { keep_out(slot, member); }
}

static bool has_given_up(const struct adr_communicator_slot *slot, uint32_t local_rank) {
  return slot->origin != NULL && adr_origin_has_given_up(slot->origin, local_rank);
}

void adr_communicator_slot_settle(struct adr_communicator_slot *slot) {
  if (adr_communicator_slot_is_settled(slot)) { return; }
  bool all = true;
  for (uint32_t member = 0; member < slot->ranks; member++) {
    const uint32_t presence = presence_of(slot, member);
    const uint32_t local_rank = adr_load_once_u32(&adr_communicator_slot_local_ranks(slot)[member]);
    if (presence == ADR_PRESENCE_OUT || (presence == ADR_PRESENCE_NONE && has_given_up(slot, local_rank))) {
      keep_out(slot, member);
    } else if (presence == ADR_PRESENCE_NONE) {
      all = false;
    }
  }
  slot->settled = all;
}

void adr_communicator_slot_decline(const struct adr_communicator_slot *slot, uint32_t member) {
  if (!becomes(slot, member, ADR_PRESENCE_IN, ADR_PRESENCE_DECLINED)) {
    /* The world's slot, in which nobody comes in; a member that has closed the communicator stays out. */
    becomes(slot, member, ADR_PRESENCE_NONE, ADR_PRESENCE_DECLINED);
  }
}

bool adr_communicator_slot_has_declined(const struct adr_communicator_slot *slot, uint32_t member) {
  return presence_of(slot, member) == ADR_PRESENCE_DECLINED;
}

static bool is_of_this(const struct adr_communicator_slot *slot) {
  return adr_load_once_u32(&slot->memory->context_id) == (uint32_t)slot->id;
}

bool adr_communicator_slot_has_not_come(const struct adr_communicator_slot *slot, uint32_t member) {
  const uint32_t presence = presence_of(slot, member);
  /* Last: the memory may belong to another communicator by now, which all members of this one have come to before. */
  return presence == ADR_PRESENCE_NONE && is_of_this(slot);
}

bool adr_communicator_slot_have_all_come(const struct adr_communicator_slot *slot) {
  for (uint32_t member = 0; member < slot->ranks; member++) {
    if (adr_communicator_slot_has_not_come(slot, member)) { return false; }
  }
  return true;
}

bool adr_communicator_slot_makes_no_more(const struct adr_communicator_slot *slot, uint32_t member) {
  const uint32_t presence = presence_of(slot, member);
  /* SYNC member-state: acquire, as of adr_slot_state. */
  const uint32_t state = adr_load_acquire_u32(&adr_communicator_slot_member(slot, member)->state);
  /* SYNC slot-revoked: acquire, as of adr_slot_is_revoked. */
  const bool revoked = adr_load_acquire_u32(&slot->memory->revoked) != 0;
  /* Last: when the memory belongs to another communicator by now, nothing of that was believed to be of this one, all
   * members of which have closed it, or are gone. */
  return !is_of_this(slot) || revoked || presence == ADR_PRESENCE_OUT || presence == ADR_PRESENCE_DECLINED
         || state != ADR_MEMBER_OPEN;
}
