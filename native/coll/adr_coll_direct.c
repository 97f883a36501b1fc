/* One member's moves in a collective that goes straight from the members' memory: one copy. Twin of
 * io.adrastea.coll.DirectMoves.
 *
 * Every member's line tells how its buffers can be reached, and every member has read the lines of all: so all go this
 * way, or none does [MPICH2 2007, 3.2; OpenSHMEM over XPMEM 2011, 3: one copy for large data]. Shared allocations are
 * read and written here, where they are mapped; what only the system can reach is brought by the caller (READ, WRITE).
 * - bcast: each reads the root's input. Where the root can reach all outputs it writes a share of each, at its end: so
 *   all members copy as much.
 * - exscan of two: as a bcast of member 0, to the output of the other.
 * - allgather: each reads the input of each, its own first and then those behind it, so that not all read the same.
 *   Where two members have private memory each writes its input to the output of the other: a copy that stores into
 *   what another CPU has waits less than one that loads it.
 * - allreduce: the owner of a part combines all members' inputs, in their order, into its output; then each reads the
 *   others' parts there. Two members whose inputs are mapped and apart from the outputs both combine all instead; in
 *   private memory each writes its part to the output of the other.
 * - reduce of few members: the root combines all inputs into its output.
 * - reduce_scatter: each combines its part of all inputs into its output, which is apart from its input.
 *
 * A member's progress says that its part is combined, and that it copies nothing of the others any more. Nobody leaves
 * before all have said the latter: so memory is what its member gave for as long as others read it. One that breaks off
 * leaves earlier, and says so before it does; one that has read its memory looks for that afterwards. One that writes
 * says so before, and looks then; one that breaks off waits until nobody writes its memory any more. */
#include "coll/adr_coll_direct.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "coll/adr_coll_stages.h"
#include "coll/adr_coll_lines.h"
#include "coll/adr_combine.h"
#include "copy/adr_copy.h"

enum {
  INPUT = 0,
  OUTPUT = 1,
  BUFFERS = 2,
  PIECE = 65536,        /* bytes copied at a time here */
  REQUEST = 1048576,    /* bytes that the caller is asked for at a time */
  OPERAND = 32768,      /* of a reduction, combined at a time: first what was combined so far, then the next */
  STRETCH = 262144,     /* of what a member combines, written to the other's output while it is in its caches */
  COMBINED_BY_ROOT = 4, /* members of a reduce: of more, each has combined a part sooner, through stages */
  PART_ELEMENTS = 64,   /* parts are multiples of so many: no line is written by two members */
  BY_SYSTEM = 131072,   /* bytes from which on an allreduce takes CMA: what is combined is copied once more */
  SHARE = 4096,         /* what a root writes is a multiple of so many bytes: no page is written by two members */
};

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

static uint64_t tells(const struct adr_collective *coll, uint32_t member, uint32_t word) {
  const uint8_t *payload = adr_slot_line_of(&coll->slot, member, coll->sequence)->payload;
  return adr_load_once_u64((const uint64_t *)(const void *)payload + word);
}

/* How a buffer of a member can be reached. */
static int32_t by(const struct adr_collective *coll, uint32_t member, uint32_t buffer) {
  return (int32_t)(tells(coll, member, ADR_SLOT_TELL_BY) >> 8 * buffer & 0xff);
}

static uint64_t start(const struct adr_collective *coll, uint32_t member, uint32_t buffer) {
  return tells(coll, member, ADR_SLOT_TELL_IN + buffer);
}

/* What is possible */

static bool is_in_reach(int32_t by, uint64_t spaces) {
  return ((by & ADR_COLL_BY_OFFSET) != 0 && (spaces & ADR_COLL_SHARED) != 0)
         || ((by & ADR_COLL_BY_ADDRESS) != 0 && (spaces & (ADR_COLL_XPMEM | ADR_COLL_CMA)) != 0);
}

/* Whether a member's input and output share memory. */
static bool is_in_place(const struct adr_collective *coll, uint32_t member) {
  const uint64_t in = start(coll, member, INPUT);
  const uint64_t out = start(coll, member, OUTPUT);
  return by(coll, member, INPUT) == by(coll, member, OUTPUT)
         && (in < out ? out - in : in - out) < (uint64_t)coll->bytes;
}

/* Inputs that are not mapped would have to be copied whole before. */
static bool both_combine_all(const struct adr_collective *coll, uint64_t spaces) {
  return coll->kind == ADR_COLL_ALLREDUCE && coll->slot.ranks == 2 && (spaces & ADR_COLL_SHARED) != 0
         && (by(coll, 0, INPUT) & by(coll, 1, INPUT) & ADR_COLL_BY_OFFSET) != 0 && !is_in_place(coll, 0)
         && !is_in_place(coll, 1);
}

/* Whether one member's input goes to the outputs of the others, as it is. */
static bool is_copied(const struct adr_collective *coll) {
  return coll->kind == ADR_COLL_BCAST || coll->kind == ADR_COLL_EXSCAN;
}

/* The member whose input that is. */
static uint32_t giver(const struct adr_collective *coll) {
  return coll->kind == ADR_COLL_BCAST ? (uint32_t)coll->root : 0;
}

/* The set of spaces by which every member can reach all others. */
static uint64_t spaces_of_all(const struct adr_collective *coll) {
  uint64_t spaces = ADR_COLL_SHARED | ADR_COLL_XPMEM | ADR_COLL_CMA;
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    spaces &= tells(coll, member, ADR_SLOT_TELL_BY) >> 16 & 0xff;
  }
  return spaces;
}

/* Whether the giver can write the outputs of all others. */
static bool reaches_outputs(const struct adr_collective *coll, uint64_t spaces) {
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    if (member != giver(coll) && !is_in_reach(by(coll, member, OUTPUT), spaces)) { return false; }
  }
  return true;
}

/* Whether the members write what they give, or combine, to each other's outputs: where all four buffers are reached by
 * address. */
static bool both_write(const struct adr_collective *coll, uint64_t spaces) {
  return (coll->kind == ADR_COLL_ALLGATHER || coll->kind == ADR_COLL_ALLREDUCE) && coll->slot.ranks == 2
         && (spaces & (ADR_COLL_XPMEM | ADR_COLL_CMA)) != 0
         && (by(coll, 0, INPUT) & by(coll, 0, OUTPUT) & by(coll, 1, INPUT) & by(coll, 1, OUTPUT) & ADR_COLL_BY_ADDRESS)
                != 0;
}

/* Whether a setting says that memory is read where it lies wherever that is possible. */
static bool is_early(const struct adr_collective *coll) { return (coll->slot.choices & ADR_SLOT_DIRECT_EARLY) != 0; }

/* Whether one copy by the system takes less time than two through stages, which two CPUs make at once: where both of
 * two members copy a half of what there is, and in an allgather, in which all copy either way, and less is moved. */
static bool pays_by_system(const struct adr_collective *coll) {
  if (is_early(coll)) { return true; }
  switch (coll->kind) {
  case ADR_COLL_ALLGATHER:
    return true;
  case ADR_COLL_BCAST:
  case ADR_COLL_EXSCAN:
    return coll->slot.ranks == 2 && reaches_outputs(coll, spaces_of_all(coll));
  case ADR_COLL_ALLREDUCE:
    return coll->slot.ranks == 2 && coll->bytes >= BY_SYSTEM;
  case ADR_COLL_REDUCE_SCATTER:
    return coll->slot.ranks == 2;
  default:
    return false;
  }
}

static uint64_t worthwhile(const struct adr_collective *coll) {
  return pays_by_system(coll) ? ADR_COLL_SHARED | ADR_COLL_XPMEM | ADR_COLL_CMA : ADR_COLL_SHARED | ADR_COLL_XPMEM;
}

/* Whether others read what this member gives. */
static bool gives_input(const struct adr_collective *coll, uint32_t member) {
  switch (coll->kind) {
  case ADR_COLL_BCAST:
  case ADR_COLL_EXSCAN:
    return member == giver(coll);
  case ADR_COLL_REDUCE:
    return member != (uint32_t)coll->root;
  default:
    return true;
  }
}

/* Whether inputs stay as they are until all have read them, and each member has what to do. */
static bool keeps_inputs(const struct adr_collective *coll) {
  if (coll->kind == ADR_COLL_REDUCE) { return coll->slot.ranks <= COMBINED_BY_ROOT || is_early(coll); }
  for (uint32_t member = 0; coll->kind == ADR_COLL_REDUCE_SCATTER && member < coll->slot.ranks; member++) {
    if (is_in_place(coll, member)) { return false; }
  }
  return true;
}

/* Bytes of each output that the giver writes: as many as leave all members as much to copy. */
static int64_t share_of(const struct adr_collective *coll) {
  return coll->bytes / (int64_t)coll->slot.ranks / SHARE * SHARE;
}

bool adr_direct_is_possible(struct adr_collective *coll) {
  const uint64_t spaces = worthwhile(coll) & spaces_of_all(coll);
  if (!keeps_inputs(coll)) { return false; }
  const bool whole = both_combine_all(coll, spaces);
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    const bool gives_result = coll->kind == ADR_COLL_ALLREDUCE && !whole;
    if ((gives_input(coll, member) && !is_in_reach(by(coll, member, INPUT), spaces))
        || (gives_result && !is_in_reach(by(coll, member, OUTPUT), spaces))) {
      return false;
    }
  }
  struct adr_direct_moves *direct = &coll->direct;
  direct->whole = whole;
  direct->writes = !whole && both_write(coll, spaces);
  direct->written = 0;
  direct->brought = false;
  direct->own = false;
  direct->phase = 0;
  direct->at = 0;
  direct->position = 0;
  direct->share = is_copied(coll) && reaches_outputs(coll, spaces) ? share_of(coll) : 0;
  adr_stages_begin_quarter(coll);
  if (!is_copied(coll) && coll->kind != ADR_COLL_ALLGATHER) {
    adr_stages_begin(coll); /* for operands that have to be brought here */
  }
  return true;
}

struct adr_stretch adr_direct_stretch(const struct adr_collective *coll, bool is_input) {
  const bool is_all = !is_input && coll->kind == ADR_COLL_ALLGATHER;
  return (struct adr_stretch){0, is_all ? coll->bytes * coll->slot.ranks : coll->bytes};
}

/* Members' memory */

/* Where bytes of another member's buffer are mapped here; NULL: they are to be brought. */
static uint8_t *place_in(const struct adr_collective *coll, uint32_t member, uint32_t buffer, int64_t position,
                         int64_t length) {
  if ((by(coll, member, buffer) & ADR_COLL_BY_OFFSET) == 0 || coll->direct.windows == NULL) { return NULL; }
  const struct adr_direct_window *window = &coll->direct.windows[member * BUFFERS + buffer];
  const uint64_t at = start(coll, member, buffer) + (uint64_t)position - (uint64_t)window->offset;
  if (window->memory == NULL || at >= (uint64_t)window->bytes || (uint64_t)length > (uint64_t)window->bytes - at) {
    return NULL;
  }
  return window->memory + at;
}

/* Where bytes of a member's buffer can be read here, of this one's input; NULL: they are to be brought. */
static const uint8_t *place(const struct adr_collective *coll, uint32_t member, uint32_t buffer, int64_t position,
                            int64_t length) {
  if (member != coll->slot.self) { return place_in(coll, member, buffer, position, length); }
  return coll->in == NULL ? NULL : coll->in + position;
}

static int32_t ask(struct adr_collective *coll, int32_t status, uint32_t member, uint32_t buffer, int64_t at,
                   int64_t length) {
  adr_coll_ask(coll, status, coll->stages.memory, (int64_t)(start(coll, member, buffer) + (uint64_t)at), 0, 0, length);
  coll->words[ADR_COLL_BY] = by(coll, member, buffer);
  coll->words[ADR_COLL_SEGMENT] = (int64_t)tells(coll, member, ADR_SLOT_TELL_SEGMENT);
  coll->direct.asked_for = status;
  coll->direct.buffer = buffer;
  coll->other = (int32_t)member;
  return status;
}

/* Whether a stretch of shared memory is to be mapped before bytes of it can be read here. */
static bool needs_window_of(const struct adr_collective *coll, uint32_t member, uint32_t buffer, int64_t from,
                            int64_t bytes) {
  return member != coll->slot.self && (by(coll, member, buffer) & ADR_COLL_BY_OFFSET) != 0
         && place(coll, member, buffer, from, bytes) == NULL;
}

static bool needs_window(const struct adr_collective *coll, uint32_t member, uint32_t buffer) {
  return needs_window_of(coll, member, buffer, 0, coll->bytes);
}

static int32_t ask_for_window(struct adr_collective *coll, uint32_t member, uint32_t buffer) {
  coll->direct.wanted = member * BUFFERS + buffer;
  return ask(coll, ADR_COLL_REACH, member, buffer, 0, coll->bytes);
}

int32_t adr_coll_reach(adr_coll *member, int32_t which, int64_t offset, void *memory, int64_t bytes) {
  if ((uint32_t)which >= ADR_SLOT_LINES) { return ADR_INVALID; }
  struct adr_collective *coll = &member->collectives[which];
  struct adr_direct_moves *direct = &coll->direct;
  const int64_t from = coll->words[ADR_COLL_SOURCE];
  const int64_t length = coll->words[ADR_COLL_BYTES];
  if (direct->windows == NULL) {
    direct->windows = calloc((size_t)coll->slot.ranks * BUFFERS, sizeof *direct->windows);
    if (direct->windows == NULL) { return -ENOMEM; }
  }
  if (memory == NULL || from < offset || from - offset > bytes || length > bytes - (from - offset)) {
    return ADR_INVALID;
  }
  direct->windows[direct->wanted] = (struct adr_direct_window){offset, bytes, memory};
  return 0;
}

/* Has the caller bring bytes of a member's buffer to the stages or, below zero, to the output. */
static int32_t bring(struct adr_collective *coll, uint32_t member, uint32_t buffer, int64_t from, int64_t length,
                     int64_t stages, int64_t out) {
  if (!adr_coll_asks(coll)) { return ADR_COLL_NEXT; }
  ask(coll, ADR_COLL_READ, member, buffer, from, length);
  coll->words[ADR_COLL_TARGET] = stages;
  coll->words[ADR_COLL_POSITION] = out;
  coll->words[ADR_COLL_PLACE] = stages < 0 ? ADR_COLL_IN_OUTPUT : ADR_COLL_IN_STAGES;
  return ADR_COLL_READ;
}

static int32_t fetch_piece(struct adr_collective *coll, uint32_t member, uint32_t buffer, int64_t from, int64_t out,
                           int64_t bytes) {
  struct adr_direct_moves *direct = &coll->direct;
  const int64_t left = bytes - direct->position;
  const int64_t piece = least_of(left, PIECE);
  const uint8_t *source = place(coll, member, buffer, from + direct->position, piece);
  if (source != NULL && coll->out != NULL) {
    adr_copy_part(coll->out + out + direct->position, source, piece, bytes);
    coll->moved += piece;
    direct->position += piece;
    return ADR_COLL_NEXT;
  }
  const int64_t request = least_of(left, REQUEST);
  const int32_t status = bring(coll, member, buffer, from + direct->position, request, -1, out + direct->position);
  if (status == ADR_COLL_NEXT) { direct->position += request; }
  return status;
}

/* Brings the next bytes of a stretch of a member's buffer to the output: NEXT, also when more are left, or what is to
 * be done first. */
static int32_t fetch(struct adr_collective *coll, uint32_t member, uint32_t buffer, int64_t from, int64_t out,
                     int64_t bytes) {
  if (coll->out != NULL && needs_window(coll, member, buffer)) { return ask_for_window(coll, member, buffer); }
  return fetch_piece(coll, member, buffer, from, out, bytes);
}

static int32_t breaks(struct adr_collective *coll, uint32_t member) {
  coll->other = (int32_t)member;
  return ADR_COLL_BROKEN;
}

/* Has the caller write bytes of its input, or of its output, to a member's output. */
static int32_t hand(struct adr_collective *coll, uint32_t member, int64_t place, int64_t from, int64_t to,
                    int64_t length) {
  if (!adr_coll_asks(coll)) { return ADR_COLL_NEXT; }
  ask(coll, ADR_COLL_WRITE, member, OUTPUT, to, length);
  coll->words[ADR_COLL_TARGET] = coll->words[ADR_COLL_SOURCE];
  coll->words[ADR_COLL_POSITION] = from;
  coll->words[ADR_COLL_PLACE] = place;
  return ADR_COLL_WRITE;
}

int32_t adr_direct_put_block(struct adr_collective *coll, uint32_t member, int64_t from, int64_t to, int64_t bytes) {
  struct adr_direct_moves *direct = &coll->direct;
  if (coll->in != NULL && needs_window_of(coll, member, OUTPUT, to, bytes)) {
    direct->wanted = member * BUFFERS + OUTPUT;
    return ask(coll, ADR_COLL_REACH, member, OUTPUT, to, bytes);
  }
  const int64_t left = bytes - direct->position;
  const int64_t piece = least_of(left, PIECE);
  uint8_t *target = place_in(coll, member, OUTPUT, to + direct->position, piece);
  if (target != NULL && coll->in != NULL) {
    if (!adr_slot_begin_write(&coll->slot, member)) { return breaks(coll, member); }
    adr_copy_part(target, coll->in + from + direct->position, piece, bytes);
    adr_slot_end_write(&coll->slot);
    coll->moved += piece;
    direct->position += piece;
    return ADR_COLL_NEXT;
  }
  const int64_t request = least_of(left, REQUEST);
  const int32_t status = hand(coll, member, ADR_COLL_IN_INPUT, from + direct->position, to + direct->position, request);
  if (status == ADR_COLL_NEXT) { direct->position += request; }
  return status;
}

int32_t adr_direct_fetch_block(struct adr_collective *coll, uint32_t member, int64_t from, int64_t out, int64_t bytes) {
  if (coll->out != NULL && needs_window_of(coll, member, INPUT, from, bytes)) {
    coll->direct.wanted = member * BUFFERS + INPUT;
    return ask(coll, ADR_COLL_REACH, member, INPUT, from, bytes);
  }
  return fetch_piece(coll, member, INPUT, from, out, bytes);
}

/* Says that so many steps are taken. */
static int32_t say(struct adr_collective *coll, uint32_t steps) {
  adr_slot_publish(&coll->slot, coll->sequence, steps);
  adr_coll_wake_all(coll);
  coll->direct.phase++;
  coll->direct.at = 0;
  coll->direct.position = 0;
  return ADR_COLL_NEXT;
}

static int32_t see(struct adr_collective *coll, uint32_t member, uint32_t steps) {
  if (adr_slot_has_taken(&coll->slot, member, coll->sequence, steps)) { return ADR_COLL_NEXT; }
  coll->other = (int32_t)member;
  return ADR_AGAIN;
}

/* Every member is done with the others' memory. */
static int32_t see_all(struct adr_collective *coll, uint32_t steps) {
  struct adr_direct_moves *direct = &coll->direct;
  for (; direct->at < coll->slot.ranks; direct->at++) {
    const int32_t status = direct->at == coll->slot.self ? ADR_COLL_NEXT : see(coll, direct->at, steps);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  return ADR_COLL_THROUGH;
}

/* Whether what was read of a member, or of all from it on, is what it gave: it had not broken off. */
static int32_t trust(struct adr_collective *coll, uint32_t first, uint32_t last) {
  const uint32_t broken = adr_slot_broken_of(&coll->slot, first, last);
  return broken == coll->slot.ranks ? ADR_COLL_NEXT : breaks(coll, broken);
}

int32_t adr_direct_trust_block(struct adr_collective *coll, uint32_t member) { return trust(coll, member, member); }

/* The collectives */

/* Writes the giver's share of the others' outputs, and says so. */
static int32_t spread(struct adr_collective *coll) {
  struct adr_direct_moves *direct = &coll->direct;
  const uint32_t ranks = coll->slot.ranks;
  if (direct->at == ranks - 1) { return say(coll, 1); }
  if (direct->position == direct->share) {
    direct->position = 0;
    direct->at++;
    return ADR_COLL_NEXT;
  }
  const int64_t at = coll->bytes - direct->share;
  return adr_direct_put_block(coll, (coll->slot.self + 1 + direct->at) % ranks, at, at, direct->share);
}

/* Reads the rest of the giver's input, and says so. */
static int32_t take_rest(struct adr_collective *coll, uint32_t from) {
  const int64_t rest = coll->bytes - coll->direct.share;
  if (coll->direct.position < rest) { return fetch(coll, from, INPUT, 0, 0, rest); }
  const int32_t status = trust(coll, from, from);
  return status == ADR_COLL_NEXT ? say(coll, 1) : status;
}

/* Brings one member's input to the outputs of the others. */
static int32_t copy(struct adr_collective *coll) {
  const struct adr_direct_moves *direct = &coll->direct;
  const uint32_t from = giver(coll);
  if (coll->slot.self == from) { return direct->share > 0 && direct->phase == 0 ? spread(coll) : see_all(coll, 1); }
  if (direct->phase == 0) { return take_rest(coll, from); }
  const int32_t status = direct->share > 0 ? see(coll, from, 1) : ADR_COLL_NEXT;
  return status == ADR_COLL_NEXT ? ADR_COLL_THROUGH : status;
}

/* Brings some of this member's part of an allgather from its input to its output. */
static int32_t keep(struct adr_collective *coll) {
  struct adr_direct_moves *direct = &coll->direct;
  const int64_t out = (int64_t)coll->slot.self * coll->bytes + direct->position;
  const int64_t left = coll->bytes - direct->position;
  if (coll->in != NULL && coll->out != NULL) {
    const int64_t piece = least_of(left, PIECE);
    if (coll->in + direct->position != coll->out + out) {
      adr_copy_part(coll->out + out, coll->in + direct->position, piece, coll->bytes);
      coll->moved += piece;
    }
    direct->position += piece;
    return ADR_COLL_NEXT;
  }
  const int64_t request = least_of(left, REQUEST);
  if (adr_coll_asks(coll)) {
    return adr_coll_ask(coll, ADR_COLL_KEEP, (const uint8_t *)coll->slot.slot, direct->position, 0, out, request);
  }
  direct->position += request;
  return ADR_COLL_NEXT;
}

/* Writes this member's input to the output of the other of two, says so, and brings it to its own. */
static int32_t give_and_keep(struct adr_collective *coll) {
  const struct adr_direct_moves *direct = &coll->direct;
  const uint32_t self = coll->slot.self;
  const int64_t bytes = coll->bytes;
  if (direct->phase == 0) {
    return direct->position == bytes ? say(coll, 1)
                                     : adr_direct_put_block(coll, 1 - self, 0, (int64_t)self * bytes, bytes);
  }
  return direct->position == bytes ? see_all(coll, 1) : keep(coll);
}

static int32_t allgather(struct adr_collective *coll) {
  struct adr_direct_moves *direct = &coll->direct;
  const uint32_t ranks = coll->slot.ranks;
  if (direct->writes) { return give_and_keep(coll); }
  if (direct->phase > 0) { return see_all(coll, 1); }
  if (direct->at == ranks) {
    const int32_t status = trust(coll, 0, ranks - 1);
    return status == ADR_COLL_NEXT ? say(coll, 1) : status;
  }
  if (direct->position == coll->bytes) {
    direct->position = 0;
    direct->at++;
    return ADR_COLL_NEXT;
  }
  const uint32_t member = (coll->slot.self + direct->at) % ranks;
  return direct->at == 0 ? keep(coll) : fetch(coll, member, INPUT, 0, (int64_t)member * coll->bytes, coll->bytes);
}

/* Where the part of a member begins; that of the one behind the last is the end. */
static int64_t part_of(const struct adr_collective *coll, uint32_t member) {
  const int64_t elements = coll->bytes / coll->stages.unit;
  const int64_t each = ((elements + coll->slot.ranks - 1) / coll->slot.ranks + PART_ELEMENTS - 1) / PART_ELEMENTS;
  return least_of(elements, (int64_t)member * each * PART_ELEMENTS) * coll->stages.unit;
}

/* Whether one operand alone is brought to the stages, that of the other of two members. */
static bool brings_one(const struct adr_collective *coll) {
  return coll->slot.ranks == 2 && coll->in != NULL && coll->op != ADR_USER_OPERATOR;
}

/* Bytes of each operand that are combined at a time. */
static int64_t combined_at_once(const struct adr_collective *coll) {
  return (brings_one(coll) ? PIECE : OPERAND) / coll->stages.unit * coll->stages.unit;
}

/* Where in this member's quarter an operand goes that was brought: the first one where others are combined with it. */
static int64_t room_of(const struct adr_collective *coll, uint32_t member) {
  return adr_stages_quarter(coll, coll->slot.self) + (member == 0 || brings_one(coll) ? 0 : OPERAND);
}

/* Where a member's operand lies. */
static const uint8_t *operand(const struct adr_collective *coll, uint32_t member, int64_t from, int64_t length) {
  const uint8_t *there = coll->op == ADR_USER_OPERATOR ? NULL : place(coll, member, INPUT, from, length);
  return there == NULL ? coll->stages.memory + room_of(coll, member) : there;
}

/* Sees to it that a member's operand can be combined here; an operator of the caller's finds all in the stages. */
static int32_t prepare_operand(struct adr_collective *coll, uint32_t member, int64_t from, int64_t length) {
  if (needs_window(coll, member, INPUT)) { return ask_for_window(coll, member, INPUT); }
  const uint8_t *there = place(coll, member, INPUT, from, length);
  if (there == NULL) {
    return member == coll->slot.self ? adr_coll_fill(coll, coll->stages.memory, room_of(coll, member), from, length)
                                     : bring(coll, member, INPUT, from, length, room_of(coll, member), -1);
  }
  if (coll->op == ADR_USER_OPERATOR) {
    memcpy(coll->stages.memory + room_of(coll, member), there, (size_t)length);
    coll->moved += length;
  }
  return ADR_COLL_NEXT;
}

/* `out`: where in this member's output the last operand's result goes. */
static int32_t combine_next(struct adr_collective *coll, int64_t from, int64_t out, int64_t length) {
  struct adr_direct_moves *direct = &coll->direct;
  const int64_t folded = adr_stages_quarter(coll, coll->slot.self);
  if (direct->at == 0) { return ADR_COLL_NEXT; }
  if (coll->op == ADR_USER_OPERATOR) {
    return adr_coll_asks(coll)
               ? adr_coll_ask(coll, ADR_COLL_COMBINE, coll->stages.memory, room_of(coll, direct->at), folded, 0, length)
               : ADR_COLL_NEXT;
  }
  direct->own = direct->at == coll->slot.ranks - 1 && coll->out != NULL;
  const uint8_t *left = direct->at == 1 ? operand(coll, 0, from, length) : coll->stages.memory + folded;
  adr_combine(coll->op, coll->element, direct->own ? coll->out + out : coll->stages.memory + folded, left,
              operand(coll, direct->at, from, length), length);
  coll->moved += length;
  return ADR_COLL_NEXT;
}

/* Combines one operand more of the next piece of the part that this member combines, from `begin` to `end`: those of
 * many members are more than a call may move. `out`: where in its output the part begins. */
static int32_t combine_piece(struct adr_collective *coll, int64_t begin, int64_t end, int64_t out) {
  struct adr_direct_moves *direct = &coll->direct;
  const int64_t from = begin + direct->position;
  const int64_t to = out + direct->position;
  const int64_t length = least_of(combined_at_once(coll), end - from);
  if (direct->at < coll->slot.ranks) {
    int32_t status = direct->brought ? ADR_COLL_NEXT : prepare_operand(coll, direct->at, from, length);
    if (status != ADR_COLL_NEXT) { return status; }
    direct->brought = true;
    status = combine_next(coll, from, to, length);
    if (status != ADR_COLL_NEXT) { return status; }
    direct->brought = false;
    direct->at++;
    return ADR_COLL_NEXT;
  }
  if (!direct->own) {
    const int32_t status =
        adr_coll_drain(coll, coll->stages.memory, adr_stages_quarter(coll, coll->slot.self), to, length);
    if (status != ADR_COLL_NEXT) { return status; }
  }
  direct->own = false;
  direct->at = 0;
  direct->position += length;
  return ADR_COLL_NEXT;
}

/* Writes what this member has combined of its part, from `begin` on, to the output of the other of two. */
static int32_t hand_combined(struct adr_collective *coll, int64_t begin) {
  struct adr_direct_moves *direct = &coll->direct;
  const int64_t from = begin + direct->written;
  const int64_t length = direct->position - direct->written;
  const int32_t status = hand(coll, 1 - coll->slot.self, ADR_COLL_IN_OUTPUT, from, from, length);
  if (status == ADR_COLL_NEXT) { direct->written = direct->position; }
  return status;
}

/* Whether what this member has combined is to be written before it combines more. */
static bool is_to_be_written(const struct adr_collective *coll, int64_t bytes) {
  const struct adr_direct_moves *direct = &coll->direct;
  const int64_t unwritten = direct->position - direct->written;
  return direct->writes && unwritten > 0 && (unwritten >= STRETCH || direct->position == bytes);
}

/* Combines a part of all inputs, and says that they were read, and that it is where else it belongs. */
static int32_t combine_part(struct adr_collective *coll, int64_t begin, int64_t end, int64_t out) {
  if (is_to_be_written(coll, end - begin)) { return hand_combined(coll, begin); }
  if (coll->direct.position < end - begin) { return combine_piece(coll, begin, end, out); }
  const int32_t status = trust(coll, 0, coll->slot.ranks - 1);
  return status == ADR_COLL_NEXT ? say(coll, 1) : status;
}

/* Reads the parts of the other members. */
static int32_t collect(struct adr_collective *coll) {
  struct adr_direct_moves *direct = &coll->direct;
  const uint32_t ranks = coll->slot.ranks;
  if (direct->at == ranks - 1) {
    const int32_t status = trust(coll, 0, ranks - 1);
    return status == ADR_COLL_NEXT ? say(coll, 2) : status;
  }
  const uint32_t owner = (coll->slot.self + 1 + direct->at) % ranks;
  const int64_t begin = part_of(coll, owner);
  const int64_t bytes = part_of(coll, owner + 1) - begin;
  if (direct->position == bytes) {
    direct->position = 0;
    direct->at++;
    return ADR_COLL_NEXT;
  }
  const int32_t status = direct->position > 0 ? ADR_COLL_NEXT : see(coll, owner, 1);
  return status == ADR_COLL_NEXT ? fetch(coll, owner, OUTPUT, begin, begin, bytes) : status;
}

static int32_t allreduce(struct adr_collective *coll) {
  struct adr_direct_moves *direct = &coll->direct;
  const uint32_t self = coll->slot.self;
  const int64_t begin = direct->whole ? 0 : part_of(coll, self);
  const int64_t end = direct->whole ? coll->bytes : part_of(coll, self + 1);
  if (!coll->stages.ready) { return adr_stages_prepare(coll); }
  if (direct->phase == 0) { return combine_part(coll, begin, end, begin); }
  if (direct->whole || direct->writes) { return see_all(coll, 1); }
  return direct->phase == 1 ? collect(coll) : see_all(coll, 2);
}

static int32_t reduce(struct adr_collective *coll) {
  const uint32_t root = (uint32_t)coll->root;
  if (!coll->stages.ready) { return adr_stages_prepare(coll); /* member 0 makes those that the root needs */ }
  if (coll->slot.self != root) {
    const int32_t status = see(coll, root, 1);
    return status == ADR_COLL_NEXT ? ADR_COLL_THROUGH : status;
  }
  return coll->direct.phase == 0 ? combine_part(coll, 0, coll->bytes, 0) : ADR_COLL_THROUGH;
}

static int32_t reduce_scatter(struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  const int64_t begin = adr_coll_part_at(coll, self);
  if (!coll->stages.ready) { return adr_stages_prepare(coll); }
  return coll->direct.phase == 0 ? combine_part(coll, begin, begin + adr_coll_part_bytes(coll, self), 0)
                                 : see_all(coll, 1);
}

int32_t adr_direct_advance(struct adr_collective *coll) {
  switch (coll->kind) {
  case ADR_COLL_REDUCE:
    return reduce(coll);
  case ADR_COLL_REDUCE_SCATTER:
    return reduce_scatter(coll);
  case ADR_COLL_BCAST:
  case ADR_COLL_EXSCAN:
    return copy(coll);
  case ADR_COLL_ALLGATHER:
    return allgather(coll);
  default:
    return allreduce(coll);
  }
}
