/* One member's moves in a collective through cells: data longer than a line. Twin of io.adrastea.coll.CellMoves.
 *
 * Each member has a cell of two halves, which collectives through cells use in turn. It is written by that member
 * alone. A half is free once every member has done the collective that used it before. Within a collective a half is a
 * ring of buffers, one for each round:
 * - bcast: the root fills a buffer and says so; the others copy it and say so; the root fills it again when all have.
 * - allgather: each member fills a buffer, and the next one ahead; all copy those of all. Who has seen that all have
 *   filled a buffer knows that all have read the one of two rounds before.
 * - allreduce of little, or of two members: each fills a buffer with its operand, and the next one ahead; each combines
 *   those of all.
 * - allreduce: each fills a buffer; each owner of a part combines the part of all, and all copy the parts of all
 *   owners. Who has seen an owner's part of a round knows that this owner has read what it reads in it; who has seen
 *   that all have filled the next buffer knows that they have copied its part. */
#include <string.h>

#include "coll/adr_coll_state.h"
#include "coll/adr_combine.h"

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }

/* Says who combines what, so that a buffer holds an operand and behind it what this member combines. */
static void share(adr_coll *coll) {
  struct adr_cell_moves *cells = &coll->cells;
  const int64_t unit = cells->unit;
  const uint32_t ranks = coll->slot.ranks;
  if (ranks <= 2 || coll->bytes <= ADR_COLL_COMBINED_BY_ALL) {
    cells->buffer_bytes = ADR_COLL_OPERAND;
    cells->room = ADR_COLL_OPERAND / unit * unit;
  } else {
    const int64_t least = most_of(ADR_COLL_LEAST_PART, (ADR_COLL_LEAST_PART + unit - 1) / unit * unit);
    cells->owners = (uint32_t)most_of(1, least_of(ranks, ADR_COLL_PARTS_BUFFER / most_of(least, unit) - 1));
    cells->buffer_bytes = ADR_COLL_PARTS_BUFFER;
    cells->room = ADR_COLL_PARTS_BUFFER / (cells->owners + 1) / unit * unit * cells->owners;
  }
}

void adr_cells_begin(adr_coll *coll, int64_t unit) {
  struct adr_cell_moves *cells = &coll->cells;
  cells->unit = unit;
  cells->half = (uint32_t)(cells->count++ & 1);
  cells->ready = false;
  cells->round = 0;
  cells->filled = 0;
  cells->stage = 0;
  cells->at = 0;
  cells->owners = 0;
  cells->seen = false;
  switch (coll->kind) {
  case ADR_COLL_BCAST:
    cells->room = cells->buffer_bytes = ADR_COLL_BCAST_BUFFER;
    break;
  case ADR_COLL_ALLGATHER:
    cells->room = cells->buffer_bytes = ADR_COLL_GATHER_BUFFER;
    break;
  default:
    share(coll);
    break;
  }
  cells->buffers = cells->owners == 0 && cells->buffer_bytes == ADR_COLL_OPERAND ? ADR_COLL_OPERANDS
                                                                                 : ADR_COLL_HALF / cells->buffer_bytes;
}

static int32_t prepare(adr_coll *coll) {
  struct adr_cell_moves *cells = &coll->cells;
  if (cells->memory == NULL) {
    if (coll->slot.self == 0 || adr_slot_cells(&coll->slot) != 0) { return ADR_COLL_NEEDS_CELLS; }
    coll->other = 0;
    return ADR_AGAIN;
  }
  if (!adr_coll_all_have_done(coll, cells->used[cells->half])) { return ADR_AGAIN; }
  cells->used[cells->half] = coll->sequence;
  cells->ready = true;
  return ADR_COLL_NEXT;
}

/* The half of a member's cell that this collective uses. */
static int64_t half(const adr_coll *coll, uint32_t member) {
  return (int64_t)member * ADR_COLL_CELL + (int64_t)coll->cells.half * ADR_COLL_HALF;
}

/* A member's buffer of a round. */
static int64_t buffer_of(const adr_coll *coll, uint32_t member, int64_t round) {
  const struct adr_cell_moves *cells = &coll->cells;
  return half(coll, member) + (round & (cells->buffers - 1)) * cells->buffer_bytes;
}

static int64_t buffer(const adr_coll *coll, uint32_t member) { return buffer_of(coll, member, coll->cells.round); }

/* What goes in a round. */
static int64_t position_of(const adr_coll *coll, int64_t round) { return round * coll->cells.room; }

static int64_t length_of(const adr_coll *coll, int64_t round) {
  return least_of(coll->cells.room, coll->bytes - position_of(coll, round));
}

static int64_t position(const adr_coll *coll) { return position_of(coll, coll->cells.round); }

static int64_t length(const adr_coll *coll) { return length_of(coll, coll->cells.round); }

static int32_t next_round(adr_coll *coll) {
  coll->cells.round++;
  coll->cells.stage = 0;
  coll->cells.at = 0;
  return position(coll) >= coll->bytes ? adr_coll_ends(coll) : ADR_COLL_NEXT;
}

static int32_t next_stage(adr_coll *coll) {
  coll->cells.stage++;
  coll->cells.at = 0;
  return ADR_COLL_NEXT;
}

/* Whether a member has taken so many steps. */
static int32_t see(adr_coll *coll, uint32_t member, int64_t steps) {
  const uint64_t progress = adr_slot_progress(&coll->slot, member, coll->sequence);
  if (progress >> 32 == (uint32_t)coll->sequence && (int32_t)progress >= steps) {
    return coll->cells.round > 0 ? ADR_COLL_NEXT : adr_coll_look(coll, member);
  }
  coll->other = (int32_t)member;
  return ADR_AGAIN;
}

/* Fills the next buffer, and says that so many steps are taken. */
static int32_t fill(adr_coll *coll, int64_t steps) {
  struct adr_cell_moves *cells = &coll->cells;
  const int64_t round = cells->filled;
  const int32_t status = adr_coll_fill(coll, cells->memory, buffer_of(coll, coll->slot.self, round),
                                       position_of(coll, round), length_of(coll, round));
  if (status == ADR_COLL_NEXT) {
    cells->filled++;
    adr_slot_publish(&coll->slot, coll->sequence, (uint32_t)steps);
    adr_coll_wake_all(coll);
  }
  return status;
}

/* Fills the buffers of this round and of the next, which others may read while this member reads theirs. */
static int32_t fill_ahead(adr_coll *coll) {
  struct adr_cell_moves *cells = &coll->cells;
  while (cells->filled < cells->round + 2 && position_of(coll, cells->filled) < coll->bytes) {
    const int32_t status = fill(coll, cells->filled + 1);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  return next_stage(coll);
}

/* The root's round of a bcast. */
static int32_t lead(adr_coll *coll) {
  struct adr_cell_moves *cells = &coll->cells;
  for (; cells->round >= cells->buffers && cells->at < coll->slot.ranks; cells->at++) {
    const int32_t status =
        cells->at == coll->slot.self ? ADR_COLL_NEXT : see(coll, cells->at, cells->round - cells->buffers + 1);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  const int32_t status = fill(coll, cells->round + 1);
  return status == ADR_COLL_NEXT ? next_round(coll) : status;
}

/* Another member's. */
static int32_t follow(adr_coll *coll) {
  struct adr_cell_moves *cells = &coll->cells;
  const uint32_t root = (uint32_t)coll->root;
  if (cells->stage == 0) {
    const int32_t status = see(coll, root, cells->round + 1);
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  }
  const int32_t status = adr_coll_drain(coll, cells->memory, buffer(coll, root), position(coll), length(coll));
  if (status != ADR_COLL_NEXT) { return status; }
  adr_slot_publish(&coll->slot, coll->sequence, (uint32_t)(cells->round + 1));
  adr_coll_wake(coll, root);
  return next_round(coll);
}

/* Hands what the member that is looked at has made, once it has taken so many steps, to the caller. */
static int32_t take(adr_coll *coll, int64_t steps, int64_t source, int64_t position, int64_t length) {
  struct adr_cell_moves *cells = &coll->cells;
  int32_t status = cells->seen ? ADR_COLL_NEXT : see(coll, cells->at, steps);
  if (status == ADR_COLL_NEXT) {
    cells->seen = true;
    status = adr_coll_drain(coll, cells->memory, source, position, length);
  }
  if (status == ADR_COLL_NEXT) {
    cells->seen = false;
    cells->at++;
  }
  return status;
}

static int32_t gather(adr_coll *coll) {
  struct adr_cell_moves *cells = &coll->cells;
  if (cells->stage == 0) { return fill_ahead(coll); }
  if (cells->at < coll->slot.ranks) {
    return take(coll, cells->round + 1, buffer(coll, cells->at), cells->at * coll->bytes + position(coll),
                length(coll));
  }
  adr_coll_all_have_begun(coll);
  return next_round(coll);
}

static int32_t fold_by_caller(adr_coll *coll, int64_t operand, int64_t length, int64_t target) {
  struct adr_cell_moves *cells = &coll->cells;
  if (coll->asked) {
    coll->asked = false;
    return ADR_COLL_NEXT;
  }
  if (cells->folded_at != target) {
    memcpy(cells->memory + target, cells->memory + cells->folded_at, (size_t)length);
    cells->folded_at = target;
  }
  coll->asked = true;
  return adr_coll_ask(coll, ADR_COLL_COMBINE, cells->memory, operand, target, 0, length);
}

static int32_t fold_next(adr_coll *coll, int64_t operand, int64_t length, int64_t target, int64_t out_position) {
  struct adr_cell_moves *cells = &coll->cells;
  uint8_t *memory = cells->memory;
  if (cells->at == 0) {
    cells->folded_at = operand;
    return ADR_COLL_NEXT;
  }
  if (coll->operation == ADR_USER_OPERATION) { return fold_by_caller(coll, operand, length, target); }
  if (out_position >= 0 && coll->out != NULL) {
    uint8_t *out = coll->out + out_position;
    const uint8_t *left = cells->folded_at < 0 ? out : memory + cells->folded_at;
    adr_combine(coll->operation, coll->element, out, left, memory + operand, length);
    cells->folded_at = -1;
  } else {
    adr_combine(coll->operation, coll->element, memory + target, memory + cells->folded_at, memory + operand, length);
    cells->folded_at = target;
  }
  coll->moved += length;
  return ADR_COLL_NEXT;
}

/* Combines a stretch of all members' operands, in their order.
 *
 * `target`: where in this member's cell it goes, and `folded_at` tells; `out_position`: where in the caller's output it
 * may go instead, where it has given one: then `folded_at` is below zero; -1: it may not. */
static int32_t fold(adr_coll *coll, int64_t steps, int64_t offset, int64_t length, int64_t target,
                    int64_t out_position) {
  struct adr_cell_moves *cells = &coll->cells;
  while (cells->at < coll->slot.ranks) {
    int32_t status = coll->asked ? ADR_COLL_NEXT : see(coll, cells->at, steps);
    if (status == ADR_COLL_NEXT) {
      status = fold_next(coll, buffer(coll, cells->at) + offset, length, target, out_position);
    }
    if (status != ADR_COLL_NEXT) { return status; }
    cells->at++;
  }
  if (cells->folded_at != target && cells->folded_at >= 0) { /* alone */
    memcpy(cells->memory + target, cells->memory + cells->folded_at, (size_t)length);
    cells->folded_at = target;
  }
  return ADR_COLL_NEXT;
}

static int32_t combine_all(adr_coll *coll) {
  struct adr_cell_moves *cells = &coll->cells;
  int32_t status;
  switch (cells->stage) {
  case 0:
    return fill_ahead(coll);
  case 1:
    status = fold(coll, cells->round + 1, 0, length(coll),
                  half(coll, coll->slot.self) + ADR_COLL_OPERANDS * ADR_COLL_OPERAND, position(coll));
    if (status != ADR_COLL_NEXT) { return status; }
    adr_coll_all_have_begun(coll);
    return cells->folded_at < 0 ? next_round(coll) : next_stage(coll);
  default:
    status = adr_coll_drain(coll, cells->memory, cells->folded_at, position(coll), length(coll));
    return status == ADR_COLL_NEXT ? next_round(coll) : status;
  }
}

/* Bytes of each owner's part of this round; the last owners may have less, or none. */
static int64_t part(const adr_coll *coll) {
  const int64_t elements = length(coll) / coll->cells.unit;
  return (elements + coll->cells.owners - 1) / coll->cells.owners * coll->cells.unit;
}

static int64_t part_length(const adr_coll *coll, uint32_t owner) {
  return most_of(0, least_of(part(coll), length(coll) - owner * part(coll)));
}

static int64_t result(const adr_coll *coll, uint32_t owner) { return buffer(coll, owner) + coll->cells.room; }

/* Copies the parts that their owners have combined. */
static int32_t collect(adr_coll *coll) {
  struct adr_cell_moves *cells = &coll->cells;
  if (cells->at >= cells->owners || part_length(coll, cells->at) == 0) { return next_round(coll); }
  return take(coll, 2 * cells->round + 2, result(coll, cells->at), position(coll) + cells->at * part(coll),
              part_length(coll, cells->at));
}

static int32_t combine_parts(adr_coll *coll) {
  struct adr_cell_moves *cells = &coll->cells;
  const uint32_t self = coll->slot.self;
  int32_t status;
  switch (cells->stage) {
  case 0:
    status = fill(coll, 2 * cells->round + 1);
    return status == ADR_COLL_NEXT ? next_stage(coll) : status;
  case 1:
    if (self >= cells->owners || part_length(coll, self) == 0) { return next_stage(coll); }
    status = fold(coll, 2 * cells->round + 1, self * part(coll), part_length(coll, self), result(coll, self), -1);
    if (status != ADR_COLL_NEXT) { return status; }
    adr_coll_all_have_begun(coll);
    adr_slot_publish(&coll->slot, coll->sequence, (uint32_t)(2 * cells->round + 2));
    adr_coll_wake_all(coll);
    return next_stage(coll);
  default:
    return collect(coll);
  }
}

int32_t adr_cells_advance(adr_coll *coll) {
  if (!coll->cells.ready) { return prepare(coll); }
  switch (coll->kind) {
  case ADR_COLL_BCAST:
    return coll->slot.self == (uint32_t)coll->root ? lead(coll) : follow(coll);
  case ADR_COLL_ALLGATHER:
    return gather(coll);
  default:
    return coll->cells.owners == 0 ? combine_all(coll) : combine_parts(coll);
  }
}
