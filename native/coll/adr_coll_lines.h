/* A member's moves by lines, and what all moves do with lines, with the caller and with members that sleep. */
#pragma once

#include "coll/adr_coll.h"
#include "coll/adr_coll_choice.h"

enum {
  ADR_COLL_MAX_NUMBER = 255, /* of an element or an operator */
  ADR_COLL_ELEMENT_BITS = 8,
};

/* In four collectives out of so many each member posts its line, and its progress too, though it need not: none of the
 * lines is so old that its number, of 32 bits, could be mistaken. */
#define ADR_COLL_POSTED_BY_ALL (INT64_C(1) << 28)

static inline bool adr_coll_is_leaf_of_bcast(const struct adr_collective *coll) {
  return coll->way == ADR_COLL_LINES_BCAST && coll->slot.self != (uint32_t)coll->root;
}

static inline bool adr_coll_is_posted_by_all(const struct adr_collective *coll) {
  return (coll->sequence & (ADR_COLL_POSTED_BY_ALL - 1)) < ADR_SLOT_LINES;
}

/* Collectives that were begun before this one, and are not done yet. */
static inline uint32_t adr_coll_own_lag(const struct adr_collective *coll) {
  return (uint32_t)(coll->sequence - 1 - coll->member->done);
}

/* Whether operands are combined. */
static inline bool adr_coll_is_fold(int32_t kind) {
  return kind == ADR_COLL_ALLREDUCE || (kind >= ADR_COLL_REDUCE && kind <= ADR_COLL_REDUCE_SCATTER);
}

/* Whether members can end without having read each other's lines, so that others find out later what they called. */
static inline bool adr_coll_compares_few(const struct adr_collective *coll) {
  return coll->kind == ADR_COLL_BCAST || (coll->kind >= ADR_COLL_REDUCE && coll->kind <= ADR_COLL_EXSCAN)
         || coll->kind == ADR_COLL_GATHER || coll->kind == ADR_COLL_SCATTER;
}

static inline bool adr_coll_is_checked(const struct adr_collective *coll) {
  return (coll->slot.choices & ADR_SLOT_CHECKED) != 0;
}

/* Whether there are bytes of this member for the others. */
static inline bool adr_coll_gives(const struct adr_collective *coll) {
  return coll->bytes > 0 && (coll->kind != ADR_COLL_BCAST || coll->slot.self == (uint32_t)coll->root);
}

/* Whether there are bytes for the caller. */
static inline bool adr_coll_gets(const struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  switch (coll->kind) {
  case ADR_COLL_BCAST:
    return coll->bytes > 0 && self != (uint32_t)coll->root;
  case ADR_COLL_REDUCE:
    return coll->bytes > 0 && self == (uint32_t)coll->root;
  case ADR_COLL_EXSCAN:
    return coll->bytes > 0 && self > 0;
  default:
    return coll->bytes > 0;
  }
}

/* The caller */

/* Whether the caller is to be asked now; at the next look it has done what it was asked for. */
static inline bool adr_coll_asks(struct adr_collective *coll) {
  coll->asked = !coll->asked;
  return coll->asked;
}

/* Asks the caller for something in the slot or, where `memory` is another, in the stages. */
int32_t adr_coll_ask(struct adr_collective *coll, int32_t status, const uint8_t *memory, int64_t source, int64_t target,
                     int64_t position, int64_t length);

/* Puts the caller's bytes to `memory` + `target`: NEXT, or FILL. */
int32_t adr_coll_fill(struct adr_collective *coll, uint8_t *memory, int64_t target, int64_t position, int64_t length);

/* Hands bytes to the caller: NEXT, or DRAIN. */
int32_t adr_coll_drain(struct adr_collective *coll, const uint8_t *memory, int64_t source, int64_t position,
                       int64_t length);

/* Members that sleep */

void adr_coll_wake(const struct adr_collective *coll, uint32_t member);
void adr_coll_wake_all(const struct adr_collective *coll);

/* Which collective it is */

/* Takes the lengths of the parts of a reduce_scatter, of which a copy is made; NULL: there were none. Returns whether
 * they are whole elements, and so many bytes together. */
bool adr_lines_allows_parts(struct adr_collective *coll, const int64_t *given, int64_t unit, int64_t bytes);

/* A collective begins, by the kind of which `unit` are the bytes of an element. */
void adr_lines_begin(struct adr_collective *coll, int32_t kind, int32_t root, int64_t bytes, int32_t element,
                     int32_t op, int64_t unit);

/* A member's part of a reduce_scatter: its length, and where it begins. */
static inline int64_t adr_coll_part_bytes(const struct adr_collective *coll, uint32_t member) {
  return coll->lines.by_parts ? coll->lines.parts[member] : coll->bytes / coll->slot.ranks;
}

static inline int64_t adr_coll_part_at(const struct adr_collective *coll, uint32_t member) {
  return coll->lines.by_parts ? coll->lines.parts[coll->slot.ranks + member]
                              : member * (coll->bytes / coll->slot.ranks);
}

/* One line */

/* Whether this member may write its line: nobody reads the one of four collectives ago any more. */
bool adr_coll_has_room(struct adr_collective *coll);

/* Whether a member's line is there, and tells of the same collective as ours: NEXT, AGAIN or MISMATCH. */
int32_t adr_coll_look(struct adr_collective *coll, uint32_t member);

/* Whether a member has taken so many steps: NEXT, AGAIN or MISMATCH; this one has. In the first round (`compares`) its
 * line is compared, which may tell of the first step itself. */
int32_t adr_coll_see(struct adr_collective *coll, uint32_t member, int64_t steps, bool compares);

/* Notes that a member calls something else, and returns MISMATCH. */
int32_t adr_coll_mismatch(struct adr_collective *coll, uint32_t member, uint64_t found);

/* Whether a member's line of the same collective is there within so many looks. */
bool adr_coll_await_head(const struct adr_collective *coll, uint32_t member, int32_t spins);

/* Whether that line is there, and its member does not lag, calls as much, and has filled its first buffer. */
bool adr_coll_await_step(const struct adr_collective *coll, uint32_t member, int32_t spins);

/* Shows this member's line on a straight path; `step` is 1: its first buffer is filled. */
void adr_coll_show(struct adr_collective *coll, uint32_t step);

/* Whether a member's line can be one that was posted before, or this one. */
bool adr_lines_is_plausible(const struct adr_collective *coll, uint32_t member);

/* Tells a member that waits for another member than all that others call something else: AGAIN, MISMATCH or CORRUPT. */
int32_t adr_lines_compare(struct adr_collective *coll, uint32_t waited);

/* A collective by lines */

/* Puts what this member gives into its line: NEXT, or FILL. */
int32_t adr_lines_fill_line(struct adr_collective *coll);

/* Whether the caller has told of its buffers: NEXT, or EXPOSE. */
int32_t adr_lines_expose(struct adr_collective *coll);

/* Tells in the line how this member's buffers can be reached, which the caller has told. */
void adr_lines_tell(struct adr_collective *coll, uint64_t by, uint64_t in, uint64_t out, uint64_t segment);

/* Posts the line, and wakes those that wait for it. */
void adr_lines_post(struct adr_collective *coll);

/* Reads the lines, and combines what they give or hands it out; the one that reads for all posts the result. */
int32_t adr_lines_read(struct adr_collective *coll);
int32_t adr_lines_read_root(struct adr_collective *coll);
int32_t adr_lines_read_result(struct adr_collective *coll);

/* Hands what was combined to the caller: NEXT, or DRAIN. */
int32_t adr_lines_give_result(struct adr_collective *coll);

/* The straight path. Whether it was gone to the end; else the line that is looked at next (`at`) was not there. */
bool adr_lines_go_straight(struct adr_collective *coll, int32_t spins);
