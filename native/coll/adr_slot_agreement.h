/* One member's side of the agreements of a communicator [ULFM], a look at a time: nothing waits here, and the caller is
 * asked which members are gone. Twin of io.adrastea.coll.SlotAgreement.
 *
 * Each member writes what it has to say into its part of the slot. A member that sees that every member has, or has
 * closed the communicator, or is gone, makes a decision of what there is, and stores it by a CAS over the decision
 * before: so there is one, however differently members saw which are gone, and it stays when its maker dies. It stays
 * until all that live are in the next agreement, so nobody misses it.
 *
 * What is agreed on are flags, each set where all members have set it that came; or what the first member that lives
 * proposes. */
#pragma once

#include "coll/adr_slot.h"

/* What a look finds. */
enum adr_agreement_look {
  ADR_AGREEMENT_DECIDED,   /* the decision is there */
  ADR_AGREEMENT_AWAITED,   /* member `other` has not come */
  ADR_AGREEMENT_MISMATCH,  /* member `other` calls another agreement than this one */
  ADR_AGREEMENT_UNDECIDED, /* all have come, or are gone: the first member that lives is to propose */
};

#define ADR_AGREEMENT_PROPOSAL ((UINT64_C(1) << 52) - 1) /* bits of what can be proposed */

struct adr_slot_agreement {
  struct adr_slot_view slot;
  uint32_t sequence; /* of the last agreement */
  uint32_t shrink;   /* number of the shrink: the one behind that of the decision before */
  bool proposes;     /* it is one of the members' proposals; else of their flags */
  bool own;          /* this member has made the decision, so that others may sleep for it */
  uint64_t before;   /* the decision that a look has found: of the agreement before, or of this one */
  uint32_t other;    /* the member that the last look was about */
};

/* Says that this member has come, with its flags. */
void adr_slot_agreement_begin_flags(struct adr_slot_agreement *agreement, uint32_t flags);

/* Says that this member has come, and proposes if it is the first. */
void adr_slot_agreement_begin_proposal(struct adr_slot_agreement *agreement);

/* Whether a member has come to this agreement. */
bool adr_slot_agreement_has_come(const struct adr_slot_agreement *agreement, uint32_t member);

/* Looks for the decision, and decides about flags where that can be. `gone`: whether a member never comes, as far as
 * the caller knows. */
enum adr_agreement_look adr_slot_agreement_look(struct adr_slot_agreement *agreement,
                                                bool (*gone)(void *caller, uint32_t member), void *caller);

/* Proposes, where a look has found nothing decided. Returns false: another one was decided meanwhile. */
bool adr_slot_agreement_propose(struct adr_slot_agreement *agreement, uint64_t proposal);

/* What was decided: flags, or a proposal. */
uint64_t adr_slot_agreement_decision(const struct adr_slot_agreement *agreement);
