#include "coll/adr_slot_agreement.h"

enum { SEQUENCE_SHIFT = 32, SHRUNK_SHIFT = 52, SEQUENCES = 1 << 30, SHRINKS = (1 << (64 - SHRUNK_SHIFT)) - 1 };

#define SHRINK (UINT64_C(1) << 63)
#define FLAGS UINT64_C(0xffffffff)

static void come(struct adr_slot_agreement *agreement, uint64_t word) {
  agreement->sequence = agreement->sequence % SEQUENCES + 1; /* never 0, which is what there is before the first */
  agreement->own = false;
  adr_slot_say(&agreement->slot, word | (uint64_t)agreement->sequence << SEQUENCE_SHIFT);
}

void adr_slot_agreement_begin_flags(struct adr_slot_agreement *agreement, uint32_t flags) {
  agreement->proposes = false;
  come(agreement, flags);
}

void adr_slot_agreement_begin_proposal(struct adr_slot_agreement *agreement) {
  agreement->proposes = true;
  agreement->shrink =
      (uint32_t)(adr_slot_decided(&agreement->slot, true) >> SHRUNK_SHIFT) % SHRINKS + 1; /* never 0, as sequence */
  come(agreement, SHRINK);
}

static uint64_t number_of(uint64_t word) { return (word & ~SHRINK) >> SEQUENCE_SHIFT; }

static bool has_come(const struct adr_slot_agreement *agreement, uint64_t word) {
  return number_of(word) == agreement->sequence;
}

bool adr_slot_agreement_has_come(const struct adr_slot_agreement *agreement, uint32_t member) {
  return has_come(agreement, adr_slot_said(&agreement->slot, member));
}

static bool is_of_now(const struct adr_slot_agreement *agreement, uint64_t decided) {
  return agreement->proposes ? decided >> SHRUNK_SHIFT == agreement->shrink
                             : decided >> SEQUENCE_SHIFT == agreement->sequence;
}

/* Whether a member calls what does not belong to this one: the other of the two, or one that is later. */
static bool is_of_another(const struct adr_slot_agreement *agreement, uint64_t word) {
  const uint64_t ahead = (number_of(word) - agreement->sequence) & (SEQUENCES - 1);
  if (ahead == 0) { return ((word & SHRINK) != 0) != agreement->proposes; }
  return number_of(word) != 0 && ahead < SEQUENCES / 2;
}

static enum adr_agreement_look look_at_all(struct adr_slot_agreement *agreement,
                                           bool (*gone)(void *caller, uint32_t member), void *caller) {
  const struct adr_slot_view *slot = &agreement->slot;
  enum adr_agreement_look found = ADR_AGREEMENT_UNDECIDED;
  for (uint32_t member = 0; member < slot->ranks; member++) {
    const uint64_t word = adr_slot_said(slot, member);
    /* A member that is at a later one has read the decision of this one, or was refused. */
    if (is_of_another(agreement, word) && !is_of_now(agreement, adr_slot_decided(slot, agreement->proposes))) {
      agreement->other = member;
      return ADR_AGREEMENT_MISMATCH;
    }
    if (found == ADR_AGREEMENT_UNDECIDED && !has_come(agreement, word)
        && adr_slot_state(slot, member) != ADR_MEMBER_CLOSED && !gone(caller, member)) {
      agreement->other = member;
      found = ADR_AGREEMENT_AWAITED;
    }
  }
  return found;
}

static uint64_t flags_of_all(const struct adr_slot_agreement *agreement) {
  uint64_t all = FLAGS;
  for (uint32_t member = 0; member < agreement->slot.ranks; member++) {
    const uint64_t word = adr_slot_said(&agreement->slot, member);
    if (has_come(agreement, word)) { all &= word; }
  }
  return all;
}

static bool decide(struct adr_slot_agreement *agreement, uint64_t decision) {
  agreement->own = adr_slot_decide(&agreement->slot, agreement->proposes, agreement->before, decision);
  agreement->before = agreement->own ? decision : adr_slot_decided(&agreement->slot, agreement->proposes);
  return agreement->own;
}

enum adr_agreement_look adr_slot_agreement_look(struct adr_slot_agreement *agreement,
                                                bool (*gone)(void *caller, uint32_t member), void *caller) {
  agreement->before = adr_slot_decided(&agreement->slot, agreement->proposes);
  if (is_of_now(agreement, agreement->before)) { return ADR_AGREEMENT_DECIDED; }
  const enum adr_agreement_look found = look_at_all(agreement, gone, caller);
  if (found != ADR_AGREEMENT_UNDECIDED || agreement->proposes) { return found; }
  decide(agreement, (uint64_t)agreement->sequence << SEQUENCE_SHIFT | flags_of_all(agreement));
  return ADR_AGREEMENT_DECIDED;
}

bool adr_slot_agreement_propose(struct adr_slot_agreement *agreement, uint64_t proposal) {
  return decide(agreement, (uint64_t)agreement->shrink << SHRUNK_SHIFT | proposal);
}

uint64_t adr_slot_agreement_decision(const struct adr_slot_agreement *agreement) {
  return agreement->before & (agreement->proposes ? ADR_AGREEMENT_PROPOSAL : FLAGS);
}
