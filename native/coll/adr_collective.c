/* One member's side of one collective of a communicator at a time, see adrastea/coll.h; adr_coll.c has what outlives
 * it. Twin of io.adrastea.coll.Collective.
 *
 * Every member begins the same collectives in the same order, and counts them. In each it posts a line that tells which
 * one it is, up to 48 bytes of payload with it, and reads those of others [MPICH2 2007, 3.4: a barrier in a slot of
 * shared memory]. What is longer goes through cells (adr_coll_cells.c), or straight from memory to memory
 * (adr_coll_direct.c). adr_slot.h says in which order words are written and read. */
#include <string.h>

#include "coll/adr_coll_choice.h"
#include "coll/adr_coll_state.h"
#include "coll/adr_combine.h"
#include "copy/adr_copy.h"
#include "ranktable/adr_rank_table.h"
#include "wait/adr_doorbell.h"

enum {
  MOST_MOVED = 65536, /* bytes in a call: all threads' safepoints of a JVM wait for its end */
  MAX_NUMBER = 255,   /* of an element or an operation */
  ELEMENT_BITS = 8,
  USER_ELEMENTS = 192,   /* stands in a line for a user's operation whose elements have a length of their own */
  PURPOSE_BITS = 0xff00, /* of what a line tells: the kind of element, or the purpose */
};

/* In four collectives out of so many each member posts its line, and its progress too, though it need not: none of the
 * lines is so old that its number, of 32 bits, could be mistaken. */
#define POSTED_BY_ALL (INT64_C(1) << 28)

/* Moves on */

static int32_t next(struct adr_collective *coll, enum adr_coll_move move) {
  coll->move = move;
  return ADR_COLL_NEXT;
}

int32_t adr_coll_ends(struct adr_collective *coll) { return next(coll, ADR_COLL_END); }

static int32_t wait_for(struct adr_collective *coll, uint32_t member) {
  coll->other = (int32_t)member;
  return ADR_AGAIN;
}

static uint8_t *slot_bytes(const struct adr_collective *coll) { return (uint8_t *)coll->slot.slot; }

static int64_t offset_in_slot(const struct adr_collective *coll, const uint8_t *place) {
  return place - slot_bytes(coll);
}

static uint8_t *payload(const struct adr_collective *coll, uint32_t member) {
  return adr_slot_line_of(&coll->slot, member, coll->sequence)->payload;
}

static uint8_t *result(const struct adr_collective *coll, uint32_t member) {
  return adr_slot_line_of(&coll->slot, member, coll->sequence)->result;
}

static bool is_leaf_of_bcast(const struct adr_collective *coll) {
  return coll->way == ADR_COLL_LINES_BCAST && coll->slot.self != (uint32_t)coll->root;
}

static bool is_posted_by_all(const struct adr_collective *coll) {
  return (coll->sequence & (POSTED_BY_ALL - 1)) < ADR_SLOT_LINES;
}

static bool posts(const struct adr_collective *coll) { return !is_leaf_of_bcast(coll) || is_posted_by_all(coll); }

/* Collectives that were begun before this one, and are not done yet. */
static uint32_t own_lag(const struct adr_collective *coll) {
  return (uint32_t)(coll->sequence - 1 - coll->member->done);
}

static void lags(struct adr_collective *coll, uint32_t lag) { coll->lag = lag > coll->lag ? lag : coll->lag; }

/* Whether operands are combined. */
static bool is_fold(int32_t kind) {
  return kind == ADR_COLL_ALLREDUCE || (kind >= ADR_COLL_REDUCE && kind <= ADR_COLL_REDUCE_SCATTER);
}

/* Whether members can end without having read each other's lines, so that others find out later what they called. */
static bool compares_few(const struct adr_collective *coll) {
  return coll->kind == ADR_COLL_BCAST || (coll->kind >= ADR_COLL_REDUCE && coll->kind <= ADR_COLL_EXSCAN)
         || coll->kind == ADR_COLL_GATHER || coll->kind == ADR_COLL_SCATTER;
}

/* Says whose lines this member reads, and what it combines of them. */
static void choose_lines(struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  const uint32_t root = (uint32_t)coll->root;
  coll->first = 0;
  coll->last = coll->slot.ranks;
  if (coll->way == ADR_COLL_LINES_BCAST) {
    coll->first = root;
    coll->last = self == root ? root : root + 1;
  } else if (coll->way == ADR_COLL_LINES_NEEDED && coll->kind == ADR_COLL_REDUCE) {
    coll->last = self == root ? coll->slot.ranks : 0;
  } else if (coll->way == ADR_COLL_LINES_NEEDED) {
    coll->last = coll->kind == ADR_COLL_SCAN ? self + 1 : self;
  }
  coll->fold_from = 0;
  coll->fold_bytes = coll->bytes;
  if (coll->kind == ADR_COLL_REDUCE_SCATTER && coll->way == ADR_COLL_LINES_ALL) {
    coll->fold_from = adr_coll_part_at(coll, self);
    coll->fold_bytes = adr_coll_part_bytes(coll, self);
  }
}

/* Behind the last one whose operand is combined here. */
static uint32_t folds_until(const struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  return coll->kind == ADR_COLL_SCAN ? self + 1 : coll->kind == ADR_COLL_EXSCAN ? self : coll->slot.ranks;
}

/* Whether the lines that this member reads are those of all others. */
static bool has_read_all(const struct adr_collective *coll) {
  const uint32_t ranks = coll->slot.ranks;
  return (coll->first == 0 && (coll->last == ranks || (coll->last == ranks - 1 && coll->slot.self == coll->last)))
         || (coll->way == ADR_COLL_LINES_BCAST && ranks == 2);
}

static void begin_cells(struct adr_collective *coll) {
  adr_cells_begin(coll);
  if (coll->kind >= ADR_COLL_REDUCE) { adr_fold_begin(coll); }
}

static bool is_checked(const struct adr_collective *coll) { return (coll->slot.choices & ADR_SLOT_CHECKED) != 0; }

/* A root that only sends would not look at what the others call. */
static bool compares_before(const struct adr_collective *coll) { return compares_few(coll) && is_checked(coll); }

bool adr_coll_has_room(struct adr_collective *coll) {
  return adr_coll_all_have_done(coll, coll->sequence - ADR_SLOT_LINES);
}

/* Room is there once nobody reads the line of four collectives ago any more. */
static int32_t get_room(struct adr_collective *coll) {
  if (!adr_coll_has_room(coll)) { return ADR_AGAIN; }
  const bool exchanges = adr_coll_is_exchange(coll->kind);
  if (exchanges && adr_exchange_makes_cells(coll)) { return ADR_COLL_NEEDS_CELLS; }
  const bool exposes = exchanges ? adr_exchange_exposes(coll) : coll->way == ADR_COLL_DIRECT;
  return next(coll, exposes ? ADR_COLL_EXPOSE_BUFFERS : ADR_COLL_POST);
}

static int32_t expose(struct adr_collective *coll) {
  if (!coll->direct.exposed) { return adr_coll_ask(coll, ADR_COLL_EXPOSE, slot_bytes(coll), 0, 0, 0, coll->bytes); }
  memcpy(payload(coll, coll->slot.self), coll->direct.tells, sizeof coll->direct.tells);
  return next(coll, ADR_COLL_POST);
}

void adr_coll_wake(const struct adr_collective *coll, uint32_t member) {
  const adr_coll *self = coll->member;
  if (member != coll->slot.self) { adr_doorbell_ring(adr_rank_table_entry(self->base, self->local_ranks[member])); }
}

void adr_coll_wake_all(const struct adr_collective *coll) {
  const adr_coll *self = coll->member;
  adr_doorbell_order();
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    if (member != coll->slot.self) {
      adr_doorbell_ring_ordered(adr_rank_table_entry(self->base, self->local_ranks[member]));
    }
  }
}

int32_t adr_coll_ask(struct adr_collective *coll, int32_t status, const uint8_t *memory, int64_t source, int64_t target,
                     int64_t position, int64_t length) {
  coll->words[ADR_COLL_SOURCE] = source;
  coll->words[ADR_COLL_TARGET] = target;
  coll->words[ADR_COLL_POSITION] = position;
  coll->words[ADR_COLL_BYTES] = length;
  coll->words[ADR_COLL_PLACE] = memory == slot_bytes(coll) ? ADR_COLL_IN_SLOT : ADR_COLL_IN_CELLS;
  coll->other = -1;
  return status;
}

int32_t adr_coll_fill(struct adr_collective *coll, uint8_t *memory, int64_t target, int64_t position, int64_t length) {
  if (coll->in != NULL) {
    adr_copy_over_cell(memory + target, coll->in + position, (uint64_t)length);
    coll->moved += length;
    return ADR_COLL_NEXT;
  }
  return adr_coll_asks(coll) ? adr_coll_ask(coll, ADR_COLL_FILL, memory, 0, target, position, length) : ADR_COLL_NEXT;
}

int32_t adr_coll_drain(struct adr_collective *coll, const uint8_t *memory, int64_t source, int64_t position,
                       int64_t length) {
  if (coll->out != NULL) {
    memcpy(coll->out + position, memory + source, (size_t)length);
    coll->moved += length;
    return ADR_COLL_NEXT;
  }
  return adr_coll_asks(coll) ? adr_coll_ask(coll, ADR_COLL_DRAIN, memory, source, 0, position, length) : ADR_COLL_NEXT;
}

/* Whether there are bytes of this member for the others. */
static bool gives(const struct adr_collective *coll) {
  return coll->bytes > 0 && (coll->kind != ADR_COLL_BCAST || coll->slot.self == (uint32_t)coll->root);
}

/* Whether there are bytes for the caller. */
static bool gets(const struct adr_collective *coll) {
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

/* Wakes those who wait for this member's line. */
static void wake_readers(const struct adr_collective *coll) {
  if (coll->way == ADR_COLL_LINES_ROOT) {
    adr_coll_wake(coll, 0);
  } else if (coll->way == ADR_COLL_LINES_NEEDED && coll->kind == ADR_COLL_REDUCE) {
    adr_coll_wake(coll, (uint32_t)coll->root);
  } else {
    adr_coll_wake_all(coll);
  }
}

static int32_t post(struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  if (adr_coll_is_exchange(coll->kind)) {
    adr_exchange_decide(coll);
    const int32_t status = adr_exchange_fill_line(coll);
    if (status != ADR_COLL_NEXT) { return status; }
  } else if (coll->way < ADR_COLL_CELLS && gives(coll)) {
    const int32_t status =
        adr_coll_fill(coll, slot_bytes(coll), offset_in_slot(coll, payload(coll, self)), 0, coll->bytes);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  if (ADR_UNLIKELY(is_posted_by_all(coll))) { adr_slot_publish(&coll->slot, coll->sequence, 0); }
  adr_slot_post(&coll->slot, coll->sequence, coll->head, coll->what, own_lag(coll));
  wake_readers(coll);
  switch (coll->way) {
  case ADR_COLL_CELLS:
    return next(coll, compares_before(coll) ? ADR_COLL_READ_LINES : ADR_COLL_MOVE_CELLS);
  case ADR_COLL_LINES_BCAST:
  case ADR_COLL_LINES_NEEDED:
    return next(coll, coll->first == coll->last ? ADR_COLL_END : ADR_COLL_READ_LINES);
  case ADR_COLL_LINES_ROOT:
    return next(coll, self == 0 ? ADR_COLL_READ_LINES : ADR_COLL_READ_RESULT);
  case ADR_COLL_GIVER_LINE:
  case ADR_COLL_GIVER_CELL:
  case ADR_COLL_GIVER_DIRECT:
    return next(coll, is_checked(coll) ? ADR_COLL_READ_LINES : ADR_COLL_MOVE_EXCHANGE);
  default:
    return next(coll, ADR_COLL_READ_LINES);
  }
}

int32_t adr_coll_mismatch(struct adr_collective *coll, uint32_t member, uint64_t found) {
  coll->words[ADR_COLL_HEAD] = (int64_t)found;
  coll->words[ADR_COLL_WHAT] = (int64_t)adr_slot_call(adr_slot_what(&coll->slot, member, coll->sequence));
  coll->words[ADR_COLL_GIVEN] = 0;
  coll->words[ADR_COLL_EXPECTED] = 0;
  return ADR_COLL_MISMATCH;
}

int32_t adr_coll_look(struct adr_collective *coll, uint32_t member) {
  const uint64_t found = adr_slot_head(&coll->slot, member, coll->sequence);
  if (found == coll->head) {
    const uint64_t what = adr_slot_what(&coll->slot, member, coll->sequence);
    if (((adr_slot_call(what) ^ coll->what) & coll->compared) == 0) {
      lags(coll, adr_slot_lag(what));
      return ADR_COLL_NEXT;
    }
  }
  coll->other = (int32_t)member;
  return found >> 32 == coll->head >> 32 ? adr_coll_mismatch(coll, member, found) : ADR_AGAIN;
}

static int32_t give(struct adr_collective *coll, const uint8_t *source, int64_t position) {
  return adr_coll_drain(coll, slot_bytes(coll), offset_in_slot(coll, source), position, coll->bytes);
}

static int32_t fold_by_caller(struct adr_collective *coll, const uint8_t *operand, uint8_t *target) {
  if (coll->asked) {
    coll->asked = false;
    return ADR_COLL_NEXT;
  }
  if (coll->folded_at != target) {
    memcpy(target, coll->folded_at, (size_t)coll->fold_bytes);
    coll->folded_at = target;
  }
  coll->asked = true;
  return adr_coll_ask(coll, ADR_COLL_COMBINE, slot_bytes(coll), offset_in_slot(coll, operand),
                      offset_in_slot(coll, target), 0, coll->fold_bytes);
}

/* Combines a member's operand with those before it. */
static int32_t fold(struct adr_collective *coll, uint32_t member) {
  const uint8_t *operand = payload(coll, member) + coll->fold_from;
  uint8_t *target = result(coll, coll->slot.self);
  if (member == 0) {
    coll->folded_at = operand;
  } else if (coll->operation == ADR_USER_OPERATION) {
    return fold_by_caller(coll, operand, target);
  } else {
    adr_combine(coll->operation, coll->element, target, coll->folded_at, operand, coll->fold_bytes);
    coll->folded_at = target;
  }
  return ADR_COLL_NEXT;
}

/* Whether a member's operand is combined here; where all lines are compared it may not be. */
static bool needs(const struct adr_collective *coll, uint32_t member) {
  return member < folds_until(coll) && coll->fold_bytes > 0 && (coll->way == ADR_COLL_LINES_ROOT || gets(coll));
}

static int32_t use(struct adr_collective *coll, uint32_t member) {
  if (coll->bytes == 0) { return ADR_COLL_NEXT; }
  if (coll->way >= ADR_COLL_CELLS) { return ADR_COLL_NEXT; }
  switch (coll->kind) {
  case ADR_COLL_BARRIER:
  case ADR_COLL_BCAST:
    return ADR_COLL_NEXT;
  case ADR_COLL_ALLGATHER:
    return give(coll, payload(coll, member), (int64_t)member * coll->bytes);
  default:
    return needs(coll, member) ? fold(coll, member) : ADR_COLL_NEXT;
  }
}

static int32_t read_lines(struct adr_collective *coll) {
  for (; coll->at < coll->last; coll->at++) {
    int32_t status = adr_coll_look(coll, coll->at);
    if (status == ADR_COLL_NEXT) { status = use(coll, coll->at); }
    if (status != ADR_COLL_NEXT) { return status; }
  }
  if (has_read_all(coll)) { adr_coll_all_have_begun(coll); }
  if (adr_coll_is_exchange(coll->kind)) { return next(coll, ADR_COLL_MOVE_EXCHANGE); }
  if (coll->way == ADR_COLL_DIRECT) {
    if (adr_direct_is_possible(coll)) { return next(coll, ADR_COLL_MOVE_DIRECT); }
    coll->way = ADR_COLL_CELLS; /* for all members, who have read the same lines */
    begin_cells(coll);
  }
  if (coll->way == ADR_COLL_CELLS) { return next(coll, ADR_COLL_MOVE_CELLS); }
  if (coll->way == ADR_COLL_LINES_ROOT) {
    uint8_t *target = result(coll, coll->slot.self);
    if (coll->bytes > 0 && coll->folded_at != target) { /* alone */
      memcpy(target, coll->folded_at, (size_t)coll->bytes);
    }
    adr_slot_publish(&coll->slot, coll->sequence, 1 + coll->lag);
    adr_coll_wake_all(coll);
  }
  if (coll->kind == ADR_COLL_BCAST) { coll->folded_at = payload(coll, (uint32_t)coll->root); }
  return next(coll, coll->kind == ADR_COLL_ALLGATHER ? ADR_COLL_END : ADR_COLL_GIVE_RESULT);
}

static int32_t read_root(struct adr_collective *coll) {
  const int32_t status = adr_coll_look(coll, (uint32_t)coll->root);
  if (status != ADR_COLL_NEXT) { return status; }
  coll->folded_at = payload(coll, (uint32_t)coll->root);
  return next(coll, ADR_COLL_GIVE_RESULT);
}

static int32_t read_result(struct adr_collective *coll) {
  if (!adr_slot_has_taken(&coll->slot, 0, coll->sequence, 1)) { return wait_for(coll, 0); }
  const int32_t status = adr_coll_look(coll, 0);
  if (status != ADR_COLL_NEXT) { return status; }
  lags(coll, (uint32_t)adr_slot_progress(&coll->slot, 0, coll->sequence) - 1); /* of all whose lines it has read */
  adr_coll_all_have_begun(coll);
  coll->folded_at = result(coll, 0);
  return next(coll, ADR_COLL_GIVE_RESULT);
}

static int32_t give_folded(struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  if (coll->kind != ADR_COLL_REDUCE_SCATTER) { return give(coll, coll->folded_at, 0); }
  const int64_t bytes = adr_coll_part_bytes(coll, self);
  const uint8_t *from = coll->folded_at + (coll->way == ADR_COLL_LINES_ROOT ? adr_coll_part_at(coll, self) : 0);
  return bytes > 0 ? adr_coll_drain(coll, slot_bytes(coll), offset_in_slot(coll, from), 0, bytes) : ADR_COLL_NEXT;
}

static int32_t give_result(struct adr_collective *coll) {
  const int32_t status = gets(coll) ? give_folded(coll) : ADR_COLL_NEXT;
  return status == ADR_COLL_NEXT ? next(coll, ADR_COLL_END) : status;
}

static int32_t end(struct adr_collective *coll) {
  adr_coll *member = coll->member;
  const bool only = coll->sequence == member->sequence && coll->sequence == member->done + 1;
  coll->move = ADR_COLL_IDLE;
  coll->other = -1;
  if (ADR_LIKELY(only)) {
    member->done = coll->sequence;
    adr_slot_end(&coll->slot, coll->sequence);
    adr_slot_prepare(&coll->slot, coll->sequence + 1);
    if (coll->way == ADR_COLL_CELLS) {
      adr_cells_fetch_next(coll);
    } else if (adr_coll_is_exchange(coll->kind)) {
      adr_exchange_fetch_next(coll);
    }
  } else {
    adr_coll_end_among_others(member);
  }
  if (!only || coll->way >= ADR_COLL_LINES_NEEDED || is_leaf_of_bcast(coll)) {
    adr_coll_wake_all(coll); /* who is ahead, and needs our line or half of the cells to be free, may sleep */
  }
  return 0;
}

static int32_t advance(struct adr_collective *coll) {
  switch (coll->move) {
  case ADR_COLL_GET_ROOM:
    return get_room(coll);
  case ADR_COLL_POST:
    return post(coll);
  case ADR_COLL_READ_LINES:
    return coll->way == ADR_COLL_LINES_BCAST ? read_root(coll) : read_lines(coll);
  case ADR_COLL_READ_RESULT:
    return read_result(coll);
  case ADR_COLL_GIVE_RESULT:
    return give_result(coll);
  case ADR_COLL_MOVE_CELLS:
    return coll->kind >= ADR_COLL_REDUCE ? adr_fold_advance(coll) : adr_cells_advance(coll);
  case ADR_COLL_EXPOSE_BUFFERS:
    return expose(coll);
  case ADR_COLL_MOVE_DIRECT:
    return adr_direct_advance(coll);
  case ADR_COLL_MOVE_EXCHANGE:
    return adr_exchange_advance(coll);
  case ADR_COLL_END:
    return end(coll);
  default:
    return ADR_INVALID;
  }
}

/* Of a line that was posted before: a multiple of four collectives ago, none yet, or this one. */
static bool is_old(const struct adr_collective *coll, uint64_t number) {
  const uint32_t ago = (uint32_t)coll->sequence - (uint32_t)number;
  return number == 0 || ((ago & (ADR_SLOT_LINES - 1)) == 0 && ago <= 2 * POSTED_BY_ALL);
}

/* Who waits for another member than all finds out here that others call something else. */
static int32_t compare_heads(struct adr_collective *coll, uint32_t waited) {
  if ((coll->way == ADR_COLL_LINES_BCAST || coll->kind == ADR_COLL_SCATTER)
      && adr_slot_head(&coll->slot, coll->slot.self, coll->sequence) >> 32 != coll->head >> 32
      && adr_coll_all_have_done(coll, coll->sequence - ADR_SLOT_LINES)) {
    adr_slot_post(&coll->slot, coll->sequence, coll->head, coll->what, own_lag(coll)); /* so that others see it */
  }
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    const uint64_t found = adr_slot_head(&coll->slot, member, coll->sequence);
    if (found >> 32 == coll->head >> 32) {
      if (adr_coll_look(coll, member) == ADR_COLL_MISMATCH) { return ADR_COLL_MISMATCH; }
    } else if (!is_old(coll, found >> 32)) {
      coll->other = (int32_t)member;
      return ADR_CORRUPT;
    }
  }
  coll->other = (int32_t)waited;
  return is_old(coll, adr_slot_progress(&coll->slot, waited, coll->sequence) >> 32) ? ADR_AGAIN : ADR_CORRUPT;
}

static int32_t trouble_with(struct adr_collective *coll, uint32_t member) {
  if (adr_slot_is_revoked(&coll->slot)) { return ADR_COLL_REVOKED; }
  const uint32_t state = adr_slot_state(&coll->slot, member);
  if (state != ADR_MEMBER_OPEN) { return state == ADR_MEMBER_CLOSED ? ADR_COLL_CLOSED : ADR_COLL_BROKEN; }
  if (coll->move == ADR_COLL_READ_RESULT || coll->move == ADR_COLL_MOVE_CELLS || coll->move == ADR_COLL_MOVE_DIRECT
      || coll->move == ADR_COLL_MOVE_EXCHANGE
      || ((coll->way == ADR_COLL_LINES_BCAST || coll->way == ADR_COLL_LINES_NEEDED)
          && coll->move == ADR_COLL_READ_LINES)) {
    return compare_heads(coll, member);
  }
  return is_old(coll, adr_slot_head(&coll->slot, member, coll->sequence) >> 32) ? ADR_AGAIN : ADR_CORRUPT;
}

/* Sees whether what is waited for can still come. What the other had posted before it left is seen by the second look
 * that follows. */
static int32_t waited_in_vain(struct adr_collective *coll) {
  const int32_t waited = coll->other;
  const int32_t trouble = trouble_with(coll, (uint32_t)waited);
  if (trouble == ADR_AGAIN) { return ADR_AGAIN; }
  const int32_t about = coll->other;
  const int32_t status = advance(coll);
  if (status != ADR_AGAIN || coll->other != waited) { return status == ADR_COLL_NEXT ? ADR_COLL_MOVED : status; }
  coll->other = about;
  return trouble;
}

static int32_t run(struct adr_collective *coll, int32_t spins) {
  int32_t left = spins;
  while (true) {
    const int32_t status = advance(coll);
    if (status == ADR_COLL_NEXT) {
      if (coll->moved >= MOST_MOVED) {
        coll->other = -1;
        return ADR_COLL_MOVED;
      }
      left = spins;
    } else if (status != ADR_AGAIN) {
      return status;
    } else if (--left > 0) {
      adr_cpu_pause();
    } else if (coll->moved > 0) {
      coll->other = -1;
      return ADR_COLL_MOVED;
    } else {
      return waited_in_vain(coll);
    }
  }
}

static void set_buffers(struct adr_collective *coll, const void *in, int64_t in_offset, void *out, int64_t out_offset) {
  coll->in = in == NULL ? NULL : (const uint8_t *)in + in_offset;
  coll->out = out == NULL ? NULL : (uint8_t *)out + out_offset;
  coll->moved = 0;
}

int32_t adr_coll_step(adr_coll *member, int32_t which, const void *in, int64_t in_offset, void *out, int64_t out_offset,
                      int32_t spins) {
  if ((uint32_t)which >= ADR_SLOT_LINES) { return ADR_INVALID; }
  struct adr_collective *one = &member->collectives[which];
  set_buffers(one, in, in_offset, out, out_offset);
  return run(one, spins);
}

/* The straight path: a collective by lines alone that ends in its first call, without a step between two moves, while
 * no other one is under way at any member. What it finds not to be there it leaves to the moves above. */

/* Whether nothing is to be waited for but lines, and nothing to be asked of the caller. */
static bool goes_straight(const struct adr_collective *coll) {
  return coll->lag == 0 && coll->way <= ADR_COLL_LINES_NEEDED && coll->way != ADR_COLL_LINES_ROOT
         && (is_leaf_of_bcast(coll) || coll->sequence - ADR_SLOT_LINES <= coll->member->least)
         && !is_posted_by_all(coll) && coll->operation != ADR_USER_OPERATION && (coll->in != NULL || !gives(coll))
         && (coll->out != NULL || !gets(coll));
}

/* Whether a member's line is there within so many looks, and as it should be. */
bool adr_coll_await_line(const struct adr_collective *coll, uint32_t member, int32_t spins) {
  for (int32_t left = spins; adr_slot_head(&coll->slot, member, coll->sequence) != coll->head; adr_cpu_pause()) {
    if (--left <= 0) { return false; }
  }
  return adr_slot_what(&coll->slot, member, coll->sequence) == coll->what;
}

/* Combines what a member gives with what those before it give; the last one's goes to the caller. */
static void fold_straight(struct adr_collective *coll, uint32_t member, const uint8_t *operand) {
  const bool is_last = member == folds_until(coll) - 1;
  if (member == 0) {
    coll->folded_at = payload(coll, 0) + coll->fold_from;
    if (is_last) { adr_copy_inline(coll->out, operand, (uint32_t)coll->fold_bytes); }
    return;
  }
  const uint8_t *left = member == 1 && coll->slot.self == 0 ? coll->in + coll->fold_from : coll->folded_at;
  uint8_t *target = is_last ? coll->out : result(coll, coll->slot.self);
  adr_combine(coll->operation, coll->element, target, left, operand, coll->fold_bytes);
  coll->folded_at = target;
}

/* Takes what a member gives. This member's own line is on its way to those who read it: to look at it again would take
 * as long. */
static void take(struct adr_collective *coll, uint32_t member) {
  /* A reduce_scatter in place may write over operands of other parts. */
  const bool is_own = member == coll->slot.self && (coll->kind != ADR_COLL_REDUCE_SCATTER || coll->in != coll->out);
  const uint8_t *operand = is_own ? coll->in : payload(coll, member);
  if (is_fold(coll->kind)) {
    if (member < folds_until(coll) && coll->fold_bytes > 0) { fold_straight(coll, member, operand + coll->fold_from); }
  } else if (coll->kind == ADR_COLL_ALLGATHER) {
    adr_copy_inline(coll->out + member * coll->bytes, operand, (uint32_t)coll->bytes);
  } else if (member == (uint32_t)coll->root) {
    adr_copy_inline(coll->out, operand, (uint32_t)coll->bytes);
  }
}

/* Goes on with a member's line by moves. */
static int32_t leave(struct adr_collective *coll, uint32_t member) {
  coll->at = member;
  coll->move = ADR_COLL_READ_LINES;
  return run(coll, 1);
}

static int32_t go_straight(struct adr_collective *coll, int32_t spins) {
  const uint32_t self = coll->slot.self;
  if (!is_leaf_of_bcast(coll)) {
    if (gives(coll)) { adr_copy_inline(payload(coll, self), coll->in, (uint32_t)coll->bytes); }
    adr_slot_post(&coll->slot, coll->sequence, coll->head, coll->what, 0);
    wake_readers(coll);
    if (coll->first == coll->last) {
      (void)adr_coll_all_have_done(coll, coll->sequence + 1 - ADR_SLOT_LINES); /* now rather than before the next one */
      return end(coll);
    }
  }
  const bool takes = gets(coll);
  const uint32_t last = coll->last;
  for (uint32_t member = coll->first; member < last; member++) {
    if (member != self && ADR_UNLIKELY(!adr_coll_await_line(coll, member, spins))) { return leave(coll, member); }
    if (takes) { take(coll, member); }
  }
  if (has_read_all(coll)) {
    adr_coll_all_have_begun(coll);
  } else if (coll->way == ADR_COLL_LINES_NEEDED) {
    (void)adr_coll_all_have_done(coll, coll->sequence + 1 - ADR_SLOT_LINES);
  }
  return end(coll);
}

/* Exchanges have a straight path of their own (adr_coll_exchange.c). */

void adr_coll_show(struct adr_collective *coll) {
  adr_slot_post(&coll->slot, coll->sequence, coll->head, coll->what, 0);
  if (coll->kind == ADR_COLL_GATHER) {
    adr_coll_wake(coll, (uint32_t)coll->root);
  } else {
    adr_coll_wake_all(coll);
  }
}

int32_t adr_coll_leave_exchange(struct adr_collective *coll) {
  coll->move = ADR_COLL_MOVE_EXCHANGE;
  return run(coll, 1);
}

int32_t adr_coll_end_exchange(struct adr_collective *coll, bool all) {
  if (all && coll->kind != ADR_COLL_GATHER) { coll->way = ADR_COLL_LINES_ALL; }
  return end(coll);
}

static int32_t begin_exchange(struct adr_collective *coll, int32_t spins) {
  adr_cells_reserve(coll, 1); /* who gives how much is not known to all */
  coll->cells.ready = false;
  coll->direct.exposed = false;
  adr_exchange_begin(coll, (coll->operation & ADR_COLL_BY_PARTS) != 0, (coll->operation & ADR_COLL_STAYS) != 0);
  const bool must = is_posted_by_all(coll) || is_checked(coll);
  const bool posts = adr_exchange_posts(coll) || must;
  if (ADR_LIKELY(!must && coll->lag == 0 && (!posts || coll->sequence - ADR_SLOT_LINES <= coll->member->least)
                 && adr_exchange_goes_straight(coll))) {
    return adr_exchange_go_straight(coll, spins);
  }
  if (posts) {
    coll->move = ADR_COLL_GET_ROOM;
  } else {
    adr_exchange_decide(coll);
    coll->move = ADR_COLL_MOVE_EXCHANGE;
  }
  return run(coll, spins);
}

/* How many roots can be named; an allreduce by a user's operation tells the bytes of an element in their place. */
static int32_t roots_of(const struct adr_collective *coll, int32_t kind, int32_t operation) {
  if (kind == ADR_COLL_ALLREDUCE && operation == ADR_USER_OPERATION) { return ADR_COLL_MOST_UNIT + 1; }
  if (kind == ADR_COLL_REDUCE_SCATTER) { return 2; } /* 1: by parts */
  return kind == ADR_COLL_SCAN || kind == ADR_COLL_EXSCAN ? 1 : (int32_t)coll->slot.ranks;
}

/* Bytes of an element, 0: the operation cannot be carried out. */
static int64_t unit_of(int64_t of_user, int32_t element, int32_t operation) {
  if (operation == ADR_USER_OPERATION) { return of_user; }
  return operation != ADR_NO_OPERATION && operation != ADR_NO_OP && adr_operation_check(operation, element) == 0
             ? adr_element_bytes(element)
             : 0;
}

/* What a line tells of operands: the kind of element and the operation. Where a user's operation combines elements that
 * are not of the length of their kind, their length stands in both places. */
static uint64_t operands(const struct adr_collective *coll, int64_t unit) {
  if (coll->operation == ADR_USER_OPERATION && adr_element_bytes(coll->element) != unit) {
    const uint64_t less = (uint64_t)unit - 1;
    return (less & MAX_NUMBER) << ELEMENT_BITS | USER_ELEMENTS | less >> ELEMENT_BITS;
  }
  return (uint64_t)coll->element << ELEMENT_BITS | (uint64_t)coll->operation;
}

int32_t adr_coll_begin(adr_coll *member, int32_t kind, int32_t root, int64_t bytes, int32_t element, int32_t operation,
                       const void *in, int64_t in_offset, void *out, int64_t out_offset, int32_t spins) {
  member->begun = (uint32_t)(member->sequence + 1) & (ADR_SLOT_LINES - 1);
  struct adr_collective *coll = &member->collectives[member->begun];
  if (coll->move != ADR_COLL_IDLE) { return ADR_BUSY; /* this line's last collective has not ended */ }
  if (kind < ADR_COLL_BARRIER || kind > ADR_COLL_ALLGATHERV || root < 0 || root >= roots_of(coll, kind, operation)
      || bytes < 0 || bytes > (kind == ADR_COLL_BARRIER ? 0 : ADR_COLL_MOST_BYTES) || (element | operation) < 0
      || operation > MAX_NUMBER
      || (element > MAX_NUMBER
          && (!(kind >= ADR_COLL_REDUCE && kind <= ADR_COLL_REDUCE_SCATTER) || operation != ADR_USER_OPERATION))) {
    return ADR_INVALID;
  }
  const int64_t unit =
      is_fold(kind) ? unit_of(kind == ADR_COLL_ALLREDUCE ? root : element >> ELEMENT_BITS, element, operation) : 1;
  if (unit == 0 || unit > ADR_COLL_MOST_UNIT || (bytes != unit && bytes % unit != 0)
      || (kind == ADR_COLL_REDUCE_SCATTER
          && (root == 0 ? bytes % (unit * coll->slot.ranks) != 0
                        : !adr_fold_allows(coll, member->parts, unit, bytes)))) {
    return ADR_INVALID;
  }
  const bool exchanges = adr_coll_is_exchange(kind);
  if (exchanges
      && ((operation & ~(ADR_COLL_STAYS | ADR_COLL_BY_PARTS)) != 0
          || ((operation & ADR_COLL_BY_PARTS) != 0 && !adr_exchange_allows(coll, member->parts, kind, root, bytes)))) {
    return ADR_INVALID;
  }
  if (adr_slot_is_revoked(&coll->slot)) { return ADR_COLL_REVOKED; }
  const uint32_t state = adr_slot_state(&coll->slot, coll->slot.self);
  if (state != ADR_MEMBER_OPEN) {
    coll->other = (int32_t)coll->slot.self;
    return state == ADR_MEMBER_CLOSED ? ADR_COLL_CLOSED : ADR_COLL_BROKEN;
  }
  coll->kind = kind;
  coll->fold.by_parts = kind == ADR_COLL_REDUCE_SCATTER && root == 1;
  coll->root = coll->fold.by_parts ? adr_fold_digest(coll) : root;
  coll->bytes = bytes;
  coll->element = element & MAX_NUMBER;
  coll->operation = operation;
  coll->way = adr_coll_choice(kind, coll->slot.ranks, bytes, coll->slot.choices);
  coll->sequence = ++member->sequence;
  coll->lag = own_lag(coll);
  if (compares_few(coll)) { /* 31 is odd: who differs in one root, or kind, differs from then on */
    const uint32_t call = (uint32_t)root + ((uint32_t)(kind - ADR_COLL_BCAST) << 5);
    member->roots = (31 * member->roots + call + 1) & 0xff;
  }
  coll->head = (uint64_t)coll->sequence << 32 | (uint64_t)kind << 24 | (uint64_t)coll->root << 8 | member->roots;
  coll->what = (uint64_t)bytes << 16
               | (exchanges ? (uint64_t)element << ELEMENT_BITS | (uint64_t)(operation & ADR_COLL_BY_PARTS)
                  : kind < ADR_COLL_REDUCE ? (uint64_t)element << ELEMENT_BITS | (uint64_t)operation
                                           : operands(coll, unit));
  coll->compared = exchanges ? PURPOSE_BITS : UINT64_MAX;
  choose_lines(coll);
  coll->at = coll->first;
  coll->asked = false;
  set_buffers(coll, in, in_offset, out, out_offset);
  if (ADR_LIKELY(goes_straight(coll))) { return go_straight(coll, spins); }
  if (exchanges) { return begin_exchange(coll, spins); }
  if (coll->way >= ADR_COLL_CELLS) {
    adr_cells_reserve(coll, unit);
    coll->direct.exposed = false;
    if (coll->way == ADR_COLL_CELLS) { begin_cells(coll); }
  }
  coll->move = posts(coll) ? ADR_COLL_GET_ROOM : ADR_COLL_READ_LINES;
  return run(coll, spins);
}

/* What callers are told, and tell */

static const struct adr_collective *at(const adr_coll *member, int32_t which) {
  return &member->collectives[(uint32_t)which & (ADR_SLOT_LINES - 1)];
}

int32_t adr_coll_other(const adr_coll *member, int32_t which) { return at(member, which)->other; }

const int64_t *adr_coll_words(const adr_coll *member, int32_t which) { return at(member, which)->words; }

int32_t adr_coll_expose(adr_coll *member, int32_t which, int32_t in_by, int64_t in, int32_t out_by, int64_t out,
                        int32_t spaces, int64_t segment) {
  if ((uint32_t)which >= ADR_SLOT_LINES || ((in_by | out_by | spaces) & ~MAX_NUMBER) != 0) { return ADR_INVALID; }
  struct adr_collective *one = &member->collectives[which];
  if (one->move != ADR_COLL_EXPOSE_BUFFERS) { return ADR_INVALID; }
  uint64_t *tells = one->direct.tells;
  const int32_t given_by = adr_exchange_is_over_input(one) ? 0 : in_by;
  tells[ADR_SLOT_TELL_BY] = (uint64_t)given_by | (uint64_t)out_by << 8 | (uint64_t)spaces << 16;
  tells[ADR_SLOT_TELL_IN] = (uint64_t)(adr_coll_is_exchange(one->kind) ? in + adr_exchange_one_block_at(one) : in);
  tells[ADR_SLOT_TELL_OUT] = (uint64_t)out;
  tells[ADR_SLOT_TELL_SEGMENT] = (uint64_t)segment;
  one->direct.exposed = true;
  return 0;
}
