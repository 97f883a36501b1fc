/* What a member does where it cannot read or write another one's memory, against what the lines tell: that one copies,
 * and the bytes go through a stage. Twin of io.adrastea.coll.RelayMoves.
 *
 * The lines tell by which spaces each member reaches the others, and the ways are chosen by that. A space can be lost
 * afterwards: XPMEM ends for a process when anybody there closes a descriptor of it, and what a member has told of its
 * spaces in an earlier exchange is as old as that. So a member that cannot copy asks the owner of the memory to do it,
 * piece by piece, and nothing else of the collective changes.
 *
 * A piece goes through the end of a quarter of the member that gives its bytes: of the owner where its memory is read,
 * else of the one that asks. No move straight from memory uses that.
 * - The one that asks says what it wants, with an odd number, and waits until the owner says that it has copied that.
 *   Once it has taken the bytes out of the stage, or the owner has, it says the next number, which is even.
 * - The owner copies where its own moves wait. It is there: nobody leaves before all others have said that they are
 *   through with its memory. It copies for one member at a time, and for the next one when that has said the even
 *   number: till then neither the end of its quarter nor what it has said is free.
 * The two never wait for each other: a member that waits for an owner copies for others meanwhile, and one that has got
 * its bytes goes on without anybody. */
#include "coll/adr_coll_relay.h"

#include <errno.h>

#include "coll/adr_coll_stages.h"
#include "coll/adr_coll_exchange.h"
#include "coll/adr_coll_lines.h"

enum phase { NOTHING, GET_READY, ASK, AWAIT_COPY, OVER };

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t piece_of(const struct adr_relay_moves *relay) { return least_of(relay->left, ADR_COLL_RELAYED); }

/* The end of a member's quarter. */
static int64_t room_of(const struct adr_collective *coll, uint32_t member) {
  return adr_stages_quarter(coll, member) + ADR_COLL_QUARTER - ADR_COLL_RELAYED;
}

/* Has the caller copy between one of its buffers, or other stages, and the end of a quarter. */
static int32_t ask_caller(struct adr_collective *coll, int32_t status, int64_t stage, int64_t kind, int64_t position,
                          int64_t target, int64_t bytes) {
  adr_coll_ask(coll, status, coll->stages.memory, stage, status == ADR_COLL_WRITE ? stage : target, position, bytes);
  coll->words[ADR_COLL_PLACE] = kind;
  coll->words[ADR_COLL_BY] = ADR_COLL_BY_STAGES;
  coll->words[ADR_COLL_SEGMENT] = 0;
  return status;
}

/* For others */

/* Whether this member has copied for one that has not said that it is through. */
static bool is_taken(struct adr_collective *coll) {
  struct adr_relay_moves *relay = &coll->relay;
  if (relay->served != 0 && adr_slot_wants(&coll->slot, relay->served - 1, coll->sequence) != relay->served_number) {
    relay->served = 0;
  }
  return relay->served != 0;
}

/* Whether its own bytes are at the end of its quarter. */
static bool writes(const struct adr_collective *coll) {
  return coll->relay.asked == ADR_COLL_WRITE && coll->relay.phase >= ASK;
}

/* Where in its buffer the bytes lie that another one wants; below zero: it has told nobody of such memory. */
static int64_t position_of(const struct adr_collective *coll, uint32_t member, bool is_input, int64_t place,
                           int64_t bytes) {
  const bool exchanges = adr_coll_is_exchange(coll->kind);
  const uint64_t *tells = coll->lines.told;
  const uint64_t by = is_input ? tells[ADR_SLOT_TELL_BY] : tells[ADR_SLOT_TELL_BY] >> 8;
  const struct adr_stretch allowed =
      exchanges ? adr_exchange_stretch(coll, member, is_input) : adr_direct_stretch(coll, is_input);
  const int64_t first = is_input && exchanges ? adr_exchange_one_block_at(coll) : 0; /* which was told */
  const int64_t told = (int64_t)tells[is_input ? ADR_SLOT_TELL_IN : ADR_SLOT_TELL_OUT];
  const int64_t position = (int64_t)((uint64_t)place - (uint64_t)told + (uint64_t)first);
  return (by & ADR_COLL_BY_ADDRESS) != 0 && bytes > 0 && bytes <= ADR_COLL_RELAYED && position >= allowed.at
                 && bytes <= allowed.bytes - (position - allowed.at)
             ? position
             : -1;
}

/* Has the caller copy what a member wants. */
static int32_t copy_for(struct adr_collective *coll, uint32_t member, uint32_t number, uint32_t what) {
  const uint64_t *words = adr_slot_result_words(&coll->slot, member, coll->sequence);
  const int64_t bytes = (int64_t)adr_load_once_u64(&words[ADR_SLOT_WANTS_BYTES]);
  const int64_t place = (int64_t)adr_load_once_u64(&words[ADR_SLOT_WANTS_PLACE]);
  const bool is_input = what == ADR_SLOT_WANTS_INPUT;
  const int64_t position = position_of(coll, member, is_input, place, bytes);
  const int32_t waited = coll->other;
  const int32_t ready = coll->stages.ready ? ADR_COLL_NEXT : adr_stages_prepare(coll);
  if (ready != ADR_COLL_NEXT) {
    coll->other = ready == ADR_AGAIN ? waited : coll->other;
    return ready;
  }
  if (position < 0 || what > ADR_SLOT_WANTS_WRITE) {
    coll->other = (int32_t)member;
    return ADR_CORRUPT;
  }
  coll->relay.served = member + 1;
  coll->relay.served_number = number;
  coll->relay.copies = true;
  return what == ADR_SLOT_WANTS_WRITE
             ? ask_caller(coll, ADR_COLL_READ, room_of(coll, member), ADR_COLL_IN_OUTPUT, position, 0, bytes)
             : ask_caller(coll, ADR_COLL_WRITE, room_of(coll, coll->slot.self),
                          is_input ? ADR_COLL_IN_INPUT : ADR_COLL_IN_OUTPUT, position, 0, bytes);
}

int32_t adr_relay_serve(struct adr_collective *coll) {
  const uint32_t self = coll->slot.self;
  if (is_taken(coll)) { return ADR_AGAIN; }
  for (uint32_t member = 0; member < coll->slot.ranks; member++) {
    const uint32_t number = member == self ? 0 : adr_slot_wants(&coll->slot, member, coll->sequence);
    if ((number & 1) == 0) { continue; }
    const uint64_t what =
        adr_load_once_u64(&adr_slot_result_words(&coll->slot, member, coll->sequence)[ADR_SLOT_WANTS_WHAT]);
    const bool is_free = what >> 32 == ADR_SLOT_WANTS_WRITE || !writes(coll);
    if ((uint32_t)what == self && is_free) { return copy_for(coll, member, number, (uint32_t)(what >> 32)); }
  }
  return ADR_AGAIN;
}

static void say_copied(struct adr_collective *coll) {
  struct adr_relay_moves *relay = &coll->relay;
  relay->copies = false;
  adr_slot_say_copied(&coll->slot, coll->sequence, relay->served - 1, relay->served_number);
  adr_coll_wake(coll, relay->served - 1);
}

/* For this member */

int32_t adr_coll_relay(adr_coll *member, int32_t which) {
  if ((uint32_t)which >= ADR_SLOT_LINES) { return ADR_INVALID; }
  struct adr_collective *coll = &member->collectives[which];
  struct adr_relay_moves *relay = &coll->relay;
  const int64_t *words = coll->words;
  const int32_t asked_for = coll->direct.asked_for;
  const bool moves = coll->move == ADR_COLL_MOVE_DIRECT || coll->move == ADR_COLL_MOVE_EXCHANGE;
  if (!moves || !coll->asked || adr_relay_is_under_way(coll)
      || (asked_for != ADR_COLL_READ && asked_for != ADR_COLL_WRITE) || words[ADR_COLL_BY] != ADR_COLL_BY_ADDRESS) {
    return ADR_INVALID;
  }
  if (coll->slot.self != 0 && member->stages.memory == NULL && adr_slot_stages(&coll->slot) == 0) { return -EPERM; }
  relay->asked = asked_for;
  relay->buffer = coll->direct.buffer;
  relay->other = (uint32_t)coll->other;
  relay->place = words[relay->asked == ADR_COLL_READ ? ADR_COLL_SOURCE : ADR_COLL_TARGET];
  relay->target = words[ADR_COLL_TARGET];
  relay->position = words[ADR_COLL_POSITION];
  relay->kind = words[ADR_COLL_PLACE];
  relay->left = words[ADR_COLL_BYTES];
  relay->phase = GET_READY;
  if (adr_coll_is_exchange(coll->kind)) { adr_slot_tell_spaces(&coll->slot, ADR_COLL_SHARED); }
  return 0;
}

/* Gets ready before the next piece is asked for. */
static int32_t get_ready(struct adr_collective *coll) {
  struct adr_relay_moves *relay = &coll->relay;
  const int32_t ready = coll->stages.ready ? ADR_COLL_NEXT : adr_stages_prepare(coll);
  if (ready != ADR_COLL_NEXT) { return ready; }
  if (!adr_coll_has_room(coll)) { return ADR_AGAIN; }
  if (relay->asked == ADR_COLL_READ) {
    relay->phase = ASK;
    return ADR_COLL_NEXT;
  }
  if (is_taken(coll)) {
    coll->other = (int32_t)relay->served - 1;
    return ADR_AGAIN;
  }
  relay->phase = ASK;
  return ask_caller(coll, ADR_COLL_WRITE, room_of(coll, coll->slot.self), relay->kind, relay->position, 0,
                    piece_of(relay));
}

static int32_t ask_owner(struct adr_collective *coll) {
  struct adr_relay_moves *relay = &coll->relay;
  uint64_t *words = adr_slot_result_words(&coll->slot, coll->slot.self, coll->sequence);
  const uint32_t what = relay->asked == ADR_COLL_WRITE ? ADR_SLOT_WANTS_WRITE
                        : relay->buffer == 0           ? ADR_SLOT_WANTS_INPUT
                                                       : ADR_SLOT_WANTS_OUTPUT;
  words[ADR_SLOT_WANTS_WHAT] = (uint64_t)what << 32 | relay->other;
  words[ADR_SLOT_WANTS_PLACE] = (uint64_t)relay->place;
  words[ADR_SLOT_WANTS_BYTES] = (uint64_t)piece_of(relay);
  adr_slot_want(&coll->slot, coll->sequence, ++relay->number);
  adr_coll_wake(coll, relay->other);
  relay->phase = AWAIT_COPY;
  return ADR_COLL_NEXT;
}

static int32_t await_copy(struct adr_collective *coll) {
  struct adr_relay_moves *relay = &coll->relay;
  if (!adr_slot_has_copied(&coll->slot, relay->other, coll->sequence, relay->number)) {
    coll->other = (int32_t)relay->other;
    return ADR_AGAIN;
  }
  relay->phase = OVER;
  if (relay->asked == ADR_COLL_WRITE) { return ADR_COLL_NEXT; }
  return ask_caller(coll, ADR_COLL_READ, room_of(coll, relay->other), relay->kind, relay->position, relay->target,
                    piece_of(relay));
}

/* Says that this member is through with a piece. */
static int32_t go_on(struct adr_collective *coll) {
  struct adr_relay_moves *relay = &coll->relay;
  const int64_t piece = piece_of(relay);
  adr_slot_want(&coll->slot, coll->sequence, ++relay->number);
  adr_coll_wake(coll, relay->other);
  relay->place += piece;
  relay->target += piece;
  relay->position += piece;
  relay->left -= piece;
  relay->phase = relay->left > 0 ? GET_READY : NOTHING;
  return ADR_COLL_NEXT;
}

int32_t adr_relay_advance(struct adr_collective *coll) {
  if (coll->relay.copies) { say_copied(coll); }
  switch (coll->relay.phase) {
  case NOTHING:
    return ADR_COLL_NEXT;
  case GET_READY:
    return get_ready(coll);
  case ASK:
    return ask_owner(coll);
  case AWAIT_COPY:
    return await_copy(coll);
  default:
    return go_on(coll);
  }
}
