/* Collectives of a communicator, see adrastea/coll.h. Twin of io.adrastea.coll.Collective.
 *
 * Every member takes the same collectives in the same order, and counts them. In each it posts a line that tells which
 * one it is, up to 48 bytes of payload with it, and reads those of others [MPICH2 2007, 3.4: a barrier in a slot of
 * shared memory]. What is longer goes through cells (adr_coll_cells.c). adr_slot.h says in which order words are
 * written and read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "coll/adr_coll_choice.h"
#include "coll/adr_coll_state.h"
#include "coll/adr_combine.h"
#include "ranktable/adr_rank_table.h"
#include "wait/adr_doorbell.h"

enum move { IDLE, GET_ROOM, POST, READ_LINES, READ_RESULT, GIVE_RESULT, END, MOVE_CELLS };

enum {
  MOST_MOVED = 65536, /* bytes in a call: all threads' safepoints of a JVM wait for its end */
  MAX_NUMBER = 255,   /* of an element or an operation */
};

/* In four collectives out of so many each member posts its line, and its progress too, though it need not: none of the
 * lines is so old that its number, of 32 bits, could be mistaken. */
#define POSTED_BY_ALL (INT64_C(1) << 28)
#define MAX_BYTES (INT64_C(1) << 40) /* their rounds can be counted in 31 bits */

int32_t adr_coll_open(void *base, int32_t job_ranks, void *slot, int64_t bytes, int32_t self, adr_coll **opened) {
  struct adr_slot *header = slot;
  const uint32_t ranks = adr_load_once_u32(&header->ranks);
  *opened = NULL;
  if (ranks < 1 || ranks > (uint32_t)job_ranks || self < 0 || (uint32_t)self >= ranks
      || (uint64_t)bytes < adr_slot_bytes(ranks)) {
    return ADR_CORRUPT;
  }
  adr_coll *coll = calloc(1, sizeof *coll + ranks * sizeof *coll->local_ranks);
  if (coll == NULL) { return -ENOMEM; }
  const uint32_t *local_ranks = (const uint32_t *)((const uint8_t *)slot + ADR_SLOT_BYTES);
  for (uint32_t member = 0; member < ranks; member++) {
    coll->local_ranks[member] = adr_load_once_u32(&local_ranks[member]);
    if (coll->local_ranks[member] >= (uint32_t)job_ranks) {
      free(coll);
      return ADR_CORRUPT;
    }
  }
  coll->slot.slot = header;
  coll->slot.members = (struct adr_slot_member *)(void *)((uint8_t *)slot + adr_slot_members_offset(ranks));
  coll->slot.ranks = ranks;
  coll->slot.choices = adr_load_once_u32(&header->choices);
  coll->slot.self = (uint32_t)self;
  coll->base = base;
  coll->other = -1;
  coll->sequence = adr_slot_done(&coll->slot, coll->slot.self);
  coll->least = coll->sequence - ADR_SLOT_LINES; /* nothing is known */
  *opened = coll;
  return 0;
}

void adr_coll_close(adr_coll *coll) { free(coll); }

/* Moves on */

static int32_t next(adr_coll *coll, enum move move) {
  coll->move = move;
  return ADR_COLL_NEXT;
}

int32_t adr_coll_ends(adr_coll *coll) { return next(coll, END); }

static int32_t wait_for(adr_coll *coll, uint32_t member) {
  coll->other = (int32_t)member;
  return ADR_AGAIN;
}

static uint8_t *slot_bytes(const adr_coll *coll) { return (uint8_t *)coll->slot.slot; }

static int64_t offset_in_slot(const adr_coll *coll, const uint8_t *place) { return place - slot_bytes(coll); }

static uint8_t *payload(const adr_coll *coll, uint32_t member) {
  return adr_slot_line_of(&coll->slot, member, coll->sequence)->payload;
}

static uint8_t *result(const adr_coll *coll, uint32_t member) {
  return adr_slot_line_of(&coll->slot, member, coll->sequence)->result;
}

static bool is_leaf_of_bcast(const adr_coll *coll) {
  return coll->way == ADR_COLL_LINES_BCAST && coll->slot.self != (uint32_t)coll->root;
}

static bool is_posted_by_all(const adr_coll *coll) { return (coll->sequence & (POSTED_BY_ALL - 1)) < ADR_SLOT_LINES; }

static bool posts(const adr_coll *coll) { return !is_leaf_of_bcast(coll) || is_posted_by_all(coll); }

/* A root that only sends would not look at what the others call. */
static bool compares_before(const adr_coll *coll) {
  return coll->kind == ADR_COLL_BCAST && (coll->slot.choices & ADR_SLOT_CHECKED) != 0;
}

bool adr_coll_all_have_done(adr_coll *coll, int64_t earlier) {
  if (earlier <= coll->least) { return true; }
  int64_t all = INT64_MAX;
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    const int64_t done = adr_slot_done(&coll->slot, member);
    if (done < earlier) {
      coll->other = (int32_t)member;
      return false;
    }
    all = done < all ? done : all;
  }
  coll->least = all;
  return true;
}

void adr_coll_all_have_begun(adr_coll *coll) {
  if (coll->least < coll->sequence - 1) { coll->least = coll->sequence - 1; }
}

/* Room is there once nobody reads the line of four collectives ago any more. */
static int32_t get_room(adr_coll *coll) {
  return adr_coll_all_have_done(coll, coll->sequence - ADR_SLOT_LINES) ? next(coll, POST) : ADR_AGAIN;
}

void adr_coll_wake(const adr_coll *coll, uint32_t member) {
  if (member != coll->slot.self) { adr_doorbell_ring(adr_rank_table_entry(coll->base, coll->local_ranks[member])); }
}

void adr_coll_wake_all(const adr_coll *coll) {
  adr_doorbell_order();
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    if (member != coll->slot.self) {
      adr_doorbell_ring_ordered(adr_rank_table_entry(coll->base, coll->local_ranks[member]));
    }
  }
}

int32_t adr_coll_ask(adr_coll *coll, int32_t status, const uint8_t *memory, int64_t source, int64_t target,
                     int64_t position, int64_t length) {
  coll->words[ADR_COLL_SOURCE] = source;
  coll->words[ADR_COLL_TARGET] = target;
  coll->words[ADR_COLL_POSITION] = position;
  coll->words[ADR_COLL_BYTES] = length;
  coll->words[ADR_COLL_PLACE] = memory == slot_bytes(coll) ? ADR_COLL_IN_SLOT : ADR_COLL_IN_CELLS;
  coll->other = -1;
  return status;
}

int32_t adr_coll_fill(adr_coll *coll, uint8_t *memory, int64_t target, int64_t position, int64_t length) {
  if (coll->in != NULL) {
    memcpy(memory + target, coll->in + position, (size_t)length);
    coll->moved += length;
    return ADR_COLL_NEXT;
  }
  coll->asked = !coll->asked;
  return coll->asked ? adr_coll_ask(coll, ADR_COLL_FILL, memory, 0, target, position, length) : ADR_COLL_NEXT;
}

int32_t adr_coll_drain(adr_coll *coll, const uint8_t *memory, int64_t source, int64_t position, int64_t length) {
  if (coll->out != NULL) {
    memcpy(coll->out + position, memory + source, (size_t)length);
    coll->moved += length;
    return ADR_COLL_NEXT;
  }
  coll->asked = !coll->asked;
  return coll->asked ? adr_coll_ask(coll, ADR_COLL_DRAIN, memory, source, 0, position, length) : ADR_COLL_NEXT;
}

static int32_t post(adr_coll *coll) {
  const uint32_t self = coll->slot.self;
  if (coll->way != ADR_COLL_CELLS && coll->bytes > 0
      && (coll->kind != ADR_COLL_BCAST || self == (uint32_t)coll->root)) {
    const int32_t status =
        adr_coll_fill(coll, slot_bytes(coll), offset_in_slot(coll, payload(coll, self)), 0, coll->bytes);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  if (ADR_UNLIKELY(is_posted_by_all(coll))) { adr_slot_publish(&coll->slot, coll->sequence, 0); }
  adr_slot_post(&coll->slot, coll->sequence, coll->head, coll->what);
  if (coll->way == ADR_COLL_LINES_ROOT) {
    adr_coll_wake(coll, 0);
  } else {
    adr_coll_wake_all(coll);
  }
  switch (coll->way) {
  case ADR_COLL_CELLS:
    return next(coll, compares_before(coll) ? READ_LINES : MOVE_CELLS);
  case ADR_COLL_LINES_BCAST:
    return next(coll, self == (uint32_t)coll->root ? END : READ_LINES);
  case ADR_COLL_LINES_ROOT:
    return next(coll, self == 0 ? READ_LINES : READ_RESULT);
  default:
    return next(coll, READ_LINES);
  }
}

static int32_t mismatch(adr_coll *coll, uint32_t member, uint64_t found) {
  coll->words[ADR_COLL_HEAD] = (int64_t)found;
  coll->words[ADR_COLL_WHAT] = (int64_t)adr_slot_what(&coll->slot, member, coll->sequence);
  return ADR_COLL_MISMATCH;
}

int32_t adr_coll_look(adr_coll *coll, uint32_t member) {
  const uint64_t found = adr_slot_head(&coll->slot, member, coll->sequence);
  if (found == coll->head && adr_slot_what(&coll->slot, member, coll->sequence) == coll->what) { return ADR_COLL_NEXT; }
  coll->other = (int32_t)member;
  return found >> 32 == coll->head >> 32 ? mismatch(coll, member, found) : ADR_AGAIN;
}

static int32_t give(adr_coll *coll, const uint8_t *source, int64_t position) {
  return adr_coll_drain(coll, slot_bytes(coll), offset_in_slot(coll, source), position, coll->bytes);
}

static int32_t fold_by_caller(adr_coll *coll, const uint8_t *operand, uint8_t *target) {
  if (coll->asked) {
    coll->asked = false;
    return ADR_COLL_NEXT;
  }
  if (coll->folded_at != target) {
    memcpy(target, coll->folded_at, (size_t)coll->bytes);
    coll->folded_at = target;
  }
  coll->asked = true;
  return adr_coll_ask(coll, ADR_COLL_COMBINE, slot_bytes(coll), offset_in_slot(coll, operand),
                      offset_in_slot(coll, target), 0, coll->bytes);
}

/* Combines a member's operand with those before it. */
static int32_t fold(adr_coll *coll, uint32_t member) {
  const uint8_t *operand = payload(coll, member);
  uint8_t *target = result(coll, coll->slot.self);
  if (member == 0) {
    coll->folded_at = operand;
  } else if (coll->operation == ADR_USER_OPERATION) {
    return fold_by_caller(coll, operand, target);
  } else {
    adr_combine(coll->operation, coll->element, target, coll->folded_at, operand, coll->bytes);
    coll->folded_at = target;
  }
  return ADR_COLL_NEXT;
}

static int32_t use(adr_coll *coll, uint32_t member) {
  if (coll->bytes == 0) { return ADR_COLL_NEXT; }
  switch (coll->kind) {
  case ADR_COLL_ALLREDUCE:
    return fold(coll, member);
  case ADR_COLL_ALLGATHER:
    return give(coll, payload(coll, member), (int64_t)member * coll->bytes);
  default:
    return ADR_COLL_NEXT;
  }
}

static int32_t read_lines(adr_coll *coll) {
  for (; coll->at < coll->slot.ranks; coll->at++) {
    int32_t status = adr_coll_look(coll, coll->at);
    if (status == ADR_COLL_NEXT) { status = use(coll, coll->at); }
    if (status != ADR_COLL_NEXT) { return status; }
  }
  adr_coll_all_have_begun(coll);
  if (coll->way == ADR_COLL_CELLS) { return next(coll, MOVE_CELLS); }
  if (coll->way == ADR_COLL_LINES_ROOT) {
    uint8_t *target = result(coll, coll->slot.self);
    if (coll->bytes > 0 && coll->folded_at != target) { /* alone */
      memcpy(target, coll->folded_at, (size_t)coll->bytes);
    }
    adr_slot_publish(&coll->slot, coll->sequence, 1);
    adr_coll_wake_all(coll);
  }
  if (coll->kind == ADR_COLL_BCAST) { coll->folded_at = payload(coll, (uint32_t)coll->root); }
  return next(coll, coll->kind == ADR_COLL_ALLGATHER ? END : GIVE_RESULT);
}

static int32_t read_root(adr_coll *coll) {
  const int32_t status = adr_coll_look(coll, (uint32_t)coll->root);
  if (status != ADR_COLL_NEXT) { return status; }
  coll->folded_at = payload(coll, (uint32_t)coll->root);
  return next(coll, GIVE_RESULT);
}

static int32_t read_result(adr_coll *coll) {
  if (adr_slot_progress(&coll->slot, 0, coll->sequence) != ((uint64_t)coll->sequence << 32 | 1)) {
    return wait_for(coll, 0);
  }
  const int32_t status = adr_coll_look(coll, 0);
  if (status != ADR_COLL_NEXT) { return status; }
  adr_coll_all_have_begun(coll);
  coll->folded_at = result(coll, 0);
  return next(coll, GIVE_RESULT);
}

static int32_t give_result(adr_coll *coll) {
  const bool gets = coll->bytes > 0 && coll->kind != ADR_COLL_BARRIER
                    && (coll->kind != ADR_COLL_BCAST || coll->slot.self != (uint32_t)coll->root);
  const int32_t status = gets ? give(coll, coll->folded_at, 0) : ADR_COLL_NEXT;
  return status == ADR_COLL_NEXT ? next(coll, END) : status;
}

static int32_t end(adr_coll *coll) {
  adr_slot_end(&coll->slot, coll->sequence);
  if (coll->way == ADR_COLL_CELLS || is_leaf_of_bcast(coll)) {
    adr_coll_wake_all(coll); /* who is ahead, and needs our line or half of the cells to be free, may sleep */
  }
  coll->move = IDLE;
  coll->other = -1;
  return 0;
}

static int32_t advance(adr_coll *coll) {
  switch (coll->move) {
  case GET_ROOM:
    return get_room(coll);
  case POST:
    return post(coll);
  case READ_LINES:
    return coll->way == ADR_COLL_LINES_BCAST ? read_root(coll) : read_lines(coll);
  case READ_RESULT:
    return read_result(coll);
  case GIVE_RESULT:
    return give_result(coll);
  case MOVE_CELLS:
    return adr_cells_advance(coll);
  case END:
    return end(coll);
  default:
    return ADR_INVALID;
  }
}

/* Of a line that was posted before: a multiple of four collectives ago, none yet, or this one. */
static bool is_old(const adr_coll *coll, uint64_t number) {
  const uint32_t ago = (uint32_t)coll->sequence - (uint32_t)number;
  return number == 0 || ((ago & (ADR_SLOT_LINES - 1)) == 0 && ago <= 2 * POSTED_BY_ALL);
}

/* Who waits for another member than all finds out here that others call something else. */
static int32_t compare_heads(adr_coll *coll, uint32_t waited) {
  if (coll->way == ADR_COLL_LINES_BCAST
      && adr_slot_head(&coll->slot, coll->slot.self, coll->sequence) >> 32 != coll->head >> 32
      && adr_coll_all_have_done(coll, coll->sequence - ADR_SLOT_LINES)) {
    adr_slot_post(&coll->slot, coll->sequence, coll->head, coll->what); /* so that others see it */
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

static int32_t trouble_with(adr_coll *coll, uint32_t member) {
  if (adr_slot_is_revoked(&coll->slot)) { return ADR_COLL_REVOKED; }
  const uint32_t state = adr_slot_state(&coll->slot, member);
  if (state != ADR_MEMBER_OPEN) { return state == ADR_MEMBER_CLOSED ? ADR_COLL_CLOSED : ADR_COLL_BROKEN; }
  if (coll->move == READ_RESULT || coll->move == MOVE_CELLS
      || (coll->way == ADR_COLL_LINES_BCAST && coll->move == READ_LINES)) {
    return compare_heads(coll, member);
  }
  return is_old(coll, adr_slot_head(&coll->slot, member, coll->sequence) >> 32) ? ADR_AGAIN : ADR_CORRUPT;
}

/* Sees whether what is waited for can still come. What the other had posted before it left is seen by the second look
 * that follows. */
static int32_t waited_in_vain(adr_coll *coll) {
  const int32_t waited = coll->other;
  const int32_t trouble = trouble_with(coll, (uint32_t)waited);
  if (trouble == ADR_AGAIN) { return ADR_AGAIN; }
  const int32_t about = coll->other;
  const int32_t status = advance(coll);
  if (status != ADR_AGAIN || coll->other != waited) { return status == ADR_COLL_NEXT ? ADR_COLL_MOVED : status; }
  coll->other = about;
  return trouble;
}

static int32_t run(adr_coll *coll, int32_t spins) {
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

int32_t adr_coll_step(adr_coll *coll, const void *in, int64_t in_offset, void *out, int64_t out_offset, int32_t spins) {
  coll->in = in == NULL ? NULL : (const uint8_t *)in + in_offset;
  coll->out = out == NULL ? NULL : (uint8_t *)out + out_offset;
  coll->moved = 0;
  return run(coll, spins);
}

/* A user's operation tells the bytes of an element where others tell a root. */
static int32_t roots_of(const adr_coll *coll, int32_t kind, int32_t operation) {
  return kind == ADR_COLL_ALLREDUCE && operation == ADR_USER_OPERATION ? ADR_COLL_MOST_UNIT + 1
                                                                       : (int32_t)coll->slot.ranks;
}

/* Bytes of an element, 0: the operation cannot be carried out. */
static int64_t unit_of(int32_t root, int32_t element, int32_t operation) {
  if (operation == ADR_USER_OPERATION) { return root; }
  return adr_operation_check(operation, element) == 0 ? adr_element_bytes(element) : 0;
}

int32_t adr_coll_begin(adr_coll *coll, int32_t kind, int32_t root, int64_t bytes, int32_t element, int32_t operation,
                       const void *in, int64_t in_offset, void *out, int64_t out_offset, int32_t spins) {
  if (coll->move != IDLE) {
    return kind == ADR_COLL_BARRIER && coll->kind == ADR_COLL_BARRIER ? adr_coll_step(coll, NULL, 0, NULL, 0, spins)
                                                                      : ADR_BUSY;
  }
  if (kind < ADR_COLL_BARRIER || kind > ADR_COLL_ALLGATHER || root < 0 || root >= roots_of(coll, kind, operation)
      || bytes < 0 || bytes > (kind == ADR_COLL_BARRIER ? 0 : MAX_BYTES) || (element | operation) < 0
      || (element | operation) > MAX_NUMBER) {
    return ADR_INVALID;
  }
  const int64_t unit = kind == ADR_COLL_ALLREDUCE ? unit_of(root, element, operation) : 1;
  if (unit == 0 || bytes % unit != 0) { return ADR_INVALID; }
  if (adr_slot_is_revoked(&coll->slot)) { return ADR_COLL_REVOKED; }
  const uint32_t state = adr_slot_state(&coll->slot, coll->slot.self);
  if (state != ADR_MEMBER_OPEN) {
    coll->other = (int32_t)coll->slot.self;
    return state == ADR_MEMBER_CLOSED ? ADR_COLL_CLOSED : ADR_COLL_BROKEN;
  }
  coll->kind = kind;
  coll->root = root;
  coll->bytes = bytes;
  coll->element = element;
  coll->operation = operation;
  coll->way = adr_coll_choice(kind, coll->slot.ranks, bytes, coll->slot.choices);
  coll->sequence++;
  coll->head = (uint64_t)coll->sequence << 32 | (uint64_t)kind << 24 | (uint64_t)root << 8;
  coll->what = (uint64_t)bytes << 16 | (uint64_t)element << 8 | (uint64_t)operation;
  coll->at = 0;
  coll->asked = false;
  if (coll->way == ADR_COLL_CELLS) { adr_cells_begin(coll, unit); }
  coll->move = posts(coll) ? GET_ROOM : READ_LINES;
  return adr_coll_step(coll, in, in_offset, out, out_offset, spins);
}

/* What callers are told, and tell */

int32_t adr_coll_other(const adr_coll *coll) { return coll->other; }

const int64_t *adr_coll_words(const adr_coll *coll) { return coll->words; }

int64_t adr_coll_cells_bytes(const adr_coll *coll) { return (int64_t)coll->slot.ranks * ADR_COLL_CELL; }

int64_t adr_coll_cells_offset(const adr_coll *coll) { return adr_slot_cells(&coll->slot); }

int32_t adr_coll_publish_cells(adr_coll *coll, int64_t offset) {
  if (coll->slot.self != 0 || offset <= 0) { return ADR_INVALID; }
  adr_slot_publish_cells(&coll->slot, offset);
  adr_coll_wake_all(coll);
  return 0;
}

int32_t adr_coll_cells(adr_coll *coll, void *cells, int64_t bytes) {
  if (bytes < adr_coll_cells_bytes(coll)) { return ADR_INVALID; }
  coll->cells.memory = cells;
  return 0;
}

int32_t adr_coll_break_off(adr_coll *coll) {
  adr_slot_set_state(&coll->slot, ADR_MEMBER_BROKEN);
  adr_coll_wake_all(coll);
  return 0;
}

int32_t adr_coll_close_state(adr_coll *coll) {
  adr_slot_set_state(&coll->slot, ADR_MEMBER_CLOSED);
  adr_coll_wake_all(coll);
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    if (adr_slot_state(&coll->slot, member) != ADR_MEMBER_CLOSED) { return 0; }
  }
  return 1;
}

int32_t adr_coll_revoke(adr_coll *coll) {
  adr_slot_revoke(&coll->slot);
  adr_coll_wake_all(coll);
  return 0;
}

int32_t adr_coll_state(const adr_coll *coll, int32_t member) {
  return (uint32_t)member < coll->slot.ranks ? (int32_t)adr_slot_state(&coll->slot, (uint32_t)member) : ADR_INVALID;
}
