/* One member's side of one collective of a communicator at a time, see adrastea/coll.h; adr_coll.c has what outlives
 * it. Twin of io.adrastea.coll.Collective.
 *
 * Every member begins the same collectives in the same order, and counts them. In each it posts a line that tells which
 * one it is, up to 48 bytes of payload with it, and reads those of others [MPICH2 2007, 3.4: a barrier in a slot of
 * shared memory] (adr_coll_lines.c). What is longer goes through stages (adr_coll_stages.c, adr_coll_fold.c), or
 * straight from memory to memory (adr_coll_direct.c); exchanges have moves of their own (adr_coll_exchange.c). This
 * file says which moves are made, and which come next; none of them knows it. */
#include "base/adr_stop.h"
#include "coll/adr_coll_stages.h"
#include "coll/adr_coll_choice.h"
#include "coll/adr_coll_direct.h"
#include "coll/adr_coll_exchange.h"
#include "coll/adr_coll_fold.h"
#include "coll/adr_coll_lines.h"
#include "coll/adr_coll_relay.h"
#include "coll/adr_combine.h"
#include "coll/adr_exchange_room.h"

/* Moves on */

static int32_t next(struct adr_collective *coll, enum adr_coll_move move) {
  coll->move = move;
  return ADR_COLL_NEXT;
}

static bool posts(const struct adr_collective *coll) {
  return !adr_coll_is_leaf_of_bcast(coll) || adr_coll_is_posted_by_all(coll);
}

static void begin_stages(struct adr_collective *coll) {
  adr_stages_begin(coll);
  if (coll->kind >= ADR_COLL_REDUCE) { adr_fold_begin(coll); }
}

/* A root that only sends would not look at what the others call. */
static bool compares_before(const struct adr_collective *coll) {
  return adr_coll_compares_few(coll) && adr_coll_is_checked(coll);
}

/* Room is there once nobody reads the line of four collectives ago any more. */
static int32_t get_room(struct adr_collective *coll) {
  if (!adr_coll_has_room(coll)) { return ADR_AGAIN; }
  const bool exchanges = adr_coll_is_exchange(coll->kind);
  if (exchanges && adr_exchange_makes_stages(coll)) { return ADR_COLL_NEEDS_STAGES; }
  const bool exposes = exchanges ? adr_exchange_exposes(coll) : coll->way == ADR_COLL_DIRECT;
  return next(coll, exposes ? ADR_COLL_EXPOSE_BUFFERS : ADR_COLL_POST);
}

static enum adr_coll_move after_posting(const struct adr_collective *coll) {
  switch (coll->way) {
  case ADR_COLL_STAGES:
    return compares_before(coll) ? ADR_COLL_READ_LINES : ADR_COLL_MOVE_STAGES;
  case ADR_COLL_LINES_BCAST:
  case ADR_COLL_LINES_NEEDED:
    return coll->lines.first == coll->lines.last ? ADR_COLL_END : ADR_COLL_READ_LINES;
  case ADR_COLL_LINES_ROOT:
    return coll->slot.self == 0 ? ADR_COLL_READ_LINES : ADR_COLL_READ_RESULT;
  case ADR_COLL_GIVER_LINE:
  case ADR_COLL_GIVER_STAGE:
  case ADR_COLL_GIVER_DIRECT:
    return adr_coll_is_checked(coll) ? ADR_COLL_READ_LINES : ADR_COLL_MOVE_EXCHANGE;
  default:
    return ADR_COLL_READ_LINES;
  }
}

/* XPMEM can be lost in the middle: then bytes go through the stages, of which others may find that they need them when
 * member 0, which makes those of all, is through. */
static bool makes_stages_for_relays(const struct adr_collective *coll) {
  return coll->slot.self == 0 && coll->lines.exposed && coll->member->stages.memory == NULL
         && (coll->lines.told[ADR_SLOT_TELL_BY] >> 16 & ADR_COLL_XPMEM) != 0
         && coll->lines.told[ADR_SLOT_TELL_SEGMENT] != 0;
}

static int32_t post(struct adr_collective *coll) {
  int32_t status = ADR_COLL_NEXT;
  if (makes_stages_for_relays(coll)) { return ADR_COLL_NEEDS_STAGES; }
  if (coll->lines.exposed && adr_coll_is_exchange(coll->kind)) {
    adr_slot_tell_spaces(&coll->slot, coll->lines.told[ADR_SLOT_TELL_BY] >> 16 & 0xff);
  }
  if (adr_coll_is_exchange(coll->kind)) {
    adr_exchange_decide(coll);
    status = adr_exchange_fill_line(coll);
  } else if (coll->way < ADR_COLL_STAGES) {
    status = adr_lines_fill_line(coll);
  }
  if (status != ADR_COLL_NEXT) { return status; }
  adr_lines_post(coll);
  return next(coll, after_posting(coll));
}

static enum adr_coll_move after_reading(struct adr_collective *coll) {
  if (adr_coll_is_exchange(coll->kind)) { return ADR_COLL_MOVE_EXCHANGE; }
  if (coll->way == ADR_COLL_DIRECT) {
    if (adr_direct_is_possible(coll)) { return ADR_COLL_MOVE_DIRECT; }
    coll->way = ADR_COLL_STAGES; /* for all members, which have read the same lines */
    begin_stages(coll);
  }
  if (coll->way == ADR_COLL_STAGES) { return ADR_COLL_MOVE_STAGES; }
  return coll->kind == ADR_COLL_ALLGATHER ? ADR_COLL_END : ADR_COLL_GIVE_RESULT;
}

static int32_t read_lines(struct adr_collective *coll) {
  const int32_t status = adr_lines_read(coll);
  return status == ADR_COLL_NEXT ? next(coll, after_reading(coll)) : status;
}

static void fetch_next(struct adr_collective *coll) {
  if (coll->kind >= ADR_COLL_REDUCE) {
    adr_fold_fetch_next(coll);
  } else {
    adr_stages_fetch_next(coll);
  }
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
    if (coll->way == ADR_COLL_STAGES) {
      fetch_next(coll);
    } else if (adr_coll_is_exchange(coll->kind)) {
      adr_exchange_fetch_next(coll);
    }
  } else {
    adr_coll_end_among_others(member);
  }
  if (!only || coll->way >= ADR_COLL_LINES_NEEDED || adr_coll_is_leaf_of_bcast(coll)) {
    adr_coll_wake_all(coll); /* a member ahead, which needs our line or quarter of the stages, may sleep */
  }
  return 0;
}

/* Goes on to a move once the one before is made. */
static int32_t then(struct adr_collective *coll, int32_t status, enum adr_coll_move move) {
  return status == ADR_COLL_NEXT ? next(coll, move) : status;
}

/* Ends once all moves of a kind are made. */
static int32_t until_end(struct adr_collective *coll, int32_t status) {
  return status == ADR_COLL_THROUGH ? next(coll, ADR_COLL_END) : status;
}

/* Goes on where memory is read and written where it lies. Beside its own moves a member copies for those that cannot
 * reach its memory. */
static int32_t move_straight(struct adr_collective *coll) {
  int32_t status;
  if (ADR_UNLIKELY(adr_relay_is_under_way(coll))) {
    status = adr_relay_advance(coll);
  } else {
    status = coll->move == ADR_COLL_MOVE_DIRECT ? adr_direct_advance(coll) : adr_exchange_advance(coll);
  }
  return status == ADR_AGAIN && coll->lines.exposed ? adr_relay_serve(coll) : status;
}

static int32_t advance(struct adr_collective *coll) {
  switch (coll->move) {
  case ADR_COLL_GET_ROOM:
    return get_room(coll);
  case ADR_COLL_EXPOSE_BUFFERS:
    return then(coll, adr_lines_expose(coll), ADR_COLL_POST);
  case ADR_COLL_POST:
    return post(coll);
  case ADR_COLL_READ_LINES:
    return coll->way == ADR_COLL_LINES_BCAST ? then(coll, adr_lines_read_root(coll), ADR_COLL_GIVE_RESULT)
                                             : read_lines(coll);
  case ADR_COLL_READ_RESULT:
    return then(coll, adr_lines_read_result(coll), ADR_COLL_GIVE_RESULT);
  case ADR_COLL_GIVE_RESULT:
    return then(coll, adr_lines_give_result(coll), ADR_COLL_END);
  case ADR_COLL_MOVE_STAGES:
    return until_end(coll, coll->kind >= ADR_COLL_REDUCE ? adr_fold_advance(coll) : adr_stages_advance(coll));
  case ADR_COLL_MOVE_DIRECT:
  case ADR_COLL_MOVE_EXCHANGE:
    return until_end(coll, move_straight(coll));
  case ADR_COLL_END:
    return end(coll);
  default:
    return ADR_INVALID;
  }
}

static int32_t trouble_with(struct adr_collective *coll, uint32_t member) {
  /* Its state first: a member that has revoked may have closed since, and what it did before is seen with that. */
  const uint32_t state = adr_slot_state(&coll->slot, member);
  ADR_STOP(trouble_looked);
  if (adr_slot_is_revoked(&coll->slot)) { return ADR_COLL_REVOKED; }
  if (state != ADR_MEMBER_OPEN) { return state == ADR_MEMBER_CLOSED ? ADR_COLL_CLOSED : ADR_COLL_BROKEN; }
  if (coll->move == ADR_COLL_READ_RESULT || coll->move == ADR_COLL_MOVE_STAGES || coll->move == ADR_COLL_MOVE_DIRECT
      || coll->move == ADR_COLL_MOVE_EXCHANGE
      || ((coll->way == ADR_COLL_LINES_BCAST || coll->way == ADR_COLL_LINES_NEEDED)
          && coll->move == ADR_COLL_READ_LINES)) {
    return adr_lines_compare(coll, member);
  }
  return adr_lines_is_plausible(coll, member) ? ADR_AGAIN : ADR_CORRUPT;
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
      if (coll->moved >= ADR_COLL_MOST_MOVED) {
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
      return spins > 0 ? waited_in_vain(coll) : ADR_AGAIN;
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

/* The straight path: a collective by lines alone, or of what fits a buffer of the stages, that ends in its first call,
 * while no other one is under way at any member. What it finds not to be there it leaves to moves. */

/* Whether nothing is to be waited for but lines, and nothing to be asked of the caller. */
static bool goes_straight(const struct adr_collective *coll) {
  return coll->lag == 0 && coll->way <= ADR_COLL_LINES_NEEDED && coll->way != ADR_COLL_LINES_ROOT
         && (adr_coll_is_leaf_of_bcast(coll) || coll->sequence - ADR_SLOT_LINES <= coll->member->least)
         && !adr_coll_is_posted_by_all(coll) && coll->op != ADR_USER_OPERATOR
         && (coll->in != NULL || !adr_coll_gives(coll)) && (coll->out != NULL || !adr_coll_gets(coll));
}

static int32_t go_straight(struct adr_collective *coll, int32_t spins) {
  if (ADR_LIKELY(adr_lines_go_straight(coll, spins))) { return end(coll); }
  coll->move = ADR_COLL_READ_LINES;
  return run(coll, spins > 0);
}

static int32_t go_straight_by_stages(struct adr_collective *coll, int32_t spins) {
  if (ADR_LIKELY(adr_stages_go_straight(coll, spins))) { return end(coll); }
  begin_stages(coll);
  if (coll->kind >= ADR_COLL_REDUCE) {
    adr_fold_go_on(coll);
  } else {
    adr_stages_go_on(coll);
  }
  coll->move = ADR_COLL_MOVE_STAGES;
  return run(coll, spins > 0);
}

static int32_t begin_exchange(struct adr_collective *coll, int32_t spins) {
  adr_stages_reserve(coll, 1); /* how much each gives is not known to all */
  adr_stages_begin_quarter(coll);
  adr_exchange_begin(coll, (coll->op & ADR_COLL_BY_PARTS) != 0, (coll->op & ADR_COLL_STAYS) != 0);
  const bool must = adr_coll_is_posted_by_all(coll) || adr_coll_is_checked(coll);
  const bool posts = adr_exchange_posts(coll) || must || adr_exchange_exposes(coll);
  if (ADR_LIKELY(!must && coll->lag == 0 && (!posts || coll->sequence - ADR_SLOT_LINES <= coll->member->least)
                 && adr_exchange_goes_straight(coll))) {
    if (ADR_LIKELY(adr_exchange_go_straight(coll, spins))) { return end(coll); }
    coll->move = ADR_COLL_MOVE_EXCHANGE;
    return run(coll, spins > 0);
  }
  if (posts) {
    coll->move = ADR_COLL_GET_ROOM;
  } else {
    adr_exchange_decide(coll);
    coll->move = ADR_COLL_MOVE_EXCHANGE;
  }
  return run(coll, spins);
}

/* How many roots can be named; an allreduce by a user's operator tells the bytes of an element in their place. */
static int32_t roots_of(const struct adr_collective *coll, int32_t kind, int32_t element, int32_t op) {
  if (kind == ADR_COLL_ALLTOALL && element >= ADR_COLL_FOR_GROUPS) { return ADR_COLL_MOST_AGREED + 1; }
  if (kind == ADR_COLL_ALLREDUCE && op == ADR_USER_OPERATOR) { return ADR_COLL_MOST_UNIT + 1; }
  if (kind == ADR_COLL_REDUCE_SCATTER) { return 2; } /* 1: by parts */
  return kind == ADR_COLL_SCAN || kind == ADR_COLL_EXSCAN ? 1 : (int32_t)coll->slot.ranks;
}

/* Bytes of an element, 0: the operator cannot be carried out. */
static int64_t unit_of(int64_t of_user, int32_t element, int32_t op) {
  if (op == ADR_USER_OPERATOR) { return of_user; }
  return op != ADR_NO_OPERATOR && op != ADR_NO_OP && adr_operator_check(op, element) == 0 ? adr_element_bytes(element)
                                                                                          : 0;
}

int32_t adr_coll_begin(adr_coll *member, int32_t kind, int32_t root, int64_t bytes, int32_t element, int32_t op,
                       const void *in, int64_t in_offset, void *out, int64_t out_offset, int32_t spins) {
  member->begun = (uint32_t)(member->sequence + 1) & (ADR_SLOT_LINES - 1);
  struct adr_collective *coll = &member->collectives[member->begun];
  if (coll->move != ADR_COLL_IDLE) { return ADR_BUSY; /* this line's last collective has not ended */ }
  if (kind < ADR_COLL_BARRIER || kind > ADR_COLL_ALLGATHERV || root < 0 || root >= roots_of(coll, kind, element, op)
      || bytes < 0 || bytes > (kind == ADR_COLL_BARRIER ? 0 : ADR_COLL_MOST_BYTES) || (element | op) < 0
      || op > ADR_COLL_MAX_NUMBER
      || (element > ADR_COLL_MAX_NUMBER
          && (!(kind >= ADR_COLL_REDUCE && kind <= ADR_COLL_REDUCE_SCATTER) || op != ADR_USER_OPERATOR))) {
    return ADR_INVALID;
  }
  const int64_t unit = adr_coll_is_fold(kind)
                           ? unit_of(kind == ADR_COLL_ALLREDUCE ? root : element >> ADR_COLL_ELEMENT_BITS, element, op)
                           : 1;
  if (unit == 0 || unit > ADR_COLL_MOST_UNIT || (bytes != unit && bytes % unit != 0)
      || (kind == ADR_COLL_REDUCE_SCATTER
          && (root == 0 ? bytes % (unit * coll->slot.ranks) != 0
                        : !adr_lines_allows_parts(coll, member->parts, unit, bytes)))) {
    return ADR_INVALID;
  }
  const bool exchanges = adr_coll_is_exchange(kind);
  if (exchanges
      && ((op & ~(ADR_COLL_STAYS | ADR_COLL_BY_PARTS)) != 0
          || (adr_exchange_is_across(kind, element) && (root == 0 || (op & ADR_COLL_BY_PARTS) == 0))
          || ((op & ADR_COLL_BY_PARTS) == 0 && !adr_exchange_takes(kind, coll->slot.ranks, bytes))
          || ((op & ADR_COLL_BY_PARTS) != 0
              && !adr_exchange_allows(coll, member->parts, kind, root, element, bytes)))) {
    return ADR_INVALID;
  }
  if (adr_slot_is_revoked(&coll->slot)) { return ADR_COLL_REVOKED; }
  const uint32_t state = adr_slot_state(&coll->slot, coll->slot.self);
  if (state != ADR_MEMBER_OPEN) {
    coll->other = (int32_t)coll->slot.self;
    return state == ADR_MEMBER_CLOSED ? ADR_COLL_CLOSED : ADR_COLL_BROKEN;
  }
  adr_lines_begin(coll, kind, root, bytes, element, op, unit);
  set_buffers(coll, in, in_offset, out, out_offset);
  if (ADR_LIKELY(goes_straight(coll))) { return go_straight(coll, spins); }
  if (exchanges) { return begin_exchange(coll, spins); }
  if (coll->way >= ADR_COLL_STAGES) {
    adr_stages_reserve(coll, unit);
    if (coll->way == ADR_COLL_STAGES) {
      if (ADR_LIKELY(adr_stages_goes_straight(coll))) { return go_straight_by_stages(coll, spins); }
      begin_stages(coll);
    }
  }
  coll->move = posts(coll) ? ADR_COLL_GET_ROOM : ADR_COLL_READ_LINES;
  return run(coll, spins);
}

/* What callers tell */

int32_t adr_coll_expose(adr_coll *member, int32_t which, int32_t in_by, int64_t in, int32_t out_by, int64_t out,
                        int32_t spaces, int64_t segment) {
  if ((uint32_t)which >= ADR_SLOT_LINES || ((in_by | out_by | spaces) & ~ADR_COLL_MAX_NUMBER) != 0) {
    return ADR_INVALID;
  }
  struct adr_collective *one = &member->collectives[which];
  if (one->move != ADR_COLL_EXPOSE_BUFFERS) { return ADR_INVALID; }
  const int32_t given_by = adr_exchange_is_over_input(one) ? 0 : in_by;
  const int64_t from = adr_coll_is_exchange(one->kind) ? in + adr_exchange_one_block_at(one) : in;
  const int32_t taken_by = adr_coll_is_exchange(one->kind) && !adr_exchange_tells_output(one) ? 0 : out_by;
  adr_lines_tell(one, (uint64_t)given_by | (uint64_t)taken_by << 8 | (uint64_t)spaces << 16, (uint64_t)from,
                 (uint64_t)out, (uint64_t)segment);
  return 0;
}
