/* One member's moves by lines, see adr_slot.h: the line that it posts, those of others that it reads, what is combined
 * of them; and the bytes that it takes from its caller or hands to it. The moves through stages, straight from memory
 * and in exchanges stand on these. Twin of io.adrastea.coll.LineMoves. */
#include "coll/adr_coll_lines.h"

#include <stdlib.h>
#include <string.h>

#include "coll/adr_combine.h"
#include "coll/adr_fold_room.h"
#include "copy/adr_copy.h"
#include "ranktable/adr_rank_table.h"
#include "wait/adr_doorbell.h"

enum {
  USER_ELEMENTS = 192,   /* stands in a line for a user's operator whose elements have a length of their own */
  PURPOSE_BITS = 0xff00, /* of what a line tells: the kind of element, or the purpose */
};

/* Odd, and its bits are spread [Knuth 1998, The Art of Computer Programming 3, 6.4: Fibonacci hashing]. */
#define DIGEST_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* Where in the slot */

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

static int32_t wait_for(struct adr_collective *coll, uint32_t member) {
  coll->other = (int32_t)member;
  return ADR_AGAIN;
}

static void lags(struct adr_collective *coll, uint32_t lag) { coll->lag = lag > coll->lag ? lag : coll->lag; }

/* The caller */

int32_t adr_coll_ask(struct adr_collective *coll, int32_t status, const uint8_t *memory, int64_t source, int64_t target,
                     int64_t position, int64_t length) {
  coll->words[ADR_COLL_SOURCE] = source;
  coll->words[ADR_COLL_TARGET] = target;
  coll->words[ADR_COLL_POSITION] = position;
  coll->words[ADR_COLL_BYTES] = length;
  coll->words[ADR_COLL_PLACE] = memory == slot_bytes(coll) ? ADR_COLL_IN_SLOT : ADR_COLL_IN_STAGES;
  coll->other = -1;
  return status;
}

int32_t adr_coll_fill(struct adr_collective *coll, uint8_t *memory, int64_t target, int64_t position, int64_t length) {
  if (coll->in != NULL) {
    adr_copy_over_stage(memory + target, coll->in + position, (uint64_t)length);
    coll->moved += length;
    return ADR_COLL_NEXT;
  }
  return adr_coll_asks(coll) ? adr_coll_ask(coll, ADR_COLL_FILL, memory, 0, target, position, length) : ADR_COLL_NEXT;
}

int32_t adr_coll_drain(struct adr_collective *coll, const uint8_t *memory, int64_t source, int64_t position,
                       int64_t length) {
  if (coll->out != NULL) {
    adr_copy_piece(coll->out + position, memory + source, (uint64_t)length);
    coll->moved += length;
    return ADR_COLL_NEXT;
  }
  return adr_coll_asks(coll) ? adr_coll_ask(coll, ADR_COLL_DRAIN, memory, source, 0, position, length) : ADR_COLL_NEXT;
}

/* Members that sleep */

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

/* Which collective it is */

bool adr_lines_allows_parts(struct adr_collective *coll, const int64_t *given, int64_t unit, int64_t bytes) {
  const uint32_t ranks = coll->slot.ranks;
  if (given == NULL) { return false; }
  if (coll->lines.parts == NULL) { coll->lines.parts = malloc(2 * ranks * sizeof *coll->lines.parts); }
  if (coll->lines.parts == NULL) { return false; }
  int64_t total = 0;
  for (uint32_t part = 0; part < ranks; part++) {
    const int64_t length = given[ADR_COLL_GIVE_BYTES * ranks + part];
    if (length < 0 || length > bytes - total || length % unit != 0) { return false; }
    coll->lines.parts[part] = length;
    coll->lines.parts[ranks + part] = total;
    total += length;
  }
  return total == bytes && adr_fold_takes(ranks, unit, coll->lines.parts);
}

/* What stands for the lengths of the parts in the place of the root: a member that has others calls something else. */
static int32_t digest_of(const struct adr_collective *coll) {
  uint64_t digest = 0;
  for (uint32_t part = 0; part < coll->slot.ranks; part++) {
    digest = (digest + (uint64_t)coll->lines.parts[part]) * DIGEST_FACTOR;
  }
  return (int32_t)(digest >> 48 | 1); /* 0: all are as long */
}

/* What a line tells of operands: the kind of element and the operator. Where a user's operator combines elements that
 * are not of the length of their kind, their length stands in both places. */
static uint64_t operands(const struct adr_collective *coll, int64_t unit) {
  if (coll->op == ADR_USER_OPERATOR && adr_element_bytes(coll->element) != unit) {
    const uint64_t less = (uint64_t)unit - 1;
    return (less & ADR_COLL_MAX_NUMBER) << ADR_COLL_ELEMENT_BITS | USER_ELEMENTS | less >> ADR_COLL_ELEMENT_BITS;
  }
  return (uint64_t)coll->element << ADR_COLL_ELEMENT_BITS | (uint64_t)coll->op;
}

/* Says whose lines this member reads, and what it combines of them. */
static void choose_lines(struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  const uint32_t root = (uint32_t)coll->root;
  coll->lines.first = 0;
  coll->lines.last = coll->slot.ranks;
  if (coll->way == ADR_COLL_LINES_BCAST) {
    coll->lines.first = root;
    coll->lines.last = self == root ? root : root + 1;
  } else if (coll->way == ADR_COLL_LINES_NEEDED && coll->kind == ADR_COLL_REDUCE) {
    coll->lines.last = self == root ? coll->slot.ranks : 0;
  } else if (coll->way == ADR_COLL_LINES_NEEDED) {
    coll->lines.last = coll->kind == ADR_COLL_SCAN ? self + 1 : self;
  }
  coll->lines.fold_from = 0;
  coll->lines.fold_bytes = coll->bytes;
  if (coll->kind == ADR_COLL_REDUCE_SCATTER && coll->way == ADR_COLL_LINES_ALL) {
    coll->lines.fold_from = adr_coll_part_at(coll, self);
    coll->lines.fold_bytes = adr_coll_part_bytes(coll, self);
  }
}

void adr_lines_begin(struct adr_collective *coll, int32_t kind, int32_t root, int64_t bytes, int32_t element,
                     int32_t op, int64_t unit) {
  adr_coll *member = coll->member;
  coll->kind = kind;
  coll->lines.by_parts = kind == ADR_COLL_REDUCE_SCATTER && root == 1;
  coll->root = coll->lines.by_parts ? digest_of(coll) : root;
  coll->bytes = bytes;
  coll->element = element & ADR_COLL_MAX_NUMBER;
  coll->op = op;
  coll->way = adr_coll_choice(kind, coll->slot.ranks, bytes, coll->slot.choices);
  coll->sequence = ++member->sequence;
  coll->lag = adr_coll_own_lag(coll);
  if (adr_coll_compares_few(coll)) { /* 31 is odd: one that differs in one root, or kind, differs from then on */
    const uint32_t call = (uint32_t)root + ((uint32_t)(kind - ADR_COLL_BCAST) << 5);
    member->roots = (31 * member->roots + call + 1) & 0xff;
  }
  const bool exchanges = adr_coll_is_exchange(kind);
  coll->lines.head = (uint64_t)coll->sequence << 32 | (uint64_t)kind << 24 | (uint64_t)coll->root << 8 | member->roots;
  coll->lines.what = (uint64_t)bytes << 16
                     | (exchanges ? (uint64_t)element << ADR_COLL_ELEMENT_BITS | (uint64_t)(op & ADR_COLL_BY_PARTS)
                        : kind < ADR_COLL_REDUCE ? (uint64_t)element << ADR_COLL_ELEMENT_BITS | (uint64_t)op
                                                 : operands(coll, unit));
  coll->lines.compared = exchanges ? PURPOSE_BITS : UINT64_MAX;
  choose_lines(coll);
  coll->lines.at = coll->lines.first;
  coll->asked = false;
  coll->lines.exposed = false;
}

/* Wakes those that wait for this member's line. */
static void wake_readers(const struct adr_collective *coll) {
  if (coll->way == ADR_COLL_LINES_ROOT) {
    adr_coll_wake(coll, 0);
  } else if (coll->way == ADR_COLL_LINES_NEEDED && coll->kind == ADR_COLL_REDUCE) {
    adr_coll_wake(coll, (uint32_t)coll->root);
  } else {
    adr_coll_wake_all(coll);
  }
}

/* One line */

bool adr_coll_has_room(struct adr_collective *coll) {
  return adr_coll_all_have_done(coll, coll->sequence - ADR_SLOT_LINES);
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
  if (found == coll->lines.head) {
    const uint64_t what = adr_slot_what(&coll->slot, member, coll->sequence);
    if (((adr_slot_call(what) ^ coll->lines.what) & coll->lines.compared) == 0) {
      lags(coll, adr_slot_lag(what));
      return ADR_COLL_NEXT;
    }
  }
  coll->other = (int32_t)member;
  return found >> 32 == coll->lines.head >> 32 ? adr_coll_mismatch(coll, member, found) : ADR_AGAIN;
}

int32_t adr_coll_see(struct adr_collective *coll, uint32_t member, int64_t steps, bool compares) {
  /* This member's own line is on its way to the others. */
  if (member == coll->slot.self) { return ADR_COLL_NEXT; }
  if (compares) {
    const int32_t status = adr_coll_look(coll, member);
    if (status != ADR_COLL_NEXT) { return status; }
    if (steps == 1 && adr_slot_tells_step(adr_slot_what(&coll->slot, member, coll->sequence))) { return status; }
  }
  return adr_slot_has_taken(&coll->slot, member, coll->sequence, steps) ? ADR_COLL_NEXT : wait_for(coll, member);
}

/* Whether a line with this number can be there: posted a multiple of four collectives ago, not yet, or for this one. */
static bool is_old(const struct adr_collective *coll, uint64_t number) {
  const uint32_t ago = (uint32_t)coll->sequence - (uint32_t)number;
  return number == 0 || ((ago & (ADR_SLOT_LINES - 1)) == 0 && ago <= 2 * ADR_COLL_POSTED_BY_ALL);
}

bool adr_lines_is_plausible(const struct adr_collective *coll, uint32_t member) {
  return is_old(coll, adr_slot_head(&coll->slot, member, coll->sequence) >> 32);
}

int32_t adr_lines_compare(struct adr_collective *coll, uint32_t waited) {
  if ((coll->kind == ADR_COLL_BCAST || coll->kind == ADR_COLL_SCATTER)
      && adr_slot_head(&coll->slot, coll->slot.self, coll->sequence) >> 32 != coll->lines.head >> 32
      && adr_coll_has_room(coll)) {
    adr_slot_post(&coll->slot, coll->sequence, coll->lines.head, coll->lines.what, adr_coll_own_lag(coll),
                  0); /* others see it */
  }
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    const uint64_t found = adr_slot_head(&coll->slot, member, coll->sequence);
    if (found >> 32 == coll->lines.head >> 32) {
      if (adr_coll_look(coll, member) == ADR_COLL_MISMATCH) { return ADR_COLL_MISMATCH; }
    } else if (!is_old(coll, found >> 32)) {
      coll->other = (int32_t)member;
      return ADR_CORRUPT;
    }
  }
  coll->other = (int32_t)waited;
  return is_old(coll, adr_slot_progress(&coll->slot, waited, coll->sequence) >> 32) ? ADR_AGAIN : ADR_CORRUPT;
}

/* A collective by lines */

/* Behind the last one whose operand is combined here. */
static uint32_t folds_until(const struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  return coll->kind == ADR_COLL_SCAN ? self + 1 : coll->kind == ADR_COLL_EXSCAN ? self : coll->slot.ranks;
}

/* Whether the lines that this member reads are those of all others. */
static bool has_read_all(const struct adr_collective *coll) {
  const uint32_t ranks = coll->slot.ranks;
  return (coll->lines.first == 0
          && (coll->lines.last == ranks || (coll->lines.last == ranks - 1 && coll->slot.self == coll->lines.last)))
         || (coll->way == ADR_COLL_LINES_BCAST && ranks == 2);
}

int32_t adr_lines_fill_line(struct adr_collective *coll) {
  const int64_t target = offset_in_slot(coll, payload(coll, coll->slot.self));
  return adr_coll_gives(coll) ? adr_coll_fill(coll, slot_bytes(coll), target, 0, coll->bytes) : ADR_COLL_NEXT;
}

int32_t adr_lines_expose(struct adr_collective *coll) {
  return coll->lines.exposed ? ADR_COLL_NEXT
                             : adr_coll_ask(coll, ADR_COLL_EXPOSE, slot_bytes(coll), 0, 0, 0, coll->bytes);
}

void adr_lines_tell(struct adr_collective *coll, uint64_t by, uint64_t in, uint64_t out, uint64_t segment) {
  uint64_t *told = coll->lines.told;
  told[ADR_SLOT_TELL_BY] = by;
  told[ADR_SLOT_TELL_IN] = in;
  told[ADR_SLOT_TELL_OUT] = out;
  told[ADR_SLOT_TELL_SEGMENT] = segment;
  memcpy(payload(coll, coll->slot.self), told, sizeof coll->lines.told);
  adr_slot_result_words(&coll->slot, coll->slot.self, coll->sequence)[ADR_SLOT_HAS_COPIED] = 0; /* shown by the head */
  coll->lines.exposed = true;
}

void adr_lines_post(struct adr_collective *coll) {
  if (ADR_UNLIKELY(adr_coll_is_posted_by_all(coll))) { adr_slot_publish(&coll->slot, coll->sequence, 0); }
  adr_slot_post(&coll->slot, coll->sequence, coll->lines.head, coll->lines.what, adr_coll_own_lag(coll), 0);
  wake_readers(coll);
}

static int32_t give(struct adr_collective *coll, const uint8_t *source, int64_t position) {
  return adr_coll_drain(coll, slot_bytes(coll), offset_in_slot(coll, source), position, coll->bytes);
}

static int32_t fold_by_caller(struct adr_collective *coll, const uint8_t *operand, uint8_t *target) {
  if (coll->asked) {
    coll->asked = false;
    return ADR_COLL_NEXT;
  }
  if (coll->lines.folded_at != target) {
    memcpy(target, coll->lines.folded_at, (size_t)coll->lines.fold_bytes);
    coll->lines.folded_at = target;
  }
  coll->asked = true;
  return adr_coll_ask(coll, ADR_COLL_COMBINE, slot_bytes(coll), offset_in_slot(coll, operand),
                      offset_in_slot(coll, target), 0, coll->lines.fold_bytes);
}

/* Combines a member's operand with those before it. */
static int32_t fold(struct adr_collective *coll, uint32_t member) {
  const uint8_t *operand = payload(coll, member) + coll->lines.fold_from;
  uint8_t *target = result(coll, coll->slot.self);
  if (member == 0) {
    coll->lines.folded_at = operand;
  } else if (coll->op == ADR_USER_OPERATOR) {
    return fold_by_caller(coll, operand, target);
  } else {
    adr_combine(coll->op, coll->element, target, coll->lines.folded_at, operand, coll->lines.fold_bytes);
    coll->lines.folded_at = target;
  }
  return ADR_COLL_NEXT;
}

/* Whether a member's operand is combined here; where all lines are compared it may not be. */
static bool needs(const struct adr_collective *coll, uint32_t member) {
  return member < folds_until(coll) && coll->lines.fold_bytes > 0
         && (coll->way == ADR_COLL_LINES_ROOT || adr_coll_gets(coll));
}

static int32_t use(struct adr_collective *coll, uint32_t member) {
  if (coll->bytes == 0) { return ADR_COLL_NEXT; }
  if (coll->way >= ADR_COLL_STAGES) { return ADR_COLL_NEXT; }
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

/* All lines were read that this member reads: member 0 posts what it makes of them. */
static void post_result(struct adr_collective *coll) {
  uint8_t *target = result(coll, coll->slot.self);
  if (coll->bytes > 0 && coll->lines.folded_at != target) { /* alone */
    memcpy(target, coll->lines.folded_at, (size_t)coll->bytes);
  }
  adr_slot_publish(&coll->slot, coll->sequence, 1 + coll->lag);
  adr_coll_wake_all(coll);
}

int32_t adr_lines_read(struct adr_collective *coll) {
  for (; coll->lines.at < coll->lines.last; coll->lines.at++) {
    int32_t status = adr_coll_look(coll, coll->lines.at);
    if (status == ADR_COLL_NEXT) { status = use(coll, coll->lines.at); }
    if (status != ADR_COLL_NEXT) { return status; }
  }
  if (has_read_all(coll)) { adr_coll_all_have_begun(coll); }
  if (coll->way == ADR_COLL_LINES_ROOT) { post_result(coll); }
  if (coll->kind == ADR_COLL_BCAST) { coll->lines.folded_at = payload(coll, (uint32_t)coll->root); }
  return ADR_COLL_NEXT;
}

int32_t adr_lines_read_root(struct adr_collective *coll) {
  const int32_t status = adr_coll_look(coll, (uint32_t)coll->root);
  if (status == ADR_COLL_NEXT) { coll->lines.folded_at = payload(coll, (uint32_t)coll->root); }
  return status;
}

int32_t adr_lines_read_result(struct adr_collective *coll) {
  if (!adr_slot_has_taken(&coll->slot, 0, coll->sequence, 1)) { return wait_for(coll, 0); }
  const int32_t status = adr_coll_look(coll, 0);
  if (status != ADR_COLL_NEXT) { return status; }
  lags(coll, (uint32_t)adr_slot_progress(&coll->slot, 0, coll->sequence) - 1); /* of all whose lines it has read */
  adr_coll_all_have_begun(coll);
  coll->lines.folded_at = result(coll, 0);
  return ADR_COLL_NEXT;
}

static int32_t give_folded(struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  if (coll->kind != ADR_COLL_REDUCE_SCATTER) { return give(coll, coll->lines.folded_at, 0); }
  const int64_t bytes = adr_coll_part_bytes(coll, self);
  const uint8_t *from = coll->lines.folded_at + (coll->way == ADR_COLL_LINES_ROOT ? adr_coll_part_at(coll, self) : 0);
  return bytes > 0 ? adr_coll_drain(coll, slot_bytes(coll), offset_in_slot(coll, from), 0, bytes) : ADR_COLL_NEXT;
}

int32_t adr_lines_give_result(struct adr_collective *coll) {
  return adr_coll_gets(coll) ? give_folded(coll) : ADR_COLL_NEXT;
}

/* The straight path: a collective by lines alone that ends in its first call, without a step between two moves, while
 * no other one is under way at any member. What it finds not to be there it leaves to the moves above. */

bool adr_coll_await_head(const struct adr_collective *coll, uint32_t member, int32_t spins) {
  for (int32_t left = spins; adr_slot_head(&coll->slot, member, coll->sequence) != coll->lines.head; adr_cpu_pause()) {
    if (--left <= 0) { return false; }
  }
  return true;
}

static bool await_line(const struct adr_collective *coll, uint32_t member, int32_t spins) {
  return adr_coll_await_head(coll, member, spins)
         && adr_slot_what(&coll->slot, member, coll->sequence) == coll->lines.what;
}

bool adr_coll_await_step(const struct adr_collective *coll, uint32_t member, int32_t spins) {
  return adr_coll_await_head(coll, member, spins)
         && adr_slot_what(&coll->slot, member, coll->sequence)
                == (coll->lines.what | UINT64_C(1) << ADR_SLOT_STEP_SHIFT);
}

/* Combines what a member gives with what those before it give; the last one's goes to the caller. */
static void fold_straight(struct adr_collective *coll, uint32_t member, const uint8_t *operand) {
  const bool is_last = member == folds_until(coll) - 1;
  if (member == 0) {
    coll->lines.folded_at = payload(coll, 0) + coll->lines.fold_from;
    if (is_last) { adr_copy_inline(coll->out, operand, (uint32_t)coll->lines.fold_bytes); }
    return;
  }
  const uint8_t *left = member == 1 && coll->slot.self == 0 ? coll->in + coll->lines.fold_from : coll->lines.folded_at;
  uint8_t *target = is_last ? coll->out : result(coll, coll->slot.self);
  adr_combine(coll->op, coll->element, target, left, operand, coll->lines.fold_bytes);
  coll->lines.folded_at = target;
}

/* Takes what a member gives. This member's own line is on its way to those that read it: to look at it again would take
 * as long. */
static void take(struct adr_collective *coll, uint32_t member) {
  /* A reduce_scatter in place may write over operands of other parts. */
  const bool is_own = member == coll->slot.self && (coll->kind != ADR_COLL_REDUCE_SCATTER || coll->in != coll->out);
  const uint8_t *operand = is_own ? coll->in : payload(coll, member);
  if (adr_coll_is_fold(coll->kind)) {
    if (member < folds_until(coll) && coll->lines.fold_bytes > 0) {
      fold_straight(coll, member, operand + coll->lines.fold_from);
    }
  } else if (coll->kind == ADR_COLL_ALLGATHER) {
    adr_copy_inline(coll->out + member * coll->bytes, operand, (uint32_t)coll->bytes);
  } else if (member == (uint32_t)coll->root) {
    adr_copy_inline(coll->out, operand, (uint32_t)coll->bytes);
  }
}

bool adr_lines_go_straight(struct adr_collective *coll, int32_t spins) {
  const uint32_t self = coll->slot.self;
  if (!adr_coll_is_leaf_of_bcast(coll)) {
    if (adr_coll_gives(coll)) { adr_copy_inline(payload(coll, self), coll->in, (uint32_t)coll->bytes); }
    adr_slot_post(&coll->slot, coll->sequence, coll->lines.head, coll->lines.what, 0, 0);
    wake_readers(coll);
    if (coll->lines.first == coll->lines.last) {
      (void)adr_coll_all_have_done(coll, coll->sequence + 1 - ADR_SLOT_LINES); /* now rather than before the next one */
      return true;
    }
  }
  const bool takes = adr_coll_gets(coll);
  const uint32_t last = coll->lines.last;
  for (uint32_t member = coll->lines.first; member < last; member++) {
    if (member != self && ADR_UNLIKELY(!await_line(coll, member, spins))) {
      coll->lines.at = member;
      return false;
    }
    if (takes) { take(coll, member); }
  }
  if (has_read_all(coll)) {
    adr_coll_all_have_begun(coll);
  } else if (coll->way == ADR_COLL_LINES_NEEDED) {
    (void)adr_coll_all_have_done(coll, coll->sequence + 1 - ADR_SLOT_LINES);
  }
  return true;
}

void adr_coll_show(struct adr_collective *coll, uint32_t step) {
  adr_slot_post(&coll->slot, coll->sequence, coll->lines.head, coll->lines.what, 0, step);
  if (coll->kind == ADR_COLL_GATHER || coll->kind == ADR_COLL_REDUCE) {
    adr_coll_wake(coll, (uint32_t)coll->root);
  } else {
    adr_coll_wake_all(coll);
  }
}
