/* A slot as one member sees it: where its words lie, and in which order they are read and written. Which members are in
 * it, by the words `presence`, is the business of room `contextid`. Twin of io.adrastea.coll.Slot.
 *
 * Invariants:
 * - A member's part is written by that member alone, `stages` by member 0 alone.
 * - A member writes its line of collective s where that of s - 4 was once every member has said that it has `done`
 *   s - 4: nobody reads the old one any more.
 * - What a line tells stands before its `head`; a result, or what lies in stages, before its `progress`. */
#pragma once

#include "base/adr_atomic.h"
#include "layout/adr_layout_slot.h"

struct adr_slot_view {
  struct adr_slot *slot;
  struct adr_slot_member *members;
  uint32_t ranks;
  uint32_t choices;
  uint32_t self;
};

/* Returns the view of a member whose caller knows how many members there are. */
static inline struct adr_slot_view adr_slot_view_of(struct adr_slot *slot, uint32_t ranks, uint32_t self) {
  return (struct adr_slot_view){.slot = slot,
                                .members = (void *)((uint8_t *)slot + adr_slot_members_offset(ranks)),
                                .ranks = ranks,
                                .choices = adr_load_once_u32(&slot->choices),
                                .self = self};
}

/* Returns a member's line of a collective. */
static inline struct adr_slot_line *adr_slot_line_of(const struct adr_slot_view *view, uint32_t member,
                                                     int64_t sequence) {
  return &view->members[member].lines[(uint32_t)sequence & (ADR_SLOT_LINES - 1)];
}

static inline uint64_t adr_slot_head(const struct adr_slot_view *view, uint32_t member, int64_t sequence) {
  /* SYNC line-head: acquire, pairs with post; orders what the line tells after it, and stages. */
  return adr_load_acquire_u64(&adr_slot_line_of(view, member, sequence)->head);
}

/* To be read once the head is there: what the member calls, and its lag. */
static inline uint64_t adr_slot_what(const struct adr_slot_view *view, uint32_t member, int64_t sequence) {
  return adr_load_once_u64(&adr_slot_line_of(view, member, sequence)->what);
}

/* What a member calls, of `what`. */
static inline uint64_t adr_slot_call(uint64_t what) { return what & ((UINT64_C(1) << ADR_SLOT_STEP_SHIFT) - 1); }

/* Whether a member had taken the first step when it showed its line, of `what`. */
static inline bool adr_slot_tells_step(uint64_t what) { return (what >> ADR_SLOT_STEP_SHIFT & 1) != 0; }

/* How many collectives before this one a member had not done yet when it showed its line, of `what`. */
static inline uint32_t adr_slot_lag(uint64_t what) { return (uint32_t)(what >> ADR_SLOT_LAG_SHIFT); }

/* Shows this member's line; its payload is there and, where `step` is 1, what lies in stages once the first step is
 * taken. */
static inline void adr_slot_post(const struct adr_slot_view *view, int64_t sequence, uint64_t head, uint64_t what,
                                 uint32_t lag, uint32_t step) {
  struct adr_slot_line *line = adr_slot_line_of(view, view->self, sequence);
  line->what = what | (uint64_t)lag << ADR_SLOT_LAG_SHIFT | (uint64_t)step << ADR_SLOT_STEP_SHIFT;
  /* SYNC line-head: release, pairs with the acquire of a member that reads the line; orders payload, what and, behind
   * the first step, stages. */
  adr_store_release_u64(&line->head, head);
}

/* Has this member's line of the next collective back from those that read it: to get it takes as long as the way to the
 * reader, and is begun where nobody waits for it. */
static inline void adr_slot_prepare(const struct adr_slot_view *view, int64_t sequence) {
  adr_prefetch_write(adr_slot_line_of(view, view->self, sequence));
}

/* Prepares progress and result likewise. */
static inline void adr_slot_prepare_progress(const struct adr_slot_view *view, int64_t sequence) {
  adr_prefetch_write(adr_slot_line_of(view, view->self, sequence)->result);
}

static inline uint64_t adr_slot_progress(const struct adr_slot_view *view, uint32_t member, int64_t sequence) {
  /* SYNC line-progress: acquire, pairs with publish; orders result and stages after it. */
  return adr_load_acquire_u64(&adr_slot_line_of(view, member, sequence)->progress);
}

/* Whether a member has taken so many steps of a collective. */
static inline bool adr_slot_has_taken(const struct adr_slot_view *view, uint32_t member, int64_t sequence,
                                      int64_t steps) {
  const uint64_t progress = adr_slot_progress(view, member, sequence);
  return progress >> 32 == (uint32_t)sequence && (int32_t)progress >= steps;
}

/* Says that so many steps of a collective are taken. */
static inline void adr_slot_publish(const struct adr_slot_view *view, int64_t sequence, uint32_t steps) {
  /* SYNC line-progress: release, pairs with the acquire of a member that waits for the step; orders result and stages,
   * and that this member has read what it read for the step. */
  adr_store_release_u64(&adr_slot_line_of(view, view->self, sequence)->progress, (uint64_t)sequence << 32 | steps);
}

static inline int64_t adr_slot_done(const struct adr_slot_view *view, uint32_t member) {
  /* SYNC member-done: acquire, pairs with end; orders our next writes over what that member has read. */
  return (int64_t)adr_load_acquire_u64(&view->members[member].done);
}

/* Says that this member reads nothing of a collective, or of those before, any more. */
static inline void adr_slot_end(const struct adr_slot_view *view, int64_t sequence) {
  /* SYNC member-done: release, pairs with the acquire of a member that writes there next; orders our reads before
   * it. */
  adr_store_release_u64(&view->members[view->self].done, (uint64_t)sequence);
}

static inline uint32_t adr_slot_state(const struct adr_slot_view *view, uint32_t member) {
  /* SYNC member-state: acquire, pairs with set_state; what the member had posted before is there. */
  return adr_load_acquire_u32(&view->members[member].state);
}

static inline void adr_slot_set_state(const struct adr_slot_view *view, uint32_t state) {
  /* SYNC member-state: release, pairs with the acquire of a member that waits for what cannot come; orders all that
   * this member has posted. */
  adr_store_release_u32(&view->members[view->self].state, state);
}

/* After this member has read memory of others where it lies: the first of these members that has broken off, and so may
 * have written over it; as many as there are: none has. One that has closed had broken off before: in order it closes
 * when all have said that they have read. */
static inline uint32_t adr_slot_broken_of(const struct adr_slot_view *view, uint32_t first, uint32_t last) {
  /* SYNC member-left: full fence, pairs with break_off; our reads of its memory come before the look at its state. */
  adr_full_fence();
  for (uint32_t member = first; member <= last; member++) {
    /* SYNC member-left: acquire, as of adr_slot_state. */
    if (adr_load_acquire_u32(&view->members[member].state) != ADR_MEMBER_OPEN) { return member; }
  }
  return view->ranks;
}

/* Says that this member cannot go on. */
static inline void adr_slot_break_off(const struct adr_slot_view *view) {
  /* SYNC member-state, member-left: release, as of set_state. */
  adr_store_release_u32(&view->members[view->self].state, ADR_MEMBER_BROKEN);
  /* SYNC member-left, member-writes: full fence, pairs with broken_of, and with begin_write; what the program writes
   * over its memory comes behind, and so does the look at which members write there. */
  adr_full_fence();
}

/* Through which spaces a member can reach the memory of all others in exchanges, as it has told last; 0: it has not
 * told. It may have lost one since: nothing is read on the strength of it but what a line tells. */
static inline uint32_t adr_slot_spaces(const struct adr_slot_view *view, uint32_t member) {
  /* SYNC member-spaces: acquire, pairs with tell_spaces; where member 0 tells of XPMEM the stages are published. */
  return adr_load_acquire_u32(&view->members[member].spaces);
}

static inline void adr_slot_tell_spaces(const struct adr_slot_view *view, uint32_t spaces) {
  if (adr_load_relaxed_u32(&view->members[view->self].spaces) == spaces) { return; }
  /* SYNC member-spaces: release, pairs with the acquire of a giver; orders the offset of the stages before it. */
  adr_store_release_u32(&view->members[view->self].spaces, spaces);
}

/* Words of the result of a member's line, see ADR_SLOT_WANTS_WHAT. */
static inline uint64_t *adr_slot_result_words(const struct adr_slot_view *view, uint32_t member, int64_t sequence) {
  return (uint64_t *)(void *)adr_slot_line_of(view, member, sequence)->result;
}

/* The number of what a member asks another one to copy in a collective: odd, it asks; even: nothing. */
static inline uint32_t adr_slot_wants(const struct adr_slot_view *view, uint32_t member, int64_t sequence) {
  /* SYNC member-wants: acquire, pairs with want; orders what it wants, and its bytes in the stages, after it; and our
   * stores to the stages after what it has taken there. */
  const uint64_t wants = adr_load_acquire_u64(&adr_slot_line_of(view, member, sequence)->wants);
  return wants >> 32 == (uint32_t)sequence ? (uint32_t)wants : 0;
}

static inline void adr_slot_want(const struct adr_slot_view *view, int64_t sequence, uint32_t number) {
  /* SYNC member-wants: release, pairs with the acquire of a member that copies; orders what is wanted, and what this
   * member has put into the stages, or has taken there. */
  adr_store_release_u64(&adr_slot_line_of(view, view->self, sequence)->wants, (uint64_t)sequence << 32 | number);
}

/* Whether a member has copied what this one wants. */
static inline bool adr_slot_has_copied(const struct adr_slot_view *view, uint32_t member, int64_t sequence,
                                       uint32_t number) {
  adr_atomic_u64 *word = (adr_atomic_u64 *)(adr_slot_result_words(view, member, sequence) + ADR_SLOT_HAS_COPIED);
  /* SYNC member-copied: acquire, pairs with say_copied; the bytes are in the stages, or in that member's output. */
  return adr_load_acquire_u64(word) == ((uint64_t)(view->self + 1) << 32 | number);
}

static inline void adr_slot_say_copied(const struct adr_slot_view *view, int64_t sequence, uint32_t member,
                                       uint32_t number) {
  adr_atomic_u64 *word = (adr_atomic_u64 *)(adr_slot_result_words(view, view->self, sequence) + ADR_SLOT_HAS_COPIED);
  /* SYNC member-copied: release, pairs with the acquire of the member that wants it; orders the bytes that were
   * copied. */
  adr_store_release_u64(word, (uint64_t)(member + 1) << 32 | number);
}

/* Before this member writes memory of another one where it lies: false, that one has broken off, and perhaps closed
 * since, and nothing is to be written. Else it stays until adr_slot_end_write. */
static inline bool adr_slot_begin_write(const struct adr_slot_view *view, uint32_t member) {
  /* SYNC member-writes: release, pairs with is_written_by; it orders nothing, the fence does. */
  adr_store_release_u32(&view->members[view->self].writes, member + 1);
  /* SYNC member-writes: full fence, pairs with break_off; the word comes before the look at that member's state. */
  adr_full_fence();
  if (adr_slot_state(view, member) == ADR_MEMBER_OPEN) { return true; }
  /* SYNC member-writes: release, as of end_write. */
  adr_store_release_u32(&view->members[view->self].writes, 0);
  return false;
}

static inline void adr_slot_end_write(const struct adr_slot_view *view) {
  /* SYNC member-writes: release, pairs with the acquire of is_written_by; orders what this member has written. */
  adr_store_release_u32(&view->members[view->self].writes, 0);
}

/* After this member has broken off: whether another one may still be writing its memory. */
static inline bool adr_slot_is_written_by(const struct adr_slot_view *view, uint32_t member) {
  /* SYNC member-writes: acquire, pairs with end_write; what the program writes over its memory comes behind. */
  return adr_load_acquire_u32(&view->members[member].writes) == view->self + 1;
}

static inline bool adr_slot_is_revoked(const struct adr_slot_view *view) {
  /* SYNC slot-revoked: acquire, pairs with revoke; it orders nothing but what the revoker did before. */
  return adr_load_acquire_u32(&view->slot->revoked) != 0;
}

static inline void adr_slot_revoke(const struct adr_slot_view *view) {
  /* SYNC slot-revoked: release, pairs with the acquire of a member that begins a collective, or waits for what cannot
   * come. */
  adr_store_release_u32(&view->slot->revoked, 1);
}

/* What a member says to the agreement that it has come to last. */
static inline uint64_t adr_slot_said(const struct adr_slot_view *view, uint32_t member) {
  /* SYNC member-agreement: acquire, pairs with say. */
  return adr_load_acquire_u64(&view->members[member].agreement);
}

static inline void adr_slot_say(const struct adr_slot_view *view, uint64_t word) {
  /* SYNC member-agreement: release, pairs with the acquire of a member that decides; orders what this member did
   * before. */
  adr_store_release_u64(&view->members[view->self].agreement, word);
}

/* The last decision: what was proposed, or the flags. */
static inline uint64_t adr_slot_decided(const struct adr_slot_view *view, bool proposed) {
  /* SYNC slot-decided: acquire, pairs with decide; what it has made is there. */
  return adr_load_acquire_u64(proposed ? &view->slot->shrunk : &view->slot->agreed);
}

/* Decides, unless there is another decision than the one before. */
static inline bool adr_slot_decide(const struct adr_slot_view *view, bool proposed, uint64_t before, uint64_t after) {
  /* SYNC slot-decided: acq_rel, pairs with the acquire of all members; orders what the proposal names, and what the
   * members did that have come. */
  return adr_cas_acq_rel_u64(proposed ? &view->slot->shrunk : &view->slot->agreed, before, after);
}

static inline int64_t adr_slot_stages(const struct adr_slot_view *view) {
  /* SYNC slot-stages: acquire, pairs with publish_stages; their zeros are there. */
  return (int64_t)adr_load_acquire_u64(&view->slot->stages);
}

static inline void adr_slot_publish_stages(const struct adr_slot_view *view, int64_t offset) {
  /* SYNC slot-stages: release, pairs with the acquire of the other members; orders the zeros of the stages. */
  adr_store_release_u64(&view->slot->stages, (uint64_t)offset);
}
