/* One member's moves in a reduce, a scan, an exscan or a reduce_scatter through stages. Twin of
 * io.adrastea.coll.FoldMoves; adr_coll_stages.c has the stages, and says when a quarter is free.
 *
 * A quarter is a ring of four buffers, one for each round, and behind them an area for what is combined in between. In
 * all of them operands are combined from the left, in the order of the members.
 * - reduce of little, or of two members: all but the root fill a buffer each round; the root combines those of all,
 * says so, and the buffers of four rounds before are filled again.
 * - reduce: as an allreduce. Each fills the one buffer; each owner of a part combines the part of all, and the root
 *   alone copies the parts. The buffer is filled again when all owners have combined what was there. An owner
 *   combines when it has seen that all have filled theirs: so the root has copied the parts of the round before.
 * - scan and exscan of little: each fills a buffer, and combines those of the members before it.
 * - scan and exscan: a chain. Each takes from the member before what that one and all before it give, combines it with
 *   its own operand, and shows the result to the member behind. A member's steps say two things of a round: 2 round +
 * 1, its own result is there; 2 round + 2, it has also taken what it takes of the member before.
 * - reduce_scatter: in a round each member fills a stretch of each part, and the owner of a part combines that of all.
 *   Members fill one round ahead: one that has seen that all have filled a buffer knows that all have read the one of
 *   two rounds before. Where there are so many members that a stretch would be very short, some parts come first, then
 *   others. */
#include "coll/adr_coll_fold.h"

#include <stdlib.h>
#include <string.h>

#include "coll/adr_coll_stages.h"
#include "coll/adr_coll_lines.h"
#include "coll/adr_combine.h"
#include "coll/adr_fold_room.h"
#include "copy/adr_copy.h"

enum {
  BUFFER = ADR_FOLD_BUFFER,
  BUFFERS = 4,
  COMBINED_ALONE = 2048, /* up to so many bytes a member that needs a result combines all: cheaper than one more wait */
};

typedef struct adr_collective collective;

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }

static uint32_t end_of(const collective *coll, uint32_t begin) {
  const uint32_t end = begin + coll->fold.group;
  return end < coll->slot.ranks ? end : coll->slot.ranks;
}

/* Bytes of the longest part of a group. */
static int64_t longest(const collective *coll, uint32_t begin) {
  int64_t most = 0;
  for (uint32_t part = begin; part < end_of(coll, begin); part++) {
    most = most_of(most, adr_coll_part_bytes(coll, part));
  }
  return most;
}

/* The first part of the first group from this one on that has any bytes; as many as there are: none has. */
static uint32_t next_group(const collective *coll, uint32_t from) {
  uint32_t begin = from;
  while (begin < coll->slot.ranks && longest(coll, begin) == 0) { begin += coll->fold.group; }
  return begin < coll->slot.ranks ? begin : coll->slot.ranks;
}

/* Bytes of a part that go in a round, behind those that came before. */
static int64_t stretch_of(const collective *coll, uint32_t part, int64_t before) {
  return most_of(0, least_of(coll->fold.room, adr_coll_part_bytes(coll, part) - before));
}

void adr_fold_begin(collective *coll) {
  struct adr_fold_moves *fold = &coll->fold;
  const int64_t unit = coll->stages.unit;
  const uint32_t ranks = coll->slot.ranks;
  fold->round = 0;
  fold->phase = 0;
  fold->at = 0;
  fold->seen = false;
  fold->owners = 0;
  fold->room = BUFFER / unit * unit;
  switch (coll->kind) {
  case ADR_COLL_REDUCE:
    if (ranks > 2 && coll->bytes > COMBINED_ALONE) {
      fold->owners = (uint32_t)least_of(ranks, ADR_COLL_QUARTER / adr_fold_least_part(unit) - 1);
      fold->room = ADR_COLL_QUARTER / (fold->owners + 1) / unit * unit * fold->owners;
    }
    break;
  case ADR_COLL_SCAN:
  case ADR_COLL_EXSCAN:
    fold->chained = coll->bytes > COMBINED_ALONE;
    break;
  default: {
    const struct adr_fold_room room = adr_fold_room_of(ranks, unit);
    fold->group = room.group;
    fold->room = room.stretch;
    fold->filled = 0;
    fold->filling = 0;
    fold->first = next_group(coll, 0);
    fold->before = 0;
    fold->fill_first = fold->first;
    fold->fill_before = 0;
    break;
  }
  }
}

void adr_fold_go_on(collective *coll) {
  adr_stages_take_quarter(coll);
  coll->fold.phase = 1;
}

/* What goes in a round, and where */

static int64_t position(const collective *coll) { return coll->fold.round * coll->fold.room; }

static int64_t length(const collective *coll) { return least_of(coll->fold.room, coll->bytes - position(coll)); }

static int64_t buffer(const collective *coll, uint32_t member) {
  const struct adr_fold_moves *fold = &coll->fold;
  return adr_stages_quarter(coll, member) + (fold->owners > 0 ? 0 : (fold->round & (BUFFERS - 1)) * BUFFER);
}

/* Behind the buffers. */
static int64_t area(const collective *coll) { return adr_stages_quarter(coll, coll->slot.self) + BUFFERS * BUFFER; }

static uint8_t *memory(const collective *coll) { return coll->stages.memory; }

static bool is_by_user(const collective *coll) { return coll->op == ADR_USER_OPERATOR; }

/* Whether this member's operand is taken from its input; else it is to be in its stage. */
static bool own_from_input(const collective *coll) { return coll->in != NULL && !is_by_user(coll); }

static int32_t next_round(collective *coll) {
  coll->fold.round++;
  coll->fold.phase = 0;
  coll->fold.at = 0;
  return position(coll) >= coll->bytes ? ADR_COLL_THROUGH : ADR_COLL_NEXT;
}

static int32_t next_stage(collective *coll) {
  coll->fold.phase++;
  coll->fold.at = 0;
  return ADR_COLL_NEXT;
}

/* What members say to each other */

/* Whether a member has taken so many steps. */
static int32_t see(collective *coll, uint32_t member, int64_t steps) {
  return adr_coll_see(coll, member, steps, coll->fold.round == 0);
}

/* Whether all members before `last` have. */
static int32_t see_all(collective *coll, uint32_t last, int64_t steps) {
  for (; coll->fold.at < last; coll->fold.at++) {
    const int32_t status = see(coll, coll->fold.at, steps);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  return ADR_COLL_NEXT;
}

static void publish(const collective *coll, int64_t steps) {
  adr_slot_publish(&coll->slot, coll->sequence, (uint32_t)steps);
}

static int32_t fill(collective *coll, int64_t target) {
  return adr_coll_fill(coll, memory(coll), target, position(coll), length(coll));
}

/* Combining */

/* Brings what was combined so far to where more is combined with it. */
static void move_to(collective *coll, int64_t target, int64_t bytes) {
  if (coll->fold.folded_at != target) {
    memcpy(memory(coll) + target, memory(coll) + coll->fold.folded_at, (size_t)bytes);
    coll->fold.folded_at = target;
  }
}

/* A stretch that is combined. */
struct stretch {
  uint32_t last;  /* member behind the last one whose operand is combined */
  int64_t steps;  /* that a member has taken when its operand is there */
  int64_t offset; /* in each buffer */
  int64_t bytes;
  const uint8_t *own; /* this member's operand, where it is taken from the input; NULL: it is in its stage */
  int64_t position;   /* in the caller's output, where it can go there at once; -1: into the stage */
  int64_t target;     /* in the stage */
};

static int32_t fold_next(collective *coll, const struct stretch *stretch) {
  struct adr_fold_moves *fold = &coll->fold;
  const uint32_t self = coll->slot.self;
  const int64_t operand = buffer(coll, fold->at) + stretch->offset;
  if (fold->at == 0) {
    fold->folded_at = operand;
    return ADR_COLL_NEXT;
  }
  if (is_by_user(coll)) {
    if (fold->seen) {
      fold->seen = false;
      return ADR_COLL_NEXT;
    }
    move_to(coll, stretch->target, stretch->bytes);
    fold->seen = true;
    return adr_coll_ask(coll, ADR_COLL_COMBINE, memory(coll), operand, stretch->target, 0, stretch->bytes);
  }
  const bool to_out = fold->at == stretch->last - 1 && stretch->position >= 0 && coll->out != NULL;
  const uint8_t *left =
      stretch->own != NULL && fold->at == 1 && self == 0 ? stretch->own : memory(coll) + fold->folded_at;
  const uint8_t *right = stretch->own != NULL && fold->at == self ? stretch->own : memory(coll) + operand;
  adr_combine(coll->op, coll->element, to_out ? coll->out + stretch->position : memory(coll) + stretch->target, left,
              right, stretch->bytes);
  coll->moved += stretch->bytes;
  fold->folded_at = to_out ? -1 : stretch->target;
  return ADR_COLL_NEXT;
}

/* Combines a stretch of the operands of members, in their order; `folded_at` tells where it lies then. */
static int32_t fold_stretch(collective *coll, struct stretch stretch) {
  struct adr_fold_moves *fold = &coll->fold;
  for (; fold->at < stretch.last; fold->at++) {
    int32_t status = fold->seen ? ADR_COLL_NEXT : see(coll, fold->at, stretch.steps);
    if (status == ADR_COLL_NEXT) { status = fold_next(coll, &stretch); }
    if (status != ADR_COLL_NEXT) { return status; }
  }
  return ADR_COLL_NEXT;
}

/* All of a round, of the members before `last`. */
static int32_t fold_round(collective *coll, uint32_t last, int64_t steps) {
  return fold_stretch(coll, (struct stretch){.last = last,
                                             .steps = steps,
                                             .bytes = length(coll),
                                             .own = own_from_input(coll) ? coll->in + position(coll) : NULL,
                                             .position = position(coll),
                                             .target = area(coll)});
}

/* Hands what was combined to the caller, where it is not there yet. */
static int32_t give_folded(collective *coll, int64_t at, int64_t bytes) {
  return coll->fold.folded_at < 0 ? ADR_COLL_NEXT : adr_coll_drain(coll, memory(coll), coll->fold.folded_at, at, bytes);
}

/* Hands this member's own operand of a round to the caller. */
static int32_t give_own(collective *coll, int64_t operand) {
  if (coll->in == NULL || coll->out == NULL) {
    return adr_coll_drain(coll, memory(coll), operand, position(coll), length(coll));
  }
  if (coll->in != coll->out) {
    adr_copy_piece(coll->out + position(coll), coll->in + position(coll), (uint64_t)length(coll));
  }
  coll->moved += length(coll);
  return ADR_COLL_NEXT;
}

/* reduce */

static int32_t give_to_root(collective *coll) {
  const struct adr_fold_moves *fold = &coll->fold;
  const uint32_t root = (uint32_t)coll->root;
  if (fold->phase == 0) {
    const int32_t status = fold->round < BUFFERS ? ADR_COLL_NEXT : see(coll, root, fold->round - BUFFERS + 1);
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  }
  const int32_t status = fill(coll, buffer(coll, coll->slot.self));
  if (status != ADR_COLL_NEXT) { return status; }
  publish(coll, fold->round + 1);
  adr_coll_wake(coll, root);
  return next_round(coll);
}

static int32_t combine_for_all(collective *coll) {
  const struct adr_fold_moves *fold = &coll->fold;
  int32_t status;
  switch (fold->phase) {
  case 0:
    status = own_from_input(coll) && coll->slot.ranks > 1 ? ADR_COLL_NEXT : fill(coll, buffer(coll, coll->slot.self));
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  case 1:
    status = fold_round(coll, coll->slot.ranks, fold->round + 1);
    if (status != ADR_COLL_NEXT) { return status; }
    adr_coll_all_have_begun(coll);
    if (position(coll) + BUFFERS * fold->room < coll->bytes) { /* else nobody waits for it */
      publish(coll, fold->round + 1);
      adr_coll_wake_all(coll);
    }
    return next_stage(coll);
  default:
    status = give_folded(coll, position(coll), length(coll));
    return status == ADR_COLL_NEXT ? next_round(coll) : status;
  }
}

/* Bytes of each owner's part of this round; the last owners may have less, or none. */
static int64_t part(const collective *coll) {
  const int64_t elements = length(coll) / coll->stages.unit;
  return (elements + coll->fold.owners - 1) / coll->fold.owners * coll->stages.unit;
}

static int64_t part_length(const collective *coll, uint32_t owner) {
  return owner < coll->fold.owners ? most_of(0, least_of(part(coll), length(coll) - owner * part(coll))) : 0;
}

/* Copies the parts of a reduce that the other owners have combined. */
static int32_t collect(collective *coll) {
  struct adr_fold_moves *fold = &coll->fold;
  if (part_length(coll, fold->at) == 0) { return next_round(coll); }
  if (fold->at == coll->slot.self) {
    fold->at++;
    return ADR_COLL_NEXT;
  }
  int32_t status = fold->seen ? ADR_COLL_NEXT : see(coll, fold->at, 2 * fold->round + 2);
  if (status == ADR_COLL_NEXT) {
    fold->seen = true;
    status = adr_coll_drain(coll, memory(coll), buffer(coll, fold->at) + fold->room,
                            position(coll) + fold->at * part(coll), part_length(coll, fold->at));
  }
  if (status == ADR_COLL_NEXT) {
    fold->seen = false;
    fold->at++;
  }
  return status;
}

static int32_t fold_part(collective *coll, bool is_root) {
  const uint32_t self = coll->slot.self;
  const int64_t bytes = part_length(coll, self);
  if (bytes == 0) { return next_stage(coll); }
  const int64_t from = self * part(coll);
  const int32_t status = fold_stretch(coll, (struct stretch){.last = coll->slot.ranks,
                                                             .steps = 2 * coll->fold.round + 1,
                                                             .offset = from,
                                                             .bytes = bytes,
                                                             .position = is_root ? position(coll) + from : -1,
                                                             .target = buffer(coll, self) + coll->fold.room});
  if (status != ADR_COLL_NEXT) { return status; }
  adr_coll_all_have_begun(coll);
  return next_stage(coll);
}

static int32_t reduce_by_parts(collective *coll) {
  const struct adr_fold_moves *fold = &coll->fold;
  const uint32_t self = coll->slot.self;
  const bool is_root = self == (uint32_t)coll->root;
  int32_t status;
  switch (fold->phase) {
  case 0: /* this member's buffer of the round before was read */
    status = is_root || fold->round == 0 ? ADR_COLL_NEXT : see_all(coll, fold->owners, 2 * fold->round);
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  case 1:
    status = fill(coll, buffer(coll, self));
    if (status != ADR_COLL_NEXT) { return status; }
    publish(coll, 2 * fold->round + 1);
    adr_coll_wake_all(coll);
    return next_stage(coll);
  case 2: /* the root has copied what was combined in the round before */
    status = part_length(coll, self) > 0 && fold->round > 0 ? see_all(coll, coll->slot.ranks, 2 * fold->round + 1)
                                                            : ADR_COLL_NEXT;
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  case 3:
    return fold_part(coll, is_root);
  case 4:
    status = is_root && part_length(coll, self) > 0
                 ? give_folded(coll, position(coll) + self * part(coll), part_length(coll, self))
                 : ADR_COLL_NEXT;
    if (status != ADR_COLL_NEXT) { return status; }
    publish(coll, 2 * fold->round + 2);
    adr_coll_wake_all(coll);
    return is_root ? next_stage(coll) : next_round(coll);
  default:
    return collect(coll);
  }
}

/* scan and exscan */

static bool is_scan(const collective *coll) { return coll->kind == ADR_COLL_SCAN; }

static int32_t scan_alone(collective *coll) {
  struct adr_fold_moves *fold = &coll->fold;
  const uint32_t self = coll->slot.self;
  const uint32_t last = is_scan(coll) ? self + 1 : self;
  int32_t status = ADR_COLL_NEXT;
  switch (fold->phase) {
  case 0:
    if (self < coll->slot.ranks - 1 || (is_scan(coll) && (self == 0 || !own_from_input(coll)))) {
      status = fill(coll, buffer(coll, self));
    }
    if (status != ADR_COLL_NEXT) { return status; }
    publish(coll, 1);
    adr_coll_wake_all(coll);
    return next_stage(coll);
  case 1:
    if (last < 2) {
      status = last == 0 ? ADR_COLL_NEXT : see(coll, 0, 1);
      fold->folded_at = buffer(coll, 0);
      return status == ADR_COLL_NEXT ? next_stage(coll) : status;
    }
    status = fold_round(coll, last, 1);
    if (status != ADR_COLL_NEXT) { return status; }
    if (self == coll->slot.ranks - 1) { adr_coll_all_have_begun(coll); }
    return next_stage(coll);
  default:
    if (last == 0) { return next_round(coll); }
    status = self == 0 ? give_own(coll, fold->folded_at) : give_folded(coll, position(coll), length(coll));
    return status == ADR_COLL_NEXT ? next_round(coll) : status;
  }
}

static void wake_neighbours(const collective *coll) {
  const uint32_t self = coll->slot.self;
  if (self > 0) { adr_coll_wake(coll, self - 1); }
  if (self < coll->slot.ranks - 1) { adr_coll_wake(coll, self + 1); }
}

/* Whether this member combines its operand with what comes before it. */
static bool combines_in_chain(const collective *coll) {
  const uint32_t self = coll->slot.self;
  return self > 0 && (is_scan(coll) || self < coll->slot.ranks - 1);
}

static int32_t combine_in_chain(collective *coll, bool is_last) {
  struct adr_fold_moves *fold = &coll->fold;
  const uint32_t self = coll->slot.self;
  const int64_t bytes = length(coll);
  const int64_t target = buffer(coll, self);
  if (!combines_in_chain(coll)) { return ADR_COLL_NEXT; }
  if (is_by_user(coll)) {
    if (fold->seen) {
      fold->seen = false;
      return ADR_COLL_NEXT;
    }
    fold->folded_at = buffer(coll, self - 1);
    move_to(coll, target, bytes);
    fold->seen = true;
    return adr_coll_ask(coll, ADR_COLL_COMBINE, memory(coll), area(coll), target, 0, bytes);
  }
  const bool to_out = is_last && coll->out != NULL;
  adr_combine(coll->op, coll->element, to_out ? coll->out + position(coll) : memory(coll) + target,
              memory(coll) + buffer(coll, self - 1),
              own_from_input(coll) ? coll->in + position(coll) : memory(coll) + area(coll), bytes);
  coll->moved += bytes;
  fold->folded_at = to_out ? -1 : target;
  return ADR_COLL_NEXT;
}

static int32_t give_in_chain(collective *coll) {
  const uint32_t self = coll->slot.self;
  if (is_scan(coll)) {
    return self == 0 ? give_own(coll, buffer(coll, 0)) : give_folded(coll, position(coll), length(coll));
  }
  if (self == 0) { return ADR_COLL_NEXT; }
  const int32_t status = adr_coll_drain(coll, memory(coll), buffer(coll, self - 1), position(coll), length(coll));
  if (status == ADR_COLL_NEXT) {
    publish(coll, 2 * coll->fold.round + 2);
    adr_coll_wake(coll, self - 1);
  }
  return status;
}

static int32_t scan_in_chain(collective *coll) {
  const struct adr_fold_moves *fold = &coll->fold;
  const uint32_t self = coll->slot.self;
  const bool is_last = self == coll->slot.ranks - 1;
  int32_t status = ADR_COLL_NEXT;
  switch (fold->phase) {
  case 0:
    if (!is_last && fold->round >= BUFFERS) { status = see(coll, self + 1, 2 * (fold->round - BUFFERS) + 2); }
    if (status == ADR_COLL_NEXT && self > 0) { status = see(coll, self - 1, 2 * fold->round + 1); }
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  case 1:
    if (self == 0 ? is_scan(coll) || !is_last : !own_from_input(coll) && combines_in_chain(coll)) {
      status = fill(coll, self == 0 ? buffer(coll, 0) : area(coll));
    }
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  case 2:
    status = combine_in_chain(coll, is_last);
    if (status != ADR_COLL_NEXT) { return status; }
    publish(coll, is_scan(coll) || self == 0 ? 2 * fold->round + 2 : 2 * fold->round + 1);
    wake_neighbours(coll);
    return next_stage(coll);
  default:
    status = give_in_chain(coll);
    return status == ADR_COLL_NEXT ? next_round(coll) : status;
  }
}

/* reduce_scatter */

static int64_t stretch_of_own(const collective *coll) {
  const uint32_t self = coll->slot.self;
  const struct adr_fold_moves *fold = &coll->fold;
  return self >= fold->first && self < end_of(coll, fold->first) ? stretch_of(coll, self, fold->before) : 0;
}

/* Whether this member's operand of its own part goes through its stage: the output may lie over it, or over others. */
static bool fills_own(const collective *coll) {
  return !own_from_input(coll) || coll->slot.ranks == 1 || coll->in == coll->out;
}

static int32_t fill_next(collective *coll) {
  struct adr_fold_moves *fold = &coll->fold;
  const uint32_t begin = fold->fill_first;
  const int64_t to = adr_stages_quarter(coll, coll->slot.self) + (fold->filled & (BUFFERS - 1)) * BUFFER;
  for (uint32_t part = begin + fold->filling; part < end_of(coll, begin); part++) {
    const int64_t bytes = part == coll->slot.self && !fills_own(coll) ? 0 : stretch_of(coll, part, fold->fill_before);
    if (bytes > 0) {
      const int32_t status = adr_coll_fill(coll, memory(coll), to + (part - begin) * fold->room,
                                           adr_coll_part_at(coll, part) + fold->fill_before, bytes);
      if (status != ADR_COLL_NEXT) { return status; }
    }
    fold->filling++;
  }
  fold->filling = 0;
  fold->filled++;
  fold->fill_before += fold->room;
  if (fold->fill_before >= longest(coll, begin)) {
    fold->fill_first = next_group(coll, begin + fold->group);
    fold->fill_before = 0;
  }
  publish(coll, fold->filled);
  adr_coll_wake_all(coll);
  return ADR_COLL_NEXT;
}

/* Fills the buffers of this round and of the next, which others may read while this member reads theirs. */
static int32_t fill_ahead(collective *coll) {
  const struct adr_fold_moves *fold = &coll->fold;
  while (fold->filled < fold->round + 2 && fold->fill_first < coll->slot.ranks) {
    const int32_t status = fill_next(coll);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  return next_stage(coll);
}

static int32_t fold_own(collective *coll) {
  const struct adr_fold_moves *fold = &coll->fold;
  const uint32_t self = coll->slot.self;
  const int64_t bytes = stretch_of_own(coll);
  int32_t status;
  if (bytes > 0) {
    status = fold_stretch(
        coll, (struct stretch){.last = coll->slot.ranks,
                               .steps = fold->round + 1,
                               .offset = (self - fold->first) * fold->room,
                               .bytes = bytes,
                               .own = fills_own(coll) ? NULL : coll->in + adr_coll_part_at(coll, self) + fold->before,
                               .position = fold->before,
                               .target = area(coll)});
  } else {
    status = see_all(coll, coll->slot.ranks, fold->round + 1);
  }
  if (status != ADR_COLL_NEXT) { return status; }
  adr_coll_all_have_begun(coll);
  return next_stage(coll);
}

static int32_t reduce_scatter(collective *coll) {
  struct adr_fold_moves *fold = &coll->fold;
  if (fold->phase == 0) { return fill_ahead(coll); }
  if (fold->phase == 1) { return fold_own(coll); }
  const int64_t bytes = stretch_of_own(coll);
  const int32_t status = bytes > 0 ? give_folded(coll, fold->before, bytes) : ADR_COLL_NEXT;
  if (status != ADR_COLL_NEXT) { return status; }
  fold->before += fold->room;
  if (fold->before >= longest(coll, fold->first)) {
    fold->first = next_group(coll, fold->first + fold->group);
    fold->before = 0;
  }
  fold->round++;
  fold->phase = 0;
  fold->at = 0;
  return fold->first >= coll->slot.ranks ? ADR_COLL_THROUGH : ADR_COLL_NEXT;
}

/* In a reduce_scatter a member's operands do not lie one behind the other, and its own is not there. */
void adr_fold_fetch_next(collective *coll) {
  const struct adr_fold_moves *fold = &coll->fold;
  if (!adr_stages_prepare_next(coll, coll->bytes, true)) { return; }
  if (coll->kind != ADR_COLL_REDUCE_SCATTER) {
    adr_stages_fetch_lines(coll, 0, coll->bytes);
    return;
  }
  const uint32_t begin = next_group(coll, 0);
  for (uint32_t part = begin; part < end_of(coll, begin); part++) {
    if (part != coll->slot.self || fills_own(coll)) {
      adr_stages_fetch_lines(coll, (part - begin) * fold->room, stretch_of(coll, part, 0));
    }
  }
}

int32_t adr_fold_advance(collective *coll) {
  if (!coll->stages.ready) { return adr_stages_prepare(coll); }
  const bool is_root = coll->slot.self == (uint32_t)coll->root;
  switch (coll->kind) {
  case ADR_COLL_REDUCE:
    if (coll->fold.owners > 0) { return reduce_by_parts(coll); }
    return is_root ? combine_for_all(coll) : give_to_root(coll);
  case ADR_COLL_SCAN:
  case ADR_COLL_EXSCAN:
    return coll->fold.chained ? scan_in_chain(coll) : scan_alone(coll);
  default:
    return reduce_scatter(coll);
  }
}
