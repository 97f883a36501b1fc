/* One member's moves in a collective through stages: data longer than a line. Twin of io.adrastea.coll.StageMoves.
 *
 * Each member has a stage of four quarters, which collectives through stages use in turn (struct adr_stages). It is
 * written by that member alone. A quarter is free once every member has done the collective that it was given to
 * before. Within a collective a quarter is a ring of buffers, one for each round:
 * - bcast: the root fills a buffer and says so; the others copy it and say so; the root fills it again when all have.
 * - allgather: each member fills a buffer, and the next one ahead; all copy those of all. A member that has seen that
 *   all have filled a buffer knows that all have read the one of two rounds before.
 * - allreduce of little, or of two members: each fills a buffer with its operand, and the next one ahead; each combines
 *   those of all.
 * - allreduce: each fills a buffer; each owner of a part combines the part of all, and all copy the parts of all
 *   owners. A member that has seen an owner's part of a round knows that this owner has read what it reads in it; one
 *   that has seen that all have filled the next buffer knows that they have copied its part. There is one buffer: an
 *   owner begins to combine, but in the first round, when it has seen that. */
#include "coll/adr_coll_stages.h"

#include <string.h>

#include "coll/adr_coll_lines.h"
#include "coll/adr_combine.h"
#include "copy/adr_copy.h"

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }

/* Says which member combines what, so that a buffer holds an operand and behind it what this member combines. */
static void share(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  const int64_t unit = stages->unit;
  const uint32_t ranks = coll->slot.ranks;
  if (ranks <= 2 || coll->bytes <= ADR_COLL_COMBINED_BY_ALL) {
    stages->buffers = ADR_COLL_OPERANDS;
    stages->buffer_bytes = ADR_COLL_OPERAND;
    stages->room = ADR_COLL_OPERAND / unit * unit;
  } else {
    const int64_t least = most_of(ADR_COLL_LEAST_PART, (ADR_COLL_LEAST_PART + unit - 1) / unit * unit);
    stages->owners = (uint32_t)most_of(1, least_of(ranks, ADR_COLL_QUARTER / most_of(least, unit) - 1));
    stages->buffers = 1;
    stages->buffer_bytes = ADR_COLL_QUARTER;
    stages->room = ADR_COLL_QUARTER / (stages->owners + 1) / unit * unit * stages->owners;
  }
}

static uint32_t next_quarter(const struct adr_stages *stages) {
  return (uint32_t)stages->count & (ADR_COLL_QUARTERS - 1);
}

void adr_stages_reserve(struct adr_collective *coll, int64_t unit) {
  struct adr_stages *all = &coll->member->stages;
  coll->stages.unit = unit;
  coll->stages.quarter = next_quarter(all);
  coll->stages.before = all->users[coll->stages.quarter];
  all->users[coll->stages.quarter] = coll->sequence;
  all->count++;
}

void adr_stages_begin(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  stages->ready = false;
  stages->round = 0;
  stages->filled = 0;
  stages->phase = 0;
  stages->at = 0;
  stages->owners = 0;
  stages->seen = false;
  switch (coll->kind) {
  case ADR_COLL_BCAST:
    stages->buffers = ADR_COLL_BCAST_BUFFERS;
    stages->room = stages->buffer_bytes = ADR_COLL_BCAST_BUFFER;
    break;
  case ADR_COLL_ALLGATHER:
    stages->buffers = ADR_COLL_GATHER_BUFFERS;
    stages->room = stages->buffer_bytes = ADR_COLL_GATHER_BUFFER;
    break;
  default:
    share(coll);
    break;
  }
}

int32_t adr_stages_prepare(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  if (coll->member->stages.memory == NULL) {
    if (coll->slot.self == 0 || adr_slot_stages(&coll->slot) != 0) { return ADR_COLL_NEEDS_STAGES; }
    coll->other = 0;
    return ADR_AGAIN;
  }
  if (!adr_coll_all_have_done(coll, stages->before)) { return ADR_AGAIN; }
  adr_stages_take_quarter(coll);
  return ADR_COLL_NEXT;
}

int64_t adr_stages_quarter(const struct adr_collective *coll, uint32_t member) {
  return (int64_t)member * ADR_COLL_STAGE + (int64_t)coll->stages.quarter * ADR_COLL_QUARTER;
}

/* A member's buffer of a round. */
static int64_t buffer_of(const struct adr_collective *coll, uint32_t member, int64_t round) {
  const struct adr_stage_moves *stages = &coll->stages;
  return adr_stages_quarter(coll, member) + (round & (stages->buffers - 1)) * stages->buffer_bytes;
}

static int64_t buffer(const struct adr_collective *coll, uint32_t member) {
  return buffer_of(coll, member, coll->stages.round);
}

/* What goes in a round. */
static int64_t position_of(const struct adr_collective *coll, int64_t round) { return round * coll->stages.room; }

static int64_t length_of(const struct adr_collective *coll, int64_t round) {
  return least_of(coll->stages.room, coll->bytes - position_of(coll, round));
}

static int64_t position(const struct adr_collective *coll) { return position_of(coll, coll->stages.round); }

static int64_t length(const struct adr_collective *coll) { return length_of(coll, coll->stages.round); }

static int32_t next_round(struct adr_collective *coll) {
  coll->stages.round++;
  coll->stages.phase = 0;
  coll->stages.at = 0;
  return position(coll) >= coll->bytes ? ADR_COLL_THROUGH : ADR_COLL_NEXT;
}

static int32_t next_stage(struct adr_collective *coll) {
  coll->stages.phase++;
  coll->stages.at = 0;
  return ADR_COLL_NEXT;
}

/* Whether a member has taken so many steps. */
static int32_t see(struct adr_collective *coll, uint32_t member, int64_t steps) {
  return adr_coll_see(coll, member, steps, coll->stages.round == 0);
}

/* Whether all members have. */
static int32_t see_all(struct adr_collective *coll, int64_t steps) {
  for (; coll->stages.at < coll->slot.ranks; coll->stages.at++) {
    const int32_t status = see(coll, coll->stages.at, steps);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  return ADR_COLL_NEXT;
}

/* Fills the next buffer, and says that so many steps are taken. */
static int32_t fill(struct adr_collective *coll, int64_t steps) {
  struct adr_stage_moves *stages = &coll->stages;
  const int64_t round = stages->filled;
  const int32_t status = adr_coll_fill(coll, stages->memory, buffer_of(coll, coll->slot.self, round),
                                       position_of(coll, round), length_of(coll, round));
  if (status == ADR_COLL_NEXT) {
    stages->filled++;
    adr_slot_publish(&coll->slot, coll->sequence, (uint32_t)steps);
    adr_coll_wake_all(coll);
  }
  return status;
}

/* Fills the buffers of this round and of the next, which others may read while this member reads theirs. */
static int32_t fill_ahead(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  while (stages->filled < stages->round + 2 && position_of(coll, stages->filled) < coll->bytes) {
    const int32_t status = fill(coll, stages->filled + 1);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  return next_stage(coll);
}

/* The root's round of a bcast. */
static int32_t lead(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  for (; stages->round >= stages->buffers && stages->at < coll->slot.ranks; stages->at++) {
    const int32_t status =
        stages->at == coll->slot.self ? ADR_COLL_NEXT : see(coll, stages->at, stages->round - stages->buffers + 1);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  const int32_t status = fill(coll, stages->round + 1);
  return status == ADR_COLL_NEXT ? next_round(coll) : status;
}

/* Another member's. */
static int32_t follow(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  const uint32_t root = (uint32_t)coll->root;
  if (stages->phase == 0) {
    const int32_t status = see(coll, root, stages->round + 1);
    if (status != ADR_COLL_NEXT) { return status; }
    if (coll->slot.ranks == 2) { adr_coll_all_have_begun(coll); }
    return next_stage(coll);
  }
  const int32_t status = adr_coll_drain(coll, stages->memory, buffer(coll, root), position(coll), length(coll));
  if (status != ADR_COLL_NEXT) { return status; }
  adr_slot_publish(&coll->slot, coll->sequence, (uint32_t)(stages->round + 1));
  adr_coll_wake(coll, root);
  return next_round(coll);
}

/* Hands what the member that is looked at has made, once it has taken so many steps, to the caller. */
static int32_t hand_out(struct adr_collective *coll, int64_t steps, int64_t source, int64_t position, int64_t length) {
  struct adr_stage_moves *stages = &coll->stages;
  int32_t status = stages->seen ? ADR_COLL_NEXT : see(coll, stages->at, steps);
  if (status == ADR_COLL_NEXT) {
    stages->seen = true;
    status = adr_coll_drain(coll, stages->memory, source, position, length);
  }
  if (status == ADR_COLL_NEXT) {
    stages->seen = false;
    stages->at++;
  }
  return status;
}

/* This member's own part comes from its input: the lines of its stage are on their way to the others. */
static int32_t take_own(struct adr_collective *coll) {
  uint8_t *to = coll->out + coll->slot.self * coll->bytes + position(coll);
  const uint8_t *from = coll->in + position(coll);
  if (to != from) { adr_copy_piece(to, from, (uint64_t)length(coll)); }
  coll->moved += length(coll);
  coll->stages.at++;
  return ADR_COLL_NEXT;
}

static int32_t gather(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  if (stages->phase == 0) { return fill_ahead(coll); }
  if (stages->at < coll->slot.ranks) {
    if (stages->at == coll->slot.self && coll->in != NULL && coll->out != NULL) { return take_own(coll); }
    return hand_out(coll, stages->round + 1, buffer(coll, stages->at), stages->at * coll->bytes + position(coll),
                    length(coll));
  }
  adr_coll_all_have_begun(coll);
  return next_round(coll);
}

static int32_t fold_by_caller(struct adr_collective *coll, int64_t operand, int64_t length, int64_t target) {
  struct adr_stage_moves *stages = &coll->stages;
  if (coll->asked) {
    coll->asked = false;
    return ADR_COLL_NEXT;
  }
  if (stages->folded_at != target) {
    memcpy(stages->memory + target, stages->memory + stages->folded_at, (size_t)length);
    stages->folded_at = target;
  }
  coll->asked = true;
  return adr_coll_ask(coll, ADR_COLL_COMBINE, stages->memory, operand, target, 0, length);
}

static int32_t fold_next(struct adr_collective *coll, int64_t operand, int64_t length, int64_t target,
                         int64_t out_position) {
  struct adr_stage_moves *stages = &coll->stages;
  uint8_t *memory = stages->memory;
  if (stages->at == 0) {
    stages->folded_at = operand;
    return ADR_COLL_NEXT;
  }
  if (coll->op == ADR_USER_OPERATOR) { return fold_by_caller(coll, operand, length, target); }
  if (out_position >= 0 && coll->out != NULL) {
    /* Where there are two members, one's own operand comes from the input, as in take_own; where there are more, the
     * output, which may be the same memory, is written before it is read. */
    const uint8_t *own = coll->slot.ranks == 2 && coll->in != NULL ? coll->in + out_position : NULL;
    uint8_t *out = coll->out + out_position;
    const uint8_t *left = stages->folded_at < 0 ? out : memory + stages->folded_at;
    const uint8_t *right = memory + operand;
    if (own != NULL && coll->slot.self == 0) {
      left = own;
    } else if (own != NULL) {
      right = own;
    }
    adr_combine(coll->op, coll->element, out, left, right, length);
    stages->folded_at = -1;
  } else {
    adr_combine(coll->op, coll->element, memory + target, memory + stages->folded_at, memory + operand, length);
    stages->folded_at = target;
  }
  coll->moved += length;
  return ADR_COLL_NEXT;
}

/* Combines a stretch of all members' operands, in their order.
 *
 * `target`: where in this member's stage it goes, and `folded_at` tells; `out_position`: where in the caller's output
 * it may go instead, where it has given one: then `folded_at` is below zero; -1: it may not. */
static int32_t fold(struct adr_collective *coll, int64_t steps, int64_t offset, int64_t length, int64_t target,
                    int64_t out_position) {
  struct adr_stage_moves *stages = &coll->stages;
  while (stages->at < coll->slot.ranks) {
    int32_t status = coll->asked ? ADR_COLL_NEXT : see(coll, stages->at, steps);
    if (status == ADR_COLL_NEXT) {
      status = fold_next(coll, buffer(coll, stages->at) + offset, length, target, out_position);
    }
    if (status != ADR_COLL_NEXT) { return status; }
    stages->at++;
  }
  if (stages->folded_at != target && stages->folded_at >= 0) { /* alone */
    memcpy(stages->memory + target, stages->memory + stages->folded_at, (size_t)length);
    stages->folded_at = target;
  }
  return ADR_COLL_NEXT;
}

static int32_t combine_all(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  int32_t status;
  switch (stages->phase) {
  case 0:
    return fill_ahead(coll);
  case 1:
    status = fold(coll, stages->round + 1, 0, length(coll),
                  adr_stages_quarter(coll, coll->slot.self) + ADR_COLL_OPERANDS * ADR_COLL_OPERAND, position(coll));
    if (status != ADR_COLL_NEXT) { return status; }
    adr_coll_all_have_begun(coll);
    return stages->folded_at < 0 ? next_round(coll) : next_stage(coll);
  default:
    status = adr_coll_drain(coll, stages->memory, stages->folded_at, position(coll), length(coll));
    return status == ADR_COLL_NEXT ? next_round(coll) : status;
  }
}

/* Bytes of each owner's part of this round; the last owners may have less, or none. */
static int64_t part(const struct adr_collective *coll) {
  const int64_t elements = length(coll) / coll->stages.unit;
  return (elements + coll->stages.owners - 1) / coll->stages.owners * coll->stages.unit;
}

static int64_t part_length(const struct adr_collective *coll, uint32_t owner) {
  return most_of(0, least_of(part(coll), length(coll) - owner * part(coll)));
}

static int64_t result(const struct adr_collective *coll, uint32_t owner) {
  return buffer(coll, owner) + coll->stages.room;
}

/* Copies the parts that their owners have combined. */
static int32_t collect(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  if (stages->at >= stages->owners || part_length(coll, stages->at) == 0) { return next_round(coll); }
  return hand_out(coll, 2 * stages->round + 2, result(coll, stages->at), position(coll) + stages->at * part(coll),
                  part_length(coll, stages->at));
}

static int32_t combine_parts(struct adr_collective *coll) {
  struct adr_stage_moves *stages = &coll->stages;
  const uint32_t self = coll->slot.self;
  const bool combines = self < stages->owners && part_length(coll, self) > 0;
  int32_t status;
  switch (stages->phase) {
  case 0:
    status = fill(coll, 2 * stages->round + 1);
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  case 1: /* all have copied what was combined in the round before */
    status = combines && stages->round > 0 ? see_all(coll, 2 * stages->round + 1) : ADR_COLL_NEXT;
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  case 2:
    if (!combines) { return next_stage(coll); }
    status = fold(coll, 2 * stages->round + 1, self * part(coll), part_length(coll, self), result(coll, self), -1);
    if (status != ADR_COLL_NEXT) { return status; }
    adr_coll_all_have_begun(coll);
    adr_slot_publish(&coll->slot, coll->sequence, (uint32_t)(2 * stages->round + 2));
    adr_coll_wake_all(coll);
    return next_stage(coll);
  default:
    return collect(coll);
  }
}

/* The straight path: what fits one buffer is filled before the line is shown, which tells that; so a member waits for
 * one line of each other, and goes through no moves. */

static int64_t most_straight(const struct adr_collective *coll) {
  switch (coll->kind) {
  case ADR_COLL_BCAST:
    return ADR_COLL_BCAST_BUFFER;
  case ADR_COLL_ALLGATHER:
    return ADR_COLL_GATHER_BUFFER;
  case ADR_COLL_ALLREDUCE:
  case ADR_COLL_REDUCE:
    return coll->slot.ranks <= 2 ? ADR_COLL_OPERAND : ADR_COLL_COMBINED_BY_ALL;
  case ADR_COLL_SCAN:
  case ADR_COLL_EXSCAN:
    return ADR_COLL_COMBINED_BY_ALL;
  default:
    return 0;
  }
}

bool adr_stages_goes_straight(const struct adr_collective *coll) {
  const uint32_t ranks = coll->slot.ranks;
  return coll->lag == 0 && coll->bytes <= most_straight(coll) && ranks > 1
         && coll->bytes * (int64_t)ranks <= ADR_COLL_MOST_MOVED && adr_stages_is_free(coll)
         && coll->sequence - ADR_SLOT_LINES <= coll->member->least && coll->op != ADR_USER_OPERATOR
         && !adr_coll_is_posted_by_all(coll) && !adr_coll_is_checked(coll)
         && (coll->in != NULL || !adr_coll_gives(coll)) && (coll->out != NULL || !adr_coll_gets(coll));
}

/* Whether others take what this member gives. */
static bool is_taken(const struct adr_collective *coll) {
  switch (coll->kind) {
  case ADR_COLL_REDUCE:
    return coll->slot.self != (uint32_t)coll->root;
  case ADR_COLL_SCAN:
  case ADR_COLL_EXSCAN:
    return coll->slot.self < coll->slot.ranks - 1;
  default:
    return true;
  }
}

static bool gather_straight(struct adr_collective *coll, int32_t spins) {
  const uint32_t ranks = coll->slot.ranks;
  const uint32_t self = coll->slot.self;
  const int64_t bytes = coll->bytes;
  uint8_t *own = coll->out + self * bytes;
  if (own != coll->in) { adr_copy_piece(own, coll->in, (uint64_t)bytes); }
  for (uint32_t i = 1; i < ranks; i++) {
    const uint32_t member = self + i < ranks ? self + i : self + i - ranks;
    if (ADR_UNLIKELY(!adr_coll_await_step(coll, member, spins))) { return false; }
    adr_copy_piece(coll->out + member * bytes, coll->stages.memory + adr_stages_quarter(coll, member), (uint64_t)bytes);
  }
  return true;
}

/* Combines the operands of the members before `last`. The output, which may be the input, is written with the last one;
 * so moves can begin anew with the first. */
static bool fold_straight(struct adr_collective *coll, uint32_t last, int32_t spins) {
  uint8_t *memory = coll->stages.memory;
  uint8_t *area = memory + adr_stages_quarter(coll, coll->slot.self) + ADR_COLL_OPERANDS * ADR_COLL_OPERAND;
  const uint8_t *folded = NULL;
  for (uint32_t member = 0; member < last; member++) {
    const bool is_own = member == coll->slot.self; /* the lines of its stage are on their way to the others */
    if (!is_own && ADR_UNLIKELY(!adr_coll_await_step(coll, member, spins))) { return false; }
    const uint8_t *operand = is_own ? coll->in : memory + adr_stages_quarter(coll, member);
    if (member == 0) {
      folded = operand;
    } else {
      uint8_t *target = member == last - 1 ? coll->out : area;
      adr_combine(coll->op, coll->element, target, folded, operand, coll->bytes);
      folded = target;
    }
  }
  if (folded != coll->out) { adr_copy_piece(coll->out, folded, (uint64_t)coll->bytes); }
  return true;
}

/* Whether there is room for the next one, of a member that does not look at all lines: now rather than then. */
static void look_for_room(struct adr_collective *coll) {
  (void)adr_coll_all_have_done(coll, coll->sequence + 1 - ADR_SLOT_LINES);
}

/* Takes what the others give. */
static bool take_straight(struct adr_collective *coll, int32_t spins) {
  const uint32_t ranks = coll->slot.ranks;
  const uint32_t self = coll->slot.self;
  switch (coll->kind) {
  case ADR_COLL_BCAST: {
    const uint32_t root = (uint32_t)coll->root;
    if (ADR_UNLIKELY(!adr_coll_await_step(coll, root, spins))) { return false; }
    adr_copy_piece(coll->out, coll->stages.memory + adr_stages_quarter(coll, root), (uint64_t)coll->bytes);
    if (ranks == 2) { adr_coll_all_have_begun(coll); }
    return true;
  }
  case ADR_COLL_ALLGATHER:
    if (ADR_UNLIKELY(!gather_straight(coll, spins))) { return false; }
    break;
  case ADR_COLL_SCAN:
  case ADR_COLL_EXSCAN:
    if (ADR_UNLIKELY(!fold_straight(coll, coll->kind == ADR_COLL_SCAN ? self + 1 : self, spins))) { return false; }
    if (self < ranks - 1) {
      look_for_room(coll);
      return true;
    }
    break;
  default:
    if (ADR_UNLIKELY(!fold_straight(coll, ranks, spins))) { return false; }
    break;
  }
  adr_coll_all_have_begun(coll);
  return true;
}

bool adr_stages_go_straight(struct adr_collective *coll, int32_t spins) {
  adr_stages_take_quarter(coll);
  if (adr_coll_gives(coll)) {
    if (is_taken(coll)) {
      adr_copy_over_stage(coll->stages.memory + adr_stages_quarter(coll, coll->slot.self), coll->in,
                          (uint64_t)coll->bytes);
    }
    adr_coll_show(coll, 1);
  }
  if (adr_coll_gets(coll)) { return take_straight(coll, spins); }
  look_for_room(coll);
  return true;
}

void adr_stages_go_on(struct adr_collective *coll) {
  adr_stages_take_quarter(coll);
  if (adr_coll_gives(coll)) {
    coll->stages.filled = 1;
    coll->stages.phase = 1;
  }
}

void adr_stages_fetch_next(struct adr_collective *coll) {
  if (adr_stages_prepare_next(coll, coll->bytes,
                              coll->kind == ADR_COLL_BCAST && coll->slot.self == (uint32_t)coll->root)) {
    adr_stages_fetch_lines(coll, 0, coll->bytes);
  }
}

bool adr_stages_prepare_next(struct adr_collective *coll, int64_t bytes, bool leads) {
  const struct adr_stages *stages = &coll->member->stages;
  if (leads) { (void)adr_coll_all_have_done(coll, stages->users[next_quarter(stages)]); }
  if (bytes > ADR_COLL_PREPARED || stages->memory == NULL) { return false; }
  adr_slot_prepare_progress(&coll->slot, coll->sequence + 1);
  return true;
}

void adr_stages_fetch_lines(const struct adr_collective *coll, int64_t first, int64_t bytes) {
  const struct adr_stages *stages = &coll->member->stages;
  const uint8_t *quarter =
      stages->memory + (int64_t)coll->slot.self * ADR_COLL_STAGE + (int64_t)next_quarter(stages) * ADR_COLL_QUARTER;
  for (int64_t at = first & -(int64_t)ADR_LINE; at < first + bytes; at += ADR_LINE) {
    adr_prefetch_write(quarter + at);
  }
}

int32_t adr_stages_advance(struct adr_collective *coll) {
  if (!coll->stages.ready) { return adr_stages_prepare(coll); }
  switch (coll->kind) {
  case ADR_COLL_BCAST:
    return coll->slot.self == (uint32_t)coll->root ? lead(coll) : follow(coll);
  case ADR_COLL_ALLGATHER:
    return gather(coll);
  default:
    return coll->stages.owners == 0 ? combine_all(coll) : combine_parts(coll);
  }
}
