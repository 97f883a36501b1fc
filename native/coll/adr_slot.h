/* A slot as one member sees it: where its words lie, and in which order they are read and written. Twin of
 * io.adrastea.coll.Slot.
 *
 * Invariants:
 * - A member's part is written by that member alone, `cells` by member 0 alone.
 * - A member writes its line of collective s where that of s - 4 was once every member has said that it has `done`
 *   s - 4: nobody reads the old one any more.
 * - What a line tells stands before its `head`; a result, or what lies in cells, before its `progress`. */
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

/* Of a member's line of a collective. */
static inline struct adr_slot_line *adr_slot_line_of(const struct adr_slot_view *view, uint32_t member,
                                                     int64_t sequence) {
  return &view->members[member].lines[(uint32_t)sequence & (ADR_SLOT_LINES - 1)];
}

static inline uint64_t adr_slot_head(const struct adr_slot_view *view, uint32_t member, int64_t sequence) {
  /* SYNC line-head: acquire, pairs with post; orders what the line tells after it. */
  return adr_load_acquire_u64(&adr_slot_line_of(view, member, sequence)->head);
}

/* To be read once the head is there. */
static inline uint64_t adr_slot_what(const struct adr_slot_view *view, uint32_t member, int64_t sequence) {
  return adr_load_once_u64(&adr_slot_line_of(view, member, sequence)->what);
}

/* Shows this member's line; its payload is there. */
static inline void adr_slot_post(const struct adr_slot_view *view, int64_t sequence, uint64_t head, uint64_t what) {
  struct adr_slot_line *line = adr_slot_line_of(view, view->self, sequence);
  line->what = what;
  /* SYNC line-head: release, pairs with the acquire of who reads the line; orders payload and what. */
  adr_store_release_u64(&line->head, head);
}

static inline uint64_t adr_slot_progress(const struct adr_slot_view *view, uint32_t member, int64_t sequence) {
  /* SYNC line-progress: acquire, pairs with publish; orders result and cells after it. */
  return adr_load_acquire_u64(&adr_slot_line_of(view, member, sequence)->progress);
}

/* Says that so many steps of a collective are taken. */
static inline void adr_slot_publish(const struct adr_slot_view *view, int64_t sequence, uint32_t steps) {
  /* SYNC line-progress: release, pairs with the acquire of who waits for the step; orders result and cells, and that
   * this member has read what it read for the step. */
  adr_store_release_u64(&adr_slot_line_of(view, view->self, sequence)->progress, (uint64_t)sequence << 32 | steps);
}

static inline int64_t adr_slot_done(const struct adr_slot_view *view, uint32_t member) {
  /* SYNC member-done: acquire, pairs with end; orders our next writes over what that member has read. */
  return (int64_t)adr_load_acquire_u64(&view->members[member].done);
}

/* Says that this member reads nothing of a collective, or of those before, any more. */
static inline void adr_slot_end(const struct adr_slot_view *view, int64_t sequence) {
  /* SYNC member-done: release, pairs with the acquire of who writes there next; orders our reads before it. */
  adr_store_release_u64(&view->members[view->self].done, (uint64_t)sequence);
}

static inline uint32_t adr_slot_state(const struct adr_slot_view *view, uint32_t member) {
  /* SYNC member-state: acquire, pairs with set_state; what the member had posted before is there. */
  return adr_load_acquire_u32(&view->members[member].state);
}

static inline void adr_slot_set_state(const struct adr_slot_view *view, uint32_t state) {
  /* SYNC member-state: release, pairs with the acquire of who waits in vain; orders all that this member has posted. */
  adr_store_release_u32(&view->members[view->self].state, state);
}

static inline bool adr_slot_is_revoked(const struct adr_slot_view *view) {
  /* SYNC slot-revoked: acquire, pairs with revoke; it orders nothing but what the revoker did before. */
  return adr_load_acquire_u32(&view->slot->revoked) != 0;
}

static inline void adr_slot_revoke(const struct adr_slot_view *view) {
  /* SYNC slot-revoked: release, pairs with the acquire of who begins a collective, or waits in vain. */
  adr_store_release_u32(&view->slot->revoked, 1);
}

static inline int64_t adr_slot_cells(const struct adr_slot_view *view) {
  /* SYNC slot-cells: acquire, pairs with publish_cells; their zeros are there. */
  return (int64_t)adr_load_acquire_u64(&view->slot->cells);
}

static inline void adr_slot_publish_cells(const struct adr_slot_view *view, int64_t offset) {
  /* SYNC slot-cells: release, pairs with the acquire of the other members; orders the zeros of the cells. */
  adr_store_release_u64(&view->slot->cells, (uint64_t)offset);
}
