/* One member's moves in an exchange: each member gives a block of bytes to each that reads it. Twin of
 * io.adrastea.coll.ExchangeMoves.
 *
 * A gather has one reader, a scatter one giver; in an alltoall, and in an allgather by parts, everybody is both; in one
 * between two groups what a member gives goes to the members of the other group alone, once into its stage for all.
 * Blocks are of one length or, where a member gives or takes by parts, each of its own. Each giver goes its own way,
 * which its line tells:
 * - What fits its line is there, one block behind the other.
 * - What is longer goes through its quarter of a stage, a ring of buffers, one for each round: in a round it puts the
 * same stretch of each block into a buffer, and the readers take theirs out.
 * - Large blocks are read where they lie: in a shared allocation or, where the giver's readers have all told that they
 *   can reach the others' memory, by the system. The giver waits until all have read them.
 * - In a gather, and in an alltoall of two, of equal blocks, the giver writes a large one to its reader's output, where
 *   both lines tell of memory that the system reaches: so nobody copies the blocks of others alone, and each copies
 *   what is in its own caches. It says so at the end, and the reader waits for that.
 *
 * Lengths of several blocks by parts stand before the data: in a line a byte each, in a stage a word each and, behind
 * these, a word for each block's position. A reader that expects another length says so.
 *
 * A member takes the blocks of a round in the order in which they come: where members share CPUs, those that have run
 * before it have given theirs, and it takes all of them before it gives way.
 *
 * A member's own block goes from its input to its output once the first buffers are filled, so that others need not
 * wait for that copy. One that only gives copies it where it would wait for buffers to be read, and in the end.
 *
 * A member fills one round ahead of the one in which it reads. Its progress, of k + 1 steps, says that it has filled
 * its rounds up to k, and has read all up to k - 2 that there are for it: so a giver that fills round r, over round r -
 * 4, waits for r - 1 steps of those that had bytes there. A member that gives less than it reads, or nothing, says what
 * it has read all the same, and at the end that it has read all. */
#include "coll/adr_coll_exchange.h"

#include <stdlib.h>
#include <string.h>

#include "coll/adr_coll_stages.h"
#include "coll/adr_coll_lines.h"
#include "coll/adr_exchange_room.h"
#include "copy/adr_copy.h"

enum {
  BUFFERS = ADR_EXCHANGE_BUFFERS,
  ALL_STEPS = INT32_MAX, /* of one that is through: it has read all that there was for it */
  KEPT_AT_ONCE = 16384,  /* bytes of its own block that a member copies before it looks at others again */
  REQUEST = 262144,      /* the same that the caller is asked to copy */
};

enum phase { SETTLE_WAY, WRITE_BLOCK, FILL_BUFFERS, OWN_BLOCK, TAKE_BLOCKS, SAY_ALL, AWAIT_READERS };

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }

static bool is_rooted(int32_t kind) { return kind == ADR_COLL_GATHER || kind == ADR_COLL_SCATTER; }

static bool is_root(const struct adr_collective *coll) { return coll->slot.self == (uint32_t)coll->root; }

/* What each member gives */

static int64_t part(const struct adr_collective *coll, uint32_t row, uint32_t member) {
  return coll->exchange.parts[row * coll->slot.ranks + member];
}

/* Whether what a member gives goes to another: between groups, to those of the other one. */
static bool gives_to(const struct adr_collective *coll, uint32_t giver, uint32_t reader) {
  const uint32_t first = coll->exchange.first_group;
  return first == 0 || (giver < first) != (reader < first);
}

bool adr_exchange_allows(struct adr_collective *coll, const int64_t *given, int32_t kind, int32_t root, int32_t element,
                         int64_t bytes) {
  const uint32_t ranks = coll->slot.ranks;
  const uint32_t self = coll->slot.self;
  const size_t words = (size_t)ADR_COLL_PART_ROWS * ranks;
  if (given == NULL) { return false; }
  if (coll->exchange.parts == NULL) { coll->exchange.parts = malloc(words * sizeof *given); }
  if (coll->exchange.parts == NULL) { return false; }
  memcpy(coll->exchange.parts, given, words * sizeof *given);
  for (size_t i = 0; i < words; i++) {
    if (given[i] < 0 || given[i] > ADR_COLL_MOST_BYTES) { return false; }
  }
  for (uint32_t member = 0; member < ranks; member++) {
    if (!adr_exchange_takes(kind, ranks, part(coll, ADR_COLL_GIVE_BYTES, member))
        || !adr_exchange_takes(kind, ranks, part(coll, ADR_COLL_TAKE_BYTES, member))) {
      return false;
    }
  }
  coll->exchange.first_group = adr_exchange_is_across(kind, element) ? (uint32_t)root : 0;
  for (uint32_t member = 0; member < ranks; member++) {
    if (!gives_to(coll, member, self) && part(coll, ADR_COLL_TAKE_BYTES, member) != 0) { return false; }
  }
  int64_t total = adr_coll_has_several_blocks(kind) ? 0 : part(coll, ADR_COLL_GIVE_BYTES, self);
  for (uint32_t member = 0; adr_coll_has_several_blocks(kind) && member < ranks; member++) {
    total = least_of(ADR_COLL_MOST_BYTES + 1, total + part(coll, ADR_COLL_GIVE_BYTES, member));
  }
  const bool keeps = gives_to(coll, self, self) && (!is_rooted(kind) || self == (uint32_t)root);
  return (kind != ADR_COLL_SCATTER || self == (uint32_t)root) && total == bytes
         && (!keeps || part(coll, ADR_COLL_GIVE_BYTES, self) == part(coll, ADR_COLL_TAKE_BYTES, self));
}

/* The other members, those behind this one first: so not all begin with the same. */
static uint32_t other(const struct adr_collective *coll, uint32_t index) {
  const uint32_t member = coll->slot.self + 1 + index;
  return member < coll->slot.ranks ? member : member - coll->slot.ranks;
}

static uint32_t giver_of(const struct adr_collective *coll, uint32_t index) {
  return coll->kind == ADR_COLL_SCATTER ? (uint32_t)coll->root : other(coll, index);
}

static uint32_t reader_of(const struct adr_collective *coll, uint32_t index) {
  return coll->kind == ADR_COLL_GATHER ? (uint32_t)coll->root : other(coll, index);
}

static int64_t give_bytes(const struct adr_collective *coll, uint32_t reader) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  if (!gives_to(coll, coll->slot.self, reader)) { return 0; }
  return exchange->by_parts ? part(coll, ADR_COLL_GIVE_BYTES, exchange->several_blocks ? reader : coll->slot.self)
                            : coll->bytes;
}

static int64_t gives_at(const struct adr_collective *coll, uint32_t reader) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  if (exchange->by_parts) { return part(coll, ADR_COLL_GIVE_AT, exchange->several_blocks ? reader : coll->slot.self); }
  return exchange->several_blocks ? (int64_t)reader * coll->bytes : 0;
}

static int64_t take_bytes(const struct adr_collective *coll, uint32_t giver) {
  return coll->exchange.by_parts ? part(coll, ADR_COLL_TAKE_BYTES, giver) : coll->bytes;
}

static int64_t takes_at(const struct adr_collective *coll, uint32_t giver) {
  if (coll->exchange.by_parts) { return part(coll, ADR_COLL_TAKE_AT, giver); }
  return coll->kind == ADR_COLL_SCATTER ? 0 : (int64_t)giver * coll->bytes;
}

/* Whether this member has a block of its own to bring from its input to its output. */
static bool keeps(const struct adr_collective *coll) {
  return !coll->exchange.stays && (!is_rooted(coll->kind) || is_root(coll));
}

static int32_t way_of(const struct adr_collective *coll, bool by_parts, int64_t bytes) {
  return adr_coll_choice_of_giver(coll->kind, coll->slot.ranks, bytes, by_parts, coll->slot.choices);
}

static int64_t up(int64_t bytes, int64_t unit) { return (bytes + unit - 1) & -unit; }

void adr_exchange_begin(struct adr_collective *coll, bool by_parts, bool stays) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  const int32_t kind = coll->kind;
  const uint32_t ranks = coll->slot.ranks;
  const struct adr_exchange_room room = adr_exchange_room_of(kind, ranks);
  const bool only_takes = kind == ADR_COLL_GATHER ? is_root(coll) : kind == ADR_COLL_SCATTER && !is_root(coll);
  const bool only_gives = kind == ADR_COLL_SCATTER ? is_root(coll) : kind == ADR_COLL_GATHER && !is_root(coll);
  exchange->several_blocks = adr_coll_has_several_blocks(kind);
  exchange->first_group = adr_exchange_is_across(kind, coll->element) ? (uint32_t)coll->root : 0;
  exchange->by_parts = by_parts;
  exchange->stays = stays;
  exchange->givers = only_gives ? 0 : kind == ADR_COLL_SCATTER ? 1 : ranks - 1;
  exchange->readers = only_takes ? 0 : kind == ADR_COLL_GATHER ? 1 : ranks - 1;
  exchange->way = way_of(coll, by_parts, coll->bytes);
  exchange->phase = SETTLE_WAY;
  exchange->at = 0;
  exchange->block = 0;
  exchange->round = 0;
  exchange->filled = 0;
  exchange->kept = 0;
  exchange->partly = false;
  exchange->awaited = false;
  exchange->writes = false;
  exchange->goes_on = false;
  adr_direct_begin_blocks(coll);
  exchange->header = room.header;
  exchange->buffer_bytes = room.buffer_bytes;
  exchange->room = room.stretch;
}

/* The longest block that this member gives, or takes. */
static int64_t longest_of(const struct adr_collective *coll, bool gives) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  const uint32_t members = gives ? exchange->readers : exchange->givers;
  int64_t longest = members == 0 || exchange->by_parts ? 0 : coll->bytes;
  for (uint32_t i = 0; exchange->by_parts && i < members; i++) {
    longest = most_of(longest, gives ? give_bytes(coll, reader_of(coll, i)) : take_bytes(coll, giver_of(coll, i)));
  }
  return longest;
}

/* Whether others may write their blocks to this member's output. */
bool adr_exchange_tells_output(const struct adr_collective *coll) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  const bool takes = coll->kind == ADR_COLL_GATHER
                         ? is_root(coll)
                         : coll->kind == ADR_COLL_ALLTOALL && coll->slot.ranks == 2 && !exchange->stays;
  return takes && !exchange->by_parts
         && longest_of(coll, false) >= adr_coll_least_by_system(coll->kind, coll->slot.ranks, coll->slot.choices);
}

bool adr_exchange_exposes(const struct adr_collective *coll) {
  return adr_exchange_tells_output(coll) || (coll->exchange.way == ADR_COLL_GIVER_DIRECT && coll->exchange.readers > 0)
         || (adr_slot_spaces(&coll->slot, coll->slot.self) == 0
             && longest_of(coll, false) >= adr_coll_least_by_system(coll->kind, coll->slot.ranks, coll->slot.choices));
}

int64_t adr_exchange_one_block_at(const struct adr_collective *coll) {
  return coll->exchange.several_blocks ? 0 : gives_at(coll, coll->slot.self);
}

struct adr_stretch adr_exchange_stretch(const struct adr_collective *coll, uint32_t member, bool is_input) {
  return is_input ? (struct adr_stretch){gives_at(coll, member), give_bytes(coll, member)}
                  : (struct adr_stretch){takes_at(coll, member), take_bytes(coll, member)};
}

bool adr_exchange_is_over_input(const struct adr_collective *coll) {
  return coll->kind == ADR_COLL_ALLTOALL && coll->exchange.stays;
}

static uint8_t *slot_bytes(const struct adr_collective *coll) { return (uint8_t *)coll->slot.slot; }

static uint8_t *payload(const struct adr_collective *coll, uint32_t member) {
  return adr_slot_line_of(&coll->slot, member, coll->sequence)->payload;
}

static int64_t offset_of(const struct adr_collective *coll, uint32_t member) {
  return payload(coll, member) - slot_bytes(coll);
}

/* What a giver's line tells of its memory. */
static uint64_t *tells_of(const struct adr_collective *coll, uint32_t giver) {
  return (uint64_t *)(void *)payload(coll, giver);
}

/* How a member's buffers can be reached, and by which spaces it can reach the others'. */
static uint64_t by_of(const struct adr_collective *coll, uint32_t member) {
  return adr_load_once_u64(&tells_of(coll, member)[ADR_SLOT_TELL_BY]);
}

/* Whether a giver tells that its blocks are read where they lie; in a gather the root would bring all of them alone. */
static bool is_read_there(const struct adr_collective *coll, uint32_t giver) {
  const uint64_t addresses = coll->kind == ADR_COLL_GATHER ? 0 : ADR_COLL_BY_ADDRESS;
  return (by_of(coll, giver) & (ADR_COLL_BY_OFFSET | addresses)) != 0;
}

static bool is_by_system(uint64_t by) {
  return (by & ADR_COLL_BY_ADDRESS) != 0 && (by >> 16 & (ADR_COLL_XPMEM | ADR_COLL_CMA)) != 0;
}

/* By which spaces a member reaches the memory of another one, as both lines tell: XPMEM only where that one exports
 * it. */
static uint64_t spaces_to(const struct adr_collective *coll, uint32_t member, uint32_t owner) {
  const uint64_t spaces = by_of(coll, member) >> 16 & (ADR_COLL_XPMEM | ADR_COLL_CMA);
  const bool exports = adr_load_once_u64(&tells_of(coll, owner)[ADR_SLOT_TELL_SEGMENT]) != 0;
  return exports ? spaces : spaces & ~(uint64_t)ADR_COLL_XPMEM;
}

/* Whether the lines of two members tell that the one can write its block to the output of the other. */
static bool can_write(const struct adr_collective *coll, uint32_t giver, uint32_t reader) {
  const uint64_t given = adr_slot_call(adr_slot_what(&coll->slot, giver, coll->sequence));
  const uint64_t taken = adr_slot_call(adr_slot_what(&coll->slot, reader, coll->sequence));
  return given >> 16 == taken >> 16 && ((given | taken) & ADR_COLL_BY_PARTS) == 0
         && (int64_t)(given >> 16) >= adr_coll_least_by_system(coll->kind, coll->slot.ranks, coll->slot.choices)
         && (by_of(coll, giver) & ADR_COLL_BY_ADDRESS) != 0 && (by_of(coll, reader) >> 8 & ADR_COLL_BY_ADDRESS) != 0
         && spaces_to(coll, giver, reader) != 0;
}

/* Whether it does. In an alltoall both do, or none: what a member says of its writing would tell a giver that fills a
 * stage for it that it has read that. */
static bool is_written(const struct adr_collective *coll, uint32_t giver, uint32_t reader) {
  return (coll->kind == ADR_COLL_GATHER && can_write(coll, giver, reader))
         || (coll->kind == ADR_COLL_ALLTOALL && coll->slot.ranks == 2 && can_write(coll, giver, reader)
             && can_write(coll, reader, giver));
}

/* Whether the readers of this member's blocks can reach them where they lie, and that pays: by the system it takes
 * longer to begin. */
static bool is_in_reach_of_readers(const struct adr_collective *coll) {
  const int32_t by = (int32_t)(coll->lines.told[ADR_SLOT_TELL_BY] & 0xff);
  uint32_t spaces = adr_slot_spaces(&coll->slot, coll->slot.self);
  if ((by & ADR_COLL_BY_OFFSET) != 0) { return true; }
  if ((by & ADR_COLL_BY_ADDRESS) == 0
      || longest_of(coll, true) < adr_coll_least_by_system(coll->kind, coll->slot.ranks, coll->slot.choices)) {
    return false;
  }
  if (coll->kind == ADR_COLL_GATHER) { return is_by_system(coll->lines.told[ADR_SLOT_TELL_BY]); }
  for (uint32_t i = 0; i < coll->exchange.readers; i++) {
    const uint32_t reader = reader_of(coll, i);
    if (give_bytes(coll, reader) > 0) { spaces &= adr_slot_spaces(&coll->slot, reader); }
  }
  return (spaces & (ADR_COLL_XPMEM | ADR_COLL_CMA)) != 0;
}

/* Rounds that the longest block takes which this member gives, or takes. */
static int64_t rounds_of(const struct adr_collective *coll, bool gives) {
  return (longest_of(coll, gives) + coll->exchange.room - 1) / coll->exchange.room;
}

/* Whether most blocks are empty, and nobody looks at those. */
static bool is_sparse(const struct adr_collective *coll) {
  return coll->element == ADR_COLL_FOR_NEIGHBOR_ALLTOALL || coll->element == ADR_COLL_FOR_NEIGHBOR_ALLGATHER;
}

bool adr_exchange_makes_stages(const struct adr_collective *coll) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  return coll->slot.self == 0 && coll->member->stages.memory == NULL
         && ((is_sparse(coll) && coll->slot.ranks > 1) || (coll->kind == ADR_COLL_GATHER && exchange->readers > 0));
}

static void count_rounds(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  const bool tells = exchange->way != ADR_COLL_GIVER_LINE && exchange->readers > 0 && exchange->by_parts
                     && exchange->several_blocks; /* in its stage, how long its blocks are */
  exchange->fills = most_of(tells ? 1 : 0, exchange->way == ADR_COLL_GIVER_STAGE ? rounds_of(coll, true) : 0);
  exchange->rounds = most_of(exchange->fills, rounds_of(coll, false));
}

void adr_exchange_decide(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  if (exchange->way == ADR_COLL_GIVER_DIRECT && (exchange->readers == 0 || !is_in_reach_of_readers(coll))) {
    exchange->way = ADR_COLL_GIVER_STAGE;
    if (exchange->readers > 0) { tells_of(coll, coll->slot.self)[ADR_SLOT_TELL_BY] = 0; }
  }
  count_rounds(coll);
}

/* By lines */

int32_t adr_exchange_fill_line(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  const uint32_t ranks = coll->slot.ranks;
  const uint32_t self = coll->slot.self;
  if (exchange->way != ADR_COLL_GIVER_LINE || exchange->readers == 0) { return ADR_COLL_NEXT; }
  if (!exchange->by_parts || !exchange->several_blocks) {
    const int64_t length = exchange->several_blocks ? (int64_t)ranks * coll->bytes : coll->bytes;
    if (length == 0) { return ADR_COLL_NEXT; }
    return adr_coll_fill(coll, slot_bytes(coll), offset_of(coll, self), gives_at(coll, 0), length);
  }
  int64_t to = offset_of(coll, self) + ranks;
  for (uint32_t member = 0; member < ranks; member++) {
    const int64_t length = part(coll, ADR_COLL_GIVE_BYTES, member);
    payload(coll, self)[member] = (uint8_t)length;
    if (member == exchange->block) {
      const int32_t status =
          length == 0 ? ADR_COLL_NEXT
                      : adr_coll_fill(coll, slot_bytes(coll), to, part(coll, ADR_COLL_GIVE_AT, member), length);
      if (status != ADR_COLL_NEXT) { return status; }
      exchange->block++;
    }
    to += length;
  }
  exchange->block = 0;
  return ADR_COLL_NEXT;
}

static int64_t length_in_line(const struct adr_collective *coll, uint32_t giver, uint32_t reader) {
  return ((const volatile uint8_t *)payload(coll, giver))[reader];
}

/* Where in a giver's line the block of this member lies, in bytes from the first. */
static int64_t in_line(const struct adr_collective *coll, uint32_t giver, bool by_parts, int64_t length) {
  if (!coll->exchange.several_blocks) { return 0; }
  if (!by_parts) { return coll->slot.self * length; }
  int64_t before = coll->slot.ranks;
  for (uint32_t member = 0; member < coll->slot.self; member++) { before += length_in_line(coll, giver, member); }
  return before;
}

bool adr_exchange_posts(const struct adr_collective *coll) { return coll->kind != ADR_COLL_SCATTER || is_root(coll); }

/* By moves */

/* Begins to take the blocks of a round; those of the first givers are taken. */
static int32_t begin_to_take(struct adr_collective *coll, uint32_t taken) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  exchange->phase = TAKE_BLOCKS;
  exchange->at = 0;
  exchange->left_count = exchange->givers - taken;
  for (uint32_t i = 0; i < exchange->left_count; i++) { exchange->left[i] = giver_of(coll, taken + i); }
  return ADR_COLL_NEXT;
}

static int32_t next(struct adr_collective *coll, enum phase phase) {
  coll->exchange.phase = phase;
  coll->exchange.block = 0;
  coll->exchange.at = 0;
  return ADR_COLL_NEXT;
}

/* A member's buffer of a round. */
static int64_t buffer_of(const struct adr_collective *coll, uint32_t member, int64_t round) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  return adr_stages_quarter(coll, member) + exchange->header + (round & (BUFFERS - 1)) * exchange->buffer_bytes;
}

/* Bytes of this member's own block that are to be brought from its input to its output. */
static int64_t left_to_keep(const struct adr_collective *coll) {
  return keeps(coll) ? give_bytes(coll, coll->slot.self) - coll->exchange.kept : 0;
}

/* Brings some of them, or all. */
static int32_t keep(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  const uint32_t self = coll->slot.self;
  const int64_t left = left_to_keep(coll);
  if (left == 0) { return exchange->givers > 0 ? begin_to_take(coll, 0) : next(coll, SAY_ALL); }
  if (coll->in != NULL && coll->out != NULL) {
    const int64_t piece = least_of(left, KEPT_AT_ONCE);
    uint8_t *to = coll->out + takes_at(coll, self) + exchange->kept;
    const uint8_t *from = coll->in + gives_at(coll, self) + exchange->kept;
    if (to != from) {
      adr_copy_piece(to, from, (uint64_t)piece);
      coll->moved += piece;
    }
    exchange->kept += piece;
    return ADR_COLL_NEXT;
  }
  const int64_t piece = least_of(left, REQUEST);
  if (adr_coll_asks(coll)) {
    return adr_coll_ask(coll, ADR_COLL_KEEP, slot_bytes(coll), gives_at(coll, self) + exchange->kept, 0,
                        takes_at(coll, self) + exchange->kept, piece);
  }
  exchange->kept += piece;
  return ADR_COLL_NEXT;
}

/* Bytes from one block to the next in a giver's buffer; short ones of one length stand close together. */
static int64_t stride_of(const struct adr_collective *coll, bool by_parts, int64_t length) {
  const int64_t room = coll->exchange.room;
  if (by_parts || length >= room) { return room; }
  return least_of(room, up(length, length > ADR_LINE ? (int64_t)ADR_LINE : (int64_t)sizeof(int64_t)));
}

static void say(struct adr_collective *coll, int64_t steps) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  adr_slot_publish(&coll->slot, coll->sequence, (uint32_t)steps);
  if (exchange->readers <= 1 && exchange->givers <= 1) {
    adr_coll_wake(coll, exchange->readers == 1 ? reader_of(coll, 0) : giver_of(coll, 0));
  } else {
    adr_coll_wake_all(coll);
  }
}

/* A member's bytes are others than are expected: those that another gives this one or, with `expected` below zero,
 * those that this one gives another, which has expected none. */
static int32_t differs(struct adr_collective *coll, uint32_t member, int64_t given, int64_t expected) {
  coll->other = (int32_t)member;
  const int32_t status = adr_coll_mismatch(coll, member, coll->lines.head);
  coll->words[ADR_COLL_GIVEN] = given;
  coll->words[ADR_COLL_EXPECTED] = expected;
  return status;
}

/* Whether a reader of this member's bytes has taken so many steps: NEXT, AGAIN, or MISMATCH: it has ended without. */
static int32_t see_reader(struct adr_collective *coll, uint32_t reader, int64_t steps) {
  if (adr_slot_has_taken(&coll->slot, reader, coll->sequence, steps)) { return ADR_COLL_NEXT; }
  coll->other = (int32_t)reader;
  if (adr_slot_done(&coll->slot, reader) < coll->sequence) { return ADR_AGAIN; }
  return adr_slot_has_taken(&coll->slot, reader, coll->sequence, steps)
             ? ADR_COLL_NEXT
             : differs(coll, reader, give_bytes(coll, reader), -1);
}

/* Checks that the readers that had bytes in the buffer that is filled next have read it. */
static int32_t see_free(struct adr_collective *coll) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  for (uint32_t i = 0; i < exchange->readers; i++) {
    const uint32_t reader = reader_of(coll, i);
    if (give_bytes(coll, reader) > (exchange->filled - BUFFERS) * exchange->room) {
      const int32_t status = see_reader(coll, reader, exchange->filled - 1);
      if (status != ADR_COLL_NEXT) { return status; }
    }
  }
  return ADR_COLL_NEXT;
}

/* What a giver by parts tells of the blocks: rows of words. */
static uint64_t *header_of(const struct adr_collective *coll, uint32_t giver) {
  return (uint64_t *)(void *)(coll->stages.memory + adr_stages_quarter(coll, giver));
}

/* Tells the lengths of this member's blocks, and where they lie in its input. */
static void write_header(struct adr_collective *coll) {
  const uint32_t ranks = coll->slot.ranks;
  uint64_t *header = header_of(coll, coll->slot.self);
  if (!coll->exchange.by_parts || !coll->exchange.several_blocks) { return; }
  for (uint32_t member = 0; member < ranks; member++) {
    header[member] = (uint64_t)part(coll, ADR_COLL_GIVE_BYTES, member);
    header[ranks + member] = (uint64_t)part(coll, ADR_COLL_GIVE_AT, member);
  }
}

/* Puts the next stretch of each block into a buffer. */
static int32_t fill_next(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  int32_t ready = coll->stages.ready ? ADR_COLL_NEXT : adr_stages_prepare(coll);
  if (ready == ADR_COLL_NEXT && exchange->block == 0 && exchange->filled >= BUFFERS) { ready = see_free(coll); }
  if (ready != ADR_COLL_NEXT) { return ready; }
  if (exchange->filled == 0 && exchange->block == 0) { write_header(coll); }
  if (exchange->way == ADR_COLL_GIVER_DIRECT) { return ADR_COLL_NEXT; }
  const int64_t stride = stride_of(coll, exchange->by_parts, coll->bytes);
  const int64_t from = exchange->filled * exchange->room;
  const uint32_t blocks = exchange->several_blocks ? exchange->readers : 1;
  for (; exchange->block < blocks; exchange->block++) {
    const uint32_t reader = reader_of(coll, exchange->block);
    const int64_t whole = exchange->several_blocks ? give_bytes(coll, reader) : coll->bytes;
    const int64_t length = least_of(exchange->room, whole - from);
    if (length > 0) {
      const int64_t to = buffer_of(coll, coll->slot.self, exchange->filled) + exchange->block * stride;
      const int32_t status = adr_coll_fill(coll, coll->stages.memory, to, gives_at(coll, reader) + from, length);
      if (status != ADR_COLL_NEXT) { return status; }
    }
  }
  return ADR_COLL_NEXT;
}

/* Sees whether this member writes its block to its reader's output, before it puts anything into its stage. */
static int32_t settle(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  if (exchange->way != ADR_COLL_GIVER_DIRECT || (by_of(coll, coll->slot.self) & ADR_COLL_BY_OFFSET) != 0
      || !(coll->kind == ADR_COLL_GATHER || adr_exchange_tells_output(coll))) {
    return next(coll, FILL_BUFFERS);
  }
  const uint32_t reader = reader_of(coll, 0);
  const int32_t status = adr_coll_look(coll, reader);
  if (status != ADR_COLL_NEXT) { return status; }
  exchange->writes = is_written(coll, coll->slot.self, reader);
  if (exchange->writes) {
    exchange->rounds = exchange->givers > 0 ? 1 : 0; /* in which it sees that the other has written */
    return next(coll, WRITE_BLOCK);
  }
  if (coll->kind == ADR_COLL_GATHER) {
    exchange->way = ADR_COLL_GIVER_STAGE;
    count_rounds(coll);
  }
  return next(coll, FILL_BUFFERS);
}

/* Writes it, and says so. */
static int32_t write_block(struct adr_collective *coll) {
  const uint32_t reader = reader_of(coll, 0);
  const int32_t status =
      adr_direct_put_block(coll, reader, gives_at(coll, reader), (int64_t)coll->slot.self * coll->bytes, coll->bytes);
  if (status != ADR_COLL_NEXT || !adr_direct_has_fetched(coll, coll->bytes)) { return status; }
  say(coll, ALL_STEPS);
  return next(coll, FILL_BUFFERS);
}

static int32_t fill_ahead(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  while (exchange->filled < exchange->round + 2 && exchange->filled < exchange->rounds) {
    const int32_t status = exchange->filled < exchange->fills ? fill_next(coll) : ADR_COLL_NEXT;
    if (status != ADR_COLL_NEXT) { return status; }
    if (exchange->filled >= exchange->fills && exchange->rounds > BUFFERS && !adr_coll_has_room(coll)) {
      return ADR_AGAIN; /* for what it says */
    }
    exchange->filled++;
    exchange->block = 0;
    if (exchange->filled <= exchange->fills || exchange->rounds > BUFFERS) { say(coll, exchange->filled); }
  }
  return exchange->round == 0 && exchange->givers > 0 ? next(coll, OWN_BLOCK) : begin_to_take(coll, 0);
}

static int32_t take_from_line(struct adr_collective *coll, uint32_t giver, bool gives_parts, int64_t length) {
  const int64_t given = gives_parts ? length_in_line(coll, giver, coll->slot.self) : length;
  if (given != length) { return differs(coll, giver, given, length); }
  const int64_t from = in_line(coll, giver, gives_parts, length);
  if (from + length > (int64_t)ADR_SLOT_PAYLOAD) { /* lengths that no member writes */
    coll->other = (int32_t)giver;
    return ADR_CORRUPT;
  }
  if (length == 0) { return ADR_COLL_NEXT; }
  return adr_coll_drain(coll, slot_bytes(coll), offset_of(coll, giver) + from, takes_at(coll, giver), length);
}

/* What a giver by parts tells of this member's block: `row` 0 its length, 1 its position. */
static int64_t told(const struct adr_collective *coll, uint32_t giver, uint32_t row) {
  return (int64_t)adr_load_once_u64(&header_of(coll, giver)[row * coll->slot.ranks + coll->slot.self]);
}

/* NEXT: the giver has taken so many steps, and what it tells of this member's block is right. */
static int32_t see_stage(struct adr_collective *coll, uint32_t giver, bool gives_parts, int64_t length, int64_t steps) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  const int32_t ready = coll->stages.ready ? ADR_COLL_NEXT : adr_stages_prepare(coll);
  if (ready != ADR_COLL_NEXT) { return ready; }
  const int32_t status = adr_coll_see(coll, giver, steps, steps == 1);
  if (status != ADR_COLL_NEXT) { return status; }
  exchange->awaited |= gives_parts;
  const int64_t given = gives_parts && steps == 1 ? told(coll, giver, 0) : length;
  return given == length ? ADR_COLL_NEXT : differs(coll, giver, given, length);
}

static int32_t take_from_stage(struct adr_collective *coll, uint32_t giver, bool gives_parts, int64_t length) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  const uint32_t ranks = coll->slot.ranks;
  const int64_t from = exchange->round * exchange->room;
  const int64_t piece = least_of(exchange->room, length - from);
  if (piece <= 0 && !gives_parts) { return ADR_COLL_NEXT; }
  exchange->goes_on |= from + exchange->room < length;
  const int32_t status = see_stage(coll, giver, gives_parts, length, exchange->round + 1);
  if (status != ADR_COLL_NEXT || piece <= 0) { return status; }
  const uint32_t block = exchange->several_blocks ? (coll->slot.self + ranks - giver - 1) % ranks : 0;
  const int64_t source = buffer_of(coll, giver, exchange->round) + block * stride_of(coll, gives_parts, length);
  return adr_coll_drain(coll, coll->stages.memory, source, takes_at(coll, giver) + from, piece);
}

/* The round in which a block is read where it lies: the first one or, where it goes over the block that this member
 * gives the other, the one before which it has filled the last stretch of that. */
static int64_t direct_round(const struct adr_collective *coll, int64_t length) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  const bool overwrites = exchange->stays && coll->kind == ADR_COLL_ALLTOALL;
  return overwrites ? most_of(0, (length + exchange->room - 1) / exchange->room - 2) : 0;
}

/* Reads the whole block in one round. */
static int32_t take_direct(struct adr_collective *coll, uint32_t giver, bool gives_parts, int64_t length) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  exchange->goes_on |= exchange->round < direct_round(coll, length);
  if (exchange->round != direct_round(coll, length)) { return ADR_COLL_NEXT; }
  int64_t from = exchange->several_blocks ? coll->slot.self * length : 0;
  if (gives_parts) {
    const int32_t status = see_stage(coll, giver, true, length, 1);
    if (status != ADR_COLL_NEXT) { return status; }
    from = told(coll, giver, 1);
  }
  exchange->awaited = true;
  const int32_t status =
      length == 0 ? ADR_COLL_NEXT : adr_direct_fetch_block(coll, giver, from, takes_at(coll, giver), length);
  if (status != ADR_COLL_NEXT) { return status; }
  exchange->partly = !adr_direct_has_fetched(coll, length);
  if (exchange->partly) { return ADR_COLL_NEXT; }
  return length == 0 ? ADR_COLL_NEXT : adr_direct_trust_block(coll, giver); /* it waits for those that it gives bytes */
}

/* What a giver has written to this member's output is there when it says so. */
static int32_t see_written(struct adr_collective *coll, uint32_t giver) {
  if (adr_slot_has_taken(&coll->slot, giver, coll->sequence, ALL_STEPS)) { return ADR_COLL_NEXT; }
  coll->other = (int32_t)giver;
  return ADR_AGAIN;
}

/* Nothing is taken from a giver of the same group; but member 0 makes the stages that it goes through. */
static int32_t pass(struct adr_collective *coll, uint32_t giver, int64_t given) {
  const int32_t way = way_of(coll, false, given);
  const bool by_stage = way == ADR_COLL_GIVER_STAGE || (way == ADR_COLL_GIVER_DIRECT && !is_read_there(coll, giver));
  return by_stage && coll->slot.self == 0 && !coll->stages.ready ? adr_stages_prepare(coll) : ADR_COLL_NEXT;
}

static int32_t take_from(struct adr_collective *coll, uint32_t giver) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  const int64_t length = take_bytes(coll, giver);
  if (length <= exchange->round * exchange->room && (exchange->round > 0 || (length == 0 && is_sparse(coll)))) {
    return ADR_COLL_NEXT;
  }
  const int32_t status = exchange->round > 0 ? ADR_COLL_NEXT : adr_coll_look(coll, giver);
  if (status != ADR_COLL_NEXT) { return status; }
  const uint64_t what = adr_slot_call(adr_slot_what(&coll->slot, giver, coll->sequence));
  const bool gives_parts = exchange->several_blocks && (what & ADR_COLL_BY_PARTS) != 0;
  const int64_t given = (int64_t)(what >> 16);
  if (!gives_to(coll, giver, coll->slot.self)) { return pass(coll, giver, given); }
  if (!gives_parts && given != length) { return differs(coll, giver, given, length); }
  if (is_written(coll, giver, coll->slot.self)) { return see_written(coll, giver); }
  switch (way_of(coll, gives_parts, given)) {
  case ADR_COLL_GIVER_LINE:
    return take_from_line(coll, giver, gives_parts, length);
  case ADR_COLL_GIVER_DIRECT:
    return is_read_there(coll, giver) ? take_direct(coll, giver, gives_parts, length)
                                      : take_from_stage(coll, giver, gives_parts, length);
  default:
    return take_from_stage(coll, giver, gives_parts, length);
  }
}

/* Takes the next block of this round that is there. AGAIN: it has looked at all that are left, and none was. */
static int32_t take_next(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  for (bool looks_at_all = exchange->at == 0;; looks_at_all = true) {
    for (; exchange->at < exchange->left_count; exchange->at++) {
      const int32_t status = take_from(coll, exchange->left[exchange->at]);
      if (status == ADR_COLL_NEXT && !exchange->partly) {
        exchange->left[exchange->at] = exchange->left[--exchange->left_count];
      }
      if (status != ADR_AGAIN) { return status; }
    }
    exchange->at = 0;
    if (looks_at_all) { return ADR_AGAIN; }
  }
}

/* Takes the blocks of this round. */
static int32_t take(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  if (exchange->left_count > 0) { return take_next(coll); }
  if (exchange->round == 0 && exchange->givers == coll->slot.ranks - 1 && !is_sparse(coll)) {
    adr_coll_all_have_begun(coll);
  }
  if (!exchange->goes_on && exchange->fills <= BUFFERS) { /* it has all, and there is nothing more to say */
    exchange->rounds = most_of(exchange->fills, exchange->round + 1);
  }
  exchange->goes_on = false;
  exchange->round++;
  if (exchange->round < exchange->rounds) { return next(coll, FILL_BUFFERS); }
  return next(coll, exchange->givers > 0 ? SAY_ALL : OWN_BLOCK);
}

static int32_t say_all(struct adr_collective *coll) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  if (exchange->givers > 0 && (exchange->rounds > BUFFERS || exchange->awaited)) {
    if (!adr_coll_has_room(coll)) { return ADR_AGAIN; }
    say(coll, ALL_STEPS);
  }
  return exchange->way == ADR_COLL_GIVER_DIRECT && !exchange->writes ? next(coll, AWAIT_READERS) : ADR_COLL_THROUGH;
}

/* Memory is what its member gave for as long as others read it. */
static int32_t await_readers(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  for (; exchange->at < exchange->readers; exchange->at++) {
    const uint32_t reader = reader_of(coll, exchange->at);
    const int32_t status = give_bytes(coll, reader) > 0 ? see_reader(coll, reader, ALL_STEPS) : ADR_COLL_NEXT;
    if (status != ADR_COLL_NEXT) { return status; }
  }
  return ADR_COLL_THROUGH;
}

static int32_t go_on(struct adr_collective *coll) {
  switch (coll->exchange.phase) {
  case SETTLE_WAY:
    return settle(coll);
  case WRITE_BLOCK:
    return write_block(coll);
  case FILL_BUFFERS:
    return fill_ahead(coll);
  case OWN_BLOCK:
    return keep(coll);
  case TAKE_BLOCKS:
    return take(coll);
  case SAY_ALL:
    return say_all(coll);
  default:
    return await_readers(coll);
  }
}

/* Whether this member copies its own block where it would wait for others. */
static bool keeps_meanwhile(const struct adr_collective *coll) {
  return coll->exchange.givers == 0 && coll->in != NULL && coll->out != NULL && left_to_keep(coll) > 0;
}

int32_t adr_exchange_advance(struct adr_collective *coll) {
  const int32_t status = go_on(coll);
  return status == ADR_AGAIN && keeps_meanwhile(coll) ? keep(coll) : status;
}

/* The straight path: by lines alone, or by what fits one buffer of the stages */

bool adr_exchange_goes_straight(const struct adr_collective *coll) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  const bool needs_in = exchange->readers > 0 || keeps(coll);
  const bool needs_out = exchange->givers > 0 || keeps(coll);
  const int64_t given = exchange->several_blocks ? coll->bytes * coll->slot.ranks : coll->bytes;
  const bool fits_buffer = exchange->way == ADR_COLL_GIVER_STAGE && !exchange->by_parts && coll->bytes <= exchange->room
                           && given <= ADR_COLL_MOST_MOVED && adr_stages_is_free(coll);
  return (exchange->way == ADR_COLL_GIVER_LINE || fits_buffer) && !adr_exchange_makes_stages(coll)
         && (!needs_in || coll->in != NULL) && (!needs_out || coll->out != NULL);
}

/* Puts what this member gives into the first buffer of its stage, and shows its line, which tells that. */
static void show_straight_by_stage(struct adr_collective *coll) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  const int64_t stride = stride_of(coll, false, coll->bytes);
  const uint32_t blocks = !exchange->several_blocks ? least_of(exchange->readers, 1) : exchange->readers;
  uint8_t *buffer = coll->stages.memory + buffer_of(coll, coll->slot.self, 0);
  for (uint32_t block = 0; block < blocks; block++) {
    adr_copy_over_stage(buffer + block * stride, coll->in + gives_at(coll, reader_of(coll, block)),
                        (uint64_t)coll->bytes);
  }
  exchange->fills = exchange->filled = blocks > 0;
  adr_coll_show(coll, 1);
}

/* Puts what this member gives into its line, and shows that. */
static void show_straight(struct adr_collective *coll) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  const uint32_t length = (uint32_t)coll->bytes;
  if (exchange->by_parts) {
    (void)adr_exchange_fill_line(coll);
  } else if (exchange->readers > 0 && length > 0) {
    adr_copy_inline(payload(coll, coll->slot.self), coll->in,
                    exchange->several_blocks ? coll->slot.ranks * length : length);
  }
  adr_coll_show(coll, 0);
}

static void keep_straight(const struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  if (!keeps(coll) || give_bytes(coll, self) == 0) { return; }
  uint8_t *to = coll->out + takes_at(coll, self);
  const uint8_t *from = coll->in + gives_at(coll, self);
  const int64_t bytes = give_bytes(coll, self);
  if (to == from) { return; }
  if (bytes <= (int64_t)ADR_COPY_INLINE) {
    adr_copy_inline(to, from, (uint32_t)bytes);
  } else {
    adr_copy_piece(to, from, (uint64_t)bytes);
  }
}

/* Takes a block out of its giver's stage, if that has it. */
static bool take_straight_from_stage(struct adr_collective *coll, uint32_t giver, int32_t spins) {
  const int64_t bytes = coll->bytes;
  const uint32_t ranks = coll->slot.ranks;
  const uint32_t block = coll->exchange.several_blocks ? (coll->slot.self + ranks - giver - 1) % ranks : 0;
  if (ADR_UNLIKELY(!adr_coll_await_step(coll, giver, spins))) { return false; }
  adr_copy_piece(coll->out + takes_at(coll, giver),
                 coll->stages.memory + buffer_of(coll, giver, 0) + block * stride_of(coll, false, bytes),
                 (uint64_t)bytes);
  return true;
}

/* Takes a block out of its giver's line, if that is there, and has it. */
static bool take_straight(struct adr_collective *coll, uint32_t giver, int32_t spins) {
  const int64_t length = take_bytes(coll, giver);
  if (length == 0 && is_sparse(coll)) { return true; }
  if (ADR_UNLIKELY(!adr_coll_await_head(coll, giver, spins))) { return false; }
  const uint64_t what = adr_slot_what(&coll->slot, giver, coll->sequence);
  if (what == coll->lines.what && !coll->exchange.by_parts) { /* as many bytes for each, and it does not lag */
    if (length > 0) {
      adr_copy_inline(coll->out + takes_at(coll, giver), payload(coll, giver) + in_line(coll, giver, false, length),
                      (uint32_t)length);
    }
    return true;
  }
  const bool gives_parts = coll->exchange.several_blocks && (what & ADR_COLL_BY_PARTS) != 0;
  const int64_t given = (int64_t)(adr_slot_call(what) >> 16);
  const bool is_passed = !gives_to(coll, giver, coll->slot.self);
  return adr_slot_lag(what) == 0 && ((what ^ coll->lines.what) & coll->lines.compared) == 0
         && (is_passed || gives_parts || given == length) && way_of(coll, gives_parts, given) == ADR_COLL_GIVER_LINE
         && (is_passed || take_from_line(coll, giver, gives_parts, length) == ADR_COLL_NEXT);
}

bool adr_exchange_go_straight(struct adr_collective *coll, int32_t spins) {
  struct adr_exchange_moves *exchange = &coll->exchange;
  const bool by_stage = exchange->way == ADR_COLL_GIVER_STAGE;
  if (by_stage) {
    adr_stages_take_quarter(coll);
    exchange->fills = 0;
    if (adr_exchange_posts(coll)) { show_straight_by_stage(coll); }
  } else if (adr_exchange_posts(coll)) {
    show_straight(coll);
  }
  keep_straight(coll);
  for (uint32_t taken = 0; taken < exchange->givers; taken++) {
    const uint32_t giver = giver_of(coll, taken);
    if (ADR_UNLIKELY(by_stage ? !take_straight_from_stage(coll, giver, spins) : !take_straight(coll, giver, spins))) {
      adr_exchange_decide(coll);
      begin_to_take(coll, taken);
      return false;
    }
  }
  const bool all = exchange->givers == coll->slot.ranks - 1 && !is_sparse(coll);
  if (all) {
    adr_coll_all_have_begun(coll);
  } else if (exchange->givers == 0) { /* now rather than before the next one */
    (void)adr_coll_all_have_done(coll, coll->sequence + 1 - ADR_SLOT_LINES);
  }
  if (all && !by_stage && coll->kind != ADR_COLL_GATHER) {
    coll->way = ADR_COLL_LINES_ALL; /* nobody waits for this one to be done */
  }
  return true;
}

/* A block is also fetched from a member that gave nothing: it may be the next one's root, or no longer. */
void adr_exchange_fetch_next(struct adr_collective *coll) {
  const struct adr_exchange_moves *exchange = &coll->exchange;
  const uint32_t blocks = exchange->several_blocks ? coll->slot.ranks - 1 : 1;
  const int64_t stride = stride_of(coll, exchange->by_parts, coll->bytes);
  int64_t bytes = exchange->header;
  if (exchange->way != ADR_COLL_GIVER_STAGE || exchange->fills > 1) { return; }
  for (uint32_t i = 0; i < blocks; i++) { bytes += give_bytes(coll, reader_of(coll, i)); }
  if (!adr_stages_prepare_next(coll, bytes, exchange->givers == 0)) { return; }
  adr_stages_fetch_lines(coll, 0, exchange->header);
  for (uint32_t i = 0; i < blocks; i++) {
    adr_stages_fetch_lines(coll, exchange->header + i * stride, give_bytes(coll, reader_of(coll, i)));
  }
}
